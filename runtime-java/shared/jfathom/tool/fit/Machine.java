package jfathom.tool.fit;

/** A machine with a stack: one method for all instructions, or an object for each. */
final class Machine {
    private static final int LENGTH = Draw.within(6, 30);
    private static final boolean HAS_OBJECTS = Draw.within(0, 1) == 1;
    private static final int LOOPS = Draw.within(50, 2000);
    private static final int[] CODE = code();
    private static final Step[] STEPS = steps();

    private final int[] stack = new int[64];
    private final int[] slots = new int[16];
    private int top;

    private static int[] code() {
        int[] code = new int[2 * LENGTH];
        int height = 1;
        for (int at = 0; at < code.length; at += 2) {
            int kind = height < 2 ? 0 : height > 6 ? Draw.within(2, 4) : Draw.within(0, 6);
            height += kind < 2 ? 1 : kind < 5 ? -1 : 0;
            code[at] = kind;
            code[at + 1] = Draw.within(1, 30);
        }
        return code;
    }

    private abstract static class Step {
        final int value;

        Step(int value) {
            this.value = value;
        }

        abstract void execute(Machine machine);
    }

    private static final class Constant extends Step {
        Constant(int value) {
            super(value);
        }

        @Override
        void execute(Machine machine) {
            machine.push(value);
        }
    }

    private static final class Load extends Step {
        Load(int value) {
            super(value);
        }

        @Override
        void execute(Machine machine) {
            machine.push(machine.load(value));
        }
    }

    private static final class Binary extends Step {
        Binary(int value) {
            super(value);
        }

        @Override
        void execute(Machine machine) {
            machine.push(combined(machine.pop(), machine.pop(), value));
        }
    }

    private static final class Store extends Step {
        Store(int value) {
            super(value);
        }

        @Override
        void execute(Machine machine) {
            machine.store(value, machine.pop());
        }
    }

    private static final class Unary extends Step {
        Unary(int value) {
            super(value);
        }

        @Override
        void execute(Machine machine) {
            machine.push(mixed(machine.pop(), value));
        }
    }

    private static Step[] steps() {
        Step[] steps = new Step[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            int value = CODE[2 * i + 1];
            switch (CODE[2 * i]) {
                case 0: steps[i] = new Constant(value); break;
                case 1: steps[i] = new Load(value); break;
                case 2: case 3: steps[i] = new Binary(value); break;
                case 4: steps[i] = new Store(value); break;
                default: steps[i] = new Unary(value); break;
            }
        }
        return steps;
    }

    private void push(int value) {
        stack[top++] = value;
    }

    private int pop() {
        return stack[--top];
    }

    private int load(int slot) {
        return slots[slot & 15];
    }

    private void store(int slot, int value) {
        slots[slot & 15] = value;
    }

    private static int combined(int a, int b, int kind) {
        return (kind & 1) == 0 ? a + b : a ^ b * 3;
    }

    private static int mixed(int value, int times) {
        int mixed = value;
        for (int i = 0; i < (times & 7); i++) mixed = mixed * 31 + (mixed >>> 5);
        return mixed;
    }

    private void step(int kind, int value) {
        switch (kind) {
            case 0: push(value); break;
            case 1: push(load(value)); break;
            case 2: case 3: push(combined(pop(), pop(), value)); break;
            case 4: store(value, pop()); break;
            default: push(mixed(pop(), value)); break;
        }
    }

    private void execute() {
        if (HAS_OBJECTS) {
            for (Step step : STEPS) step.execute(this);
        } else {
            for (int at = 0; at < CODE.length; at += 2) step(CODE[at], CODE[at + 1]);
        }
    }

    static long run(int rounds) {
        Machine machine = new Machine();
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < LOOPS; i++) {
                machine.top = 0;
                machine.push(round + i);
                machine.execute();
                sum += machine.load(i);
            }
        }
        return sum;
    }
}
