package storm;

import java.io.File;

/**
 * {@code Main TRUTH GO THREADS STEPS SEED WAY together|apart QUIET OVERFLOWS ENDING}: waits for the
 * file GO, where it is not {@code -}, and makes the calls.
 */
public final class Main {
    private Main() {}

    public static void main(String[] words) throws Exception {
        Plan plan = new Plan(words);
        Truth.open(words[0], plan.threads + 1);
        System.out.println("storm begins");
        while (!words[1].equals("-") && !new File(words[1]).exists()) {
            Thread.sleep(1);
        }
        Truth.begin(0, Truth.ROOT);
        Calls.root(plan);
        Truth.done(0, Truth.ROOT);
        System.out.println("storm ends");
    }
}
