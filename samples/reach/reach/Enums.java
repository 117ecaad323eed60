package reach;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.function.IntBinaryOperator;

/** Enums: constants with bodies, those with lambdas, collections of them, and switches. */
public final class Enums {
    enum Operation implements IntBinaryOperator {
        PLUS("+", (a, b) -> plus(a, b)),
        TIMES("*", Operation::times) {
            @Override
            String text() {
                return "times";
            }
        };

        private final String sign;
        private final IntBinaryOperator work;

        Operation(String sign, IntBinaryOperator work) {
            this.sign = sign;
            this.work = work;
        }

        String text() {
            return sign;
        }

        @Override
        public int applyAsInt(int a, int b) {
            return work.applyAsInt(a, b);
        }

        private static int plus(int a, int b) {
            return a + b;
        }

        private static int times(int a, int b) {
            return a * b;
        }
    }

    enum Unused {
        ONE;

        static int count() {
            return values().length;
        }
    }

    enum Collected {
        A,
        B;

        @Override
        public String toString() {
            return name() + ordinal();
        }
    }

    enum Mapped {
        X
    }

    public static void main(String[] args) {
        for (Operation operation : Operation.values()) {
            System.out.println(operation.text() + operation.applyAsInt(3, 4) + name(operation));
        }
        System.out.println(Operation.valueOf("PLUS").text());
        System.out.println(EnumSet.allOf(Collected.class));
        EnumMap<Mapped, String> map = new EnumMap<>(Mapped.class);
        map.put(Mapped.X, "x");
        System.out.println(map);
    }

    private static String name(Operation operation) {
        switch (operation) {
            case PLUS:
                return "sum";
            default:
                return "product";
        }
    }
}
