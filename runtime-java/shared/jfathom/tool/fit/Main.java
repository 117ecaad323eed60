package jfathom.tool.fit;

/**
 * Runs one of the programs to which constants are fitted. Arguments: the program's number, its
 * variant, the rounds. Prints how long the rounds took in ns, and their checksum; nothing with a
 * fourth argument.
 */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int program = Integer.parseInt(arguments[0]);
        Draw.start(program, Integer.parseInt(arguments[1]));
        int rounds = Integer.parseInt(arguments[2]);
        long begin = System.nanoTime();
        long sum = run(program, rounds);
        long nanos = System.nanoTime() - begin;
        if (arguments.length < 4) System.out.println(nanos + " " + sum);
    }

    /** The root. */
    static long run(int program, int rounds) {
        switch (program) {
            case 0: return Chains.run(rounds);
            case 1: return Machine.run(rounds);
            case 2: return Keys.run(rounds);
            case 3: return Matrices.run(rounds);
            case 4: return Texts.run(rounds);
            case 5: return Trees.run(rounds);
            case 6: return Sorting.run(rounds);
            case 7: return Parser.run(rounds);
            default: return Events.run(rounds);
        }
    }
}
