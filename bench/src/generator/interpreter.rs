//! An interpreter of drawn bytecode: a switch, or one object for each instruction.

use super::{random::Random, template::fill};
use std::fmt::Write as _;

pub fn draw(random: &mut Random) -> String {
    let body = random.within(4, 24);
    let mut code = String::new();
    let mut height = 1;
    for _ in 0..body {
        let op = match height {
            0 | 1 => random.within(0, 1),
            2..6 => random.within(0, 8),
            _ => random.within(2, 6),
        };
        height += match op {
            0 | 1 => 1,
            2..=5 => -1,
            _ => 0,
        };
        let _ = write!(code, "{op}, {}, ", random.within(1, 30));
    }
    let template = match random.within(0, 2) {
        0 => OBJECTS,
        1 => SWITCH_WITH_METHODS,
        _ => SWITCH,
    };
    let java = format!("{COMMON}{template}");
    fill(
        &java,
        &[
            ("$CODE", code),
            ("$LOOPS", random.size(50, 5000).to_string()),
            ("$SLOTS", (1_u64 << random.within(2, 6)).to_string()),
        ],
    )
}

const COMMON: &str = r#"
    static final int[] CODE = {$CODE};
    static final class Machine {
        final int[] stack = new int[64];
        final int[] slots = new int[$SLOTS];
        int top;
        void push(int value) { stack[top++] = value; }
        int pop() { return stack[--top]; }
        int load(int slot) { return slots[slot & ($SLOTS - 1)]; }
        void store(int slot, int value) { slots[slot & ($SLOTS - 1)] = value; }
    }
    static int mix(int a, int b) {
        int s = a;
        for (int i = 0; i < (b & 7); i++) s = s * 31 + (s >>> 5);
        return s;
    }
    static long round(int number) {
        Machine machine = new Machine();
        long sum = 0;
        for (int i = 0; i < $LOOPS; i++) {
            machine.top = 0;
            machine.push(number + i);
            execute(machine);
            sum += machine.pop();
        }
        return sum;
    }
"#;

const SWITCH_WITH_METHODS: &str = r#"
    static void add(Machine m) { m.push(m.pop() + m.pop()); }
    static void multiply(Machine m) { m.push(m.pop() * m.pop()); }
    static void xor(Machine m) { m.push(m.pop() ^ m.pop()); }
    static void swapStore(Machine m, int slot) { m.store(slot, m.pop()); }
    static void step(Machine m, int op, int arg) {
        switch (op) {
            case 0: m.push(arg); break;
            case 1: m.push(m.load(arg)); break;
            case 2: add(m); break;
            case 3: multiply(m); break;
            case 4: xor(m); break;
            case 5: swapStore(m, arg); break;
            case 6: m.push(mix(m.pop(), arg)); break;
            case 7: m.push(m.pop() >>> 1); break;
            default: m.push(-m.pop()); break;
        }
    }
    static void execute(Machine m) {
        for (int pc = 0; pc < CODE.length; pc += 2) step(m, CODE[pc], CODE[pc + 1]);
    }
"#;

const SWITCH: &str = r#"
    static void execute(Machine m) {
        for (int pc = 0; pc < CODE.length; pc += 2) {
            int arg = CODE[pc + 1];
            switch (CODE[pc]) {
                case 0: m.push(arg); break;
                case 1: m.push(m.load(arg)); break;
                case 2: m.push(m.pop() + m.pop()); break;
                case 3: m.push(m.pop() * m.pop()); break;
                case 4: m.push(m.pop() ^ m.pop()); break;
                case 5: m.store(arg, m.pop()); break;
                case 6: m.push(mix(m.pop(), arg)); break;
                case 7: m.push(m.pop() >>> 1); break;
                default: m.push(-m.pop()); break;
            }
        }
    }
"#;

const OBJECTS: &str = r#"
    abstract static class Op { abstract void execute(Machine m); }
    static final class Constant extends Op {
        final int value;
        Constant(int value) { this.value = value; }
        void execute(Machine m) { m.push(value); }
    }
    static final class Load extends Op {
        final int slot;
        Load(int slot) { this.slot = slot; }
        void execute(Machine m) { m.push(m.load(slot)); }
    }
    static final class Binary extends Op {
        final int kind;
        Binary(int kind) { this.kind = kind; }
        int apply(int a, int b) { return kind == 2 ? a + b : kind == 3 ? a * b : a ^ b; }
        void execute(Machine m) { m.push(apply(m.pop(), m.pop())); }
    }
    static final class Store extends Op {
        final int slot;
        Store(int slot) { this.slot = slot; }
        void execute(Machine m) { m.store(slot, m.pop()); }
    }
    static final class Mix extends Op {
        final int arg;
        Mix(int arg) { this.arg = arg; }
        void execute(Machine m) { m.push(mix(m.pop(), arg)); }
    }
    static final class Unary extends Op {
        void execute(Machine m) { m.push(-m.pop()); }
    }
    static final Op[] OPS = ops();
    static Op[] ops() {
        Op[] ops = new Op[CODE.length / 2];
        for (int i = 0; i < ops.length; i++) {
            int arg = CODE[2 * i + 1];
            switch (CODE[2 * i]) {
                case 0: ops[i] = new Constant(arg); break;
                case 1: ops[i] = new Load(arg); break;
                case 2: case 3: case 4: ops[i] = new Binary(CODE[2 * i]); break;
                case 5: ops[i] = new Store(arg); break;
                case 6: ops[i] = new Mix(arg); break;
                default: ops[i] = new Unary(); break;
            }
        }
        return ops;
    }
    static void execute(Machine m) { for (Op op : OPS) op.execute(m); }
"#;
