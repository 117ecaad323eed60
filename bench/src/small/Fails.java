/**
 * Numbers read from text of which some is wrong: exceptions made, wrapped, cleaned up after, and
 * caught at several depths.
 */
public class Fails {
    @SuppressWarnings("serial")
    static final class Wrong extends Exception {
        final int at;

        Wrong(int at, Throwable cause) {
            super("wrong", cause, false, false);
            this.at = at;
        }
    }

    private static final String[] LINES = {
        "12,7;3", "4,x;9", "100,200,300", "", "7;8;9;10", "99,1x,3;4", "5,5,5,5,5", "-3;2", "z",
                "31,41;59,26"
    };
    private static int open;

    static int digit(char c) {
        if (c < '0' || c > '9') throw new NumberFormatException();
        return c - '0';
    }

    static int number(String text, int from, int to) throws Wrong {
        if (from == to) throw new Wrong(from, null);
        int value = 0;
        for (int i = from; i < to; i++) {
            try {
                value = value * 10 + digit(text.charAt(i));
            } catch (NumberFormatException e) {
                throw new Wrong(i, e);
            }
        }
        return value;
    }

    static int group(String text, int from, int to) throws Wrong {
        open++;
        try {
            int sum = 0;
            for (int at = from; at <= to; ) {
                int end = text.indexOf(',', at);
                if (end < 0 || end > to) end = to;
                sum += number(text, at, end);
                at = end + 1;
            }
            return sum;
        } finally {
            open--;
        }
    }

    static int line(String text) {
        int sum = 0;
        for (int at = 0; at <= text.length(); ) {
            int end = text.indexOf(';', at);
            if (end < 0) end = text.length();
            try {
                sum += group(text, at, end);
            } catch (Wrong e) {
                sum -= e.at;
            }
            at = end + 1;
        }
        return sum;
    }

    static int run(int n) {
        int sum = open;
        for (int i = 0; i < n; i++) sum = sum * 31 + line(LINES[i % LINES.length]);
        return sum;
    }

    public static void main(String[] args) {
        Rounds.of(args, Fails::run);
    }
}
