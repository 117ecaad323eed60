package between;

/** Calls that are counted, between calls that are timed. */
public class Main {
    /** As a driver for a database has it. */
    interface Statement {
        int executeQuery(int key);
    }

    static class Driver implements Statement {
        private int[] rows = new int[64];

        @Override
        public int executeQuery(int key) {
            int sum = 0;
            for (int at = 0; at < rows.length; at++) {
                rows[at] += key ^ at;
                sum += rows[at];
            }
            return sum;
        }
    }

    private final Statement statement = new Driver();
    private int sum;

    public static void main(String[] arguments) {
        Main main = new Main();
        for (int round = 0; round < 50; round++) {
            main.caller(round);
            main.two(round);
            main.direct(round);
        }
        System.out.println(main.sum);
    }

    /** Only `row`, which is counted, leads to the statement. */
    void caller(int round) {
        for (int key = 0; key < 4; key++) {
            sum += row(round + key);
        }
    }

    int row(int key) {
        int found = statement.executeQuery(key);
        return found + shared(key);
    }

    /** Two counted methods lead there. */
    void two(int round) {
        sum += left(round);
        sum += right(round);
    }

    int left(int key) {
        return statement.executeQuery(key) + 1;
    }

    int right(int key) {
        int found = statement.executeQuery(key + 1);
        return shared(found);
    }

    /** Calls the statement itself, behind a counted call. */
    void direct(int round) {
        sum += shared(round);
        sum += statement.executeQuery(round);
    }

    /** Counted, and called by counted methods as well as by timed ones. */
    int shared(int key) {
        int bits = 0;
        for (int at = key & 7; at > 0; at--) {
            bits += at;
        }
        return bits;
    }
}
