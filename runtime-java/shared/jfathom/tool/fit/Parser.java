package jfathom.tool.fit;

/** A parser of arithmetic by recursive descent, with a scanner of small methods. */
final class Parser {
    private static final int DEPTH = Draw.within(1, 5);
    private static final int WIDTH = Draw.within(1, 4);
    private static final boolean HAS_SPACES = Draw.within(0, 1) == 1;

    private final String text;
    private int at;

    private Parser(String text) {
        this.text = text;
    }

    private static void write(StringBuilder text, int depth, int number) {
        for (int i = 0; i < WIDTH; i++) {
            if (i > 0) text.append(HAS_SPACES ? " + " : "*");
            if (depth > 0 && (i & 1) == 0) {
                text.append('(');
                write(text, depth - 1, number + i);
                text.append(')');
            } else {
                text.append(number * 7 + i);
            }
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : ';';
    }

    private char next() {
        char next = peek();
        at++;
        return next;
    }

    private void skipSpaces() {
        while (peek() == ' ') next();
    }

    private boolean skips(char wanted) {
        skipSpaces();
        boolean is = peek() == wanted;
        if (is) next();
        return is;
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    private int number() {
        int number = 0;
        while (isDigit(peek())) number = number * 10 + next() - '0';
        return number;
    }

    private int factor() {
        if (!skips('(')) return number();
        int value = sum();
        skips(')');
        return value;
    }

    private int product() {
        int value = factor();
        while (skips('*')) value *= factor();
        return value;
    }

    private int sum() {
        int value = product();
        while (skips('+')) value += product();
        return value;
    }

    static long run(int rounds) {
        StringBuilder text = new StringBuilder();
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            text.setLength(0);
            write(text, DEPTH, round & 1023);
            sum += new Parser(text.toString()).sum();
        }
        return sum;
    }
}
