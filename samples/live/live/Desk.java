package live;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that does what it reads, a line at a time, so that a test decides what happens between
 * attach and detach. `NAME WORD…` does the act of that name and prints its answer; `start NAME
 * WORD…` lets a thread do it; `join` waits for those threads and prints all their answers. The end
 * of the input ends it.
 */
public final class Desk {
    private static final List<Thread> STARTED = new ArrayList<>();
    private static final List<String> ANSWERS = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("ready " + ProcessHandle.current().pid());
        for (String line; (line = input.readLine()) != null; ) {
            System.out.println("= " + answer(line.split(" ")));
        }
    }

    private static String answer(String[] words) throws InterruptedException {
        switch (words[0]) {
            case "start":
                start(rest(words));
                return "started";
            case "join":
                return join();
            default:
                return act(words);
        }
    }

    private static void start(String[] words) {
        Thread thread = new Thread(() -> {
            String answer = act(words);
            synchronized (ANSWERS) {
                ANSWERS.add(answer);
            }
        }, words[0]);
        STARTED.add(thread);
        thread.start();
    }

    private static String join() throws InterruptedException {
        for (Thread thread : STARTED) {
            thread.join();
        }
        STARTED.clear();
        ANSWERS.sort(null);
        String all = String.join("; ", ANSWERS);
        ANSWERS.clear();
        return all;
    }

    private static String act(String[] words) {
        try {
            return ((Act) Class.forName("live." + words[0]).getDeclaredConstructor().newInstance())
                    .act(rest(words));
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            return thrown.toString();
        }
    }

    private static String[] rest(String[] words) {
        return java.util.Arrays.copyOfRange(words, 1, words.length);
    }

    private Desk() {}
}
