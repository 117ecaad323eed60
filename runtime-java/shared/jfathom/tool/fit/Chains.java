package jfathom.tool.fit;

/** Calls through seven links, some of them behind an interface, with work in each. */
final class Chains {
    private static final int SHORT = Draw.within(0, 4);
    private static final int MIDDLE = Draw.within(2, 20);
    private static final int LONG = Draw.within(10, 60);
    private static final int CALLS = Draw.within(100, 2000);
    private static final int KINDS = Draw.within(1, 3);
    private static final Link[] LINKS = {new Adds(), new Turns(), new Mixes()};

    private Chains() {}

    private interface Link {
        int apply(int value);
    }

    private static final class Adds implements Link {
        @Override
        public int apply(int value) {
            return third(value + 7);
        }
    }

    private static final class Turns implements Link {
        @Override
        public int apply(int value) {
            return second(value << 3 | value >>> 29);
        }
    }

    private static final class Mixes implements Link {
        @Override
        public int apply(int value) {
            return third(value ^ value >>> 11);
        }
    }

    private static int work(int value, int times) {
        int mixed = value;
        for (int i = 0; i < times; i++) mixed = mixed * 31 + (mixed >>> 7);
        return mixed;
    }

    private static int first(int value) {
        return value ^ 5;
    }

    private static int second(int value) {
        return first(work(value, SHORT));
    }

    private static int third(int value) {
        int mixed = second(value) + second(value >> 1);
        return (mixed & 3) == 0 ? first(mixed) : mixed;
    }

    private static int fourth(int value) {
        return LINKS[(value & 0xff) % KINDS].apply(work(value, MIDDLE));
    }

    private static int fifth(int value) {
        return fourth(value) + third(value ^ 1);
    }

    private static int sixth(int value) {
        return work(fifth(value), LONG) + fourth(value);
    }

    static long run(int rounds) {
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < CALLS; i++) sum += sixth(round + i);
        }
        return sum;
    }
}
