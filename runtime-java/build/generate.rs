//! Generated Java sources: the session layout, the variant of each runtime, and one wrapper for
//! each functional interface.

use crate::layout;
use crate::names::SHARED_NAMES;
use std::fmt::Write as _;

/// `Layout.java`: the constants of `crates/trace/src/layout.rs` and the names of
/// `crates/session/src/names.rs`.
pub fn layout() -> String {
    let mut text = String::from(
        "package jfathom.runtime;\n\n\
         /** The session file's layout, from crates/trace/src/layout.rs, and the names that both\n\
         \x20* sides use, from crates/session/src/names.rs. */\n\
         final class Layout {\n    private Layout() {}\n\n",
    );
    let _ = writeln!(text, "    static final long LAYOUT_HASH = {:#x}L;", layout::LAYOUT_HASH);
    for constant in layout::CONSTANTS {
        let (kind, suffix) = if constant.long { ("long", "L") } else { ("int", "") };
        let _ = writeln!(
            text,
            "    /** {} */\n    static final {kind} {} = {}{suffix};",
            constant.doc, constant.name, constant.value
        );
    }
    for shared in SHARED_NAMES {
        let _ = writeln!(
            text,
            "    /** {} */\n    static final String {} = {:?};",
            shared.doc, shared.name, shared.value
        );
    }
    text.push_str("}\n");
    text
}

/// `Variant.java`: the one class by which the shared classes reach those of their own runtime.
pub fn variant(host: &str, build: u64, live: bool) -> String {
    format!(
        "package jfathom.runtime;\n\n\
         /** Which of the two runtimes this is, printed by the build script. */\n\
         final class Variant {{\n\
         \x20   static final Host HOST = new {host}();\n\
         \x20   /** Hash of the sources of the live runtime. */\n\
         \x20   static final long BUILD = {build:#x}L;\n\
         \x20   /** Whether sessions end while the JVM runs on. */\n\
         \x20   static final boolean LIVE = {live};\n\n\
         \x20   private Variant() {{}}\n}}\n"
    )
}

/// Interface, result type, method, parameter types. All of them have one abstract method that
/// throws nothing checked but `Callable`.
const FUNCTIONS: &[(&str, &str, &str, &str)] = &[
    ("java.util.function.UnaryOperator", "Object", "apply", "Object"),
    ("java.util.function.BinaryOperator", "Object", "apply", "Object Object"),
    ("Runnable", "void", "run", ""),
    ("java.util.concurrent.Callable", "Object", "call", ""),
    ("java.util.function.Supplier", "Object", "get", ""),
    ("java.util.function.Function", "Object", "apply", "Object"),
    ("java.util.function.BiFunction", "Object", "apply", "Object Object"),
    ("java.util.function.Consumer", "void", "accept", "Object"),
    ("java.util.function.BiConsumer", "void", "accept", "Object Object"),
    ("java.util.function.Predicate", "boolean", "test", "Object"),
    ("java.util.function.BiPredicate", "boolean", "test", "Object Object"),
    ("java.util.Comparator", "int", "compare", "Object Object"),
    ("java.util.function.BooleanSupplier", "boolean", "getAsBoolean", ""),
    ("java.util.function.ToIntFunction", "int", "applyAsInt", "Object"),
    ("java.util.function.ToLongFunction", "long", "applyAsLong", "Object"),
    ("java.util.function.ToDoubleFunction", "double", "applyAsDouble", "Object"),
    ("java.util.function.ToIntBiFunction", "int", "applyAsInt", "Object Object"),
    ("java.util.function.ToLongBiFunction", "long", "applyAsLong", "Object Object"),
    ("java.util.function.ToDoubleBiFunction", "double", "applyAsDouble", "Object Object"),
    ("java.util.function.ObjIntConsumer", "void", "accept", "Object int"),
    ("java.util.function.ObjLongConsumer", "void", "accept", "Object long"),
    ("java.util.function.ObjDoubleConsumer", "void", "accept", "Object double"),
    ("java.util.function.IntFunction", "Object", "apply", "int"),
    ("java.util.function.IntConsumer", "void", "accept", "int"),
    ("java.util.function.IntPredicate", "boolean", "test", "int"),
    ("java.util.function.IntSupplier", "int", "getAsInt", ""),
    ("java.util.function.IntUnaryOperator", "int", "applyAsInt", "int"),
    ("java.util.function.IntBinaryOperator", "int", "applyAsInt", "int int"),
    ("java.util.function.IntToLongFunction", "long", "applyAsLong", "int"),
    ("java.util.function.IntToDoubleFunction", "double", "applyAsDouble", "int"),
    ("java.util.function.LongFunction", "Object", "apply", "long"),
    ("java.util.function.LongConsumer", "void", "accept", "long"),
    ("java.util.function.LongPredicate", "boolean", "test", "long"),
    ("java.util.function.LongSupplier", "long", "getAsLong", ""),
    ("java.util.function.LongUnaryOperator", "long", "applyAsLong", "long"),
    ("java.util.function.LongBinaryOperator", "long", "applyAsLong", "long long"),
    ("java.util.function.LongToIntFunction", "int", "applyAsInt", "long"),
    ("java.util.function.LongToDoubleFunction", "double", "applyAsDouble", "long"),
    ("java.util.function.DoubleFunction", "Object", "apply", "double"),
    ("java.util.function.DoubleConsumer", "void", "accept", "double"),
    ("java.util.function.DoublePredicate", "boolean", "test", "double"),
    ("java.util.function.DoubleSupplier", "double", "getAsDouble", ""),
    ("java.util.function.DoubleUnaryOperator", "double", "applyAsDouble", "double"),
    ("java.util.function.DoubleBinaryOperator", "double", "applyAsDouble", "double double"),
    ("java.util.function.DoubleToIntFunction", "int", "applyAsInt", "double"),
    ("java.util.function.DoubleToLongFunction", "long", "applyAsLong", "double"),
];

/// `Wrapping.java`: a function that puts a wrapper around an object, and the wrappers.
pub fn wrapping() -> String {
    let mut text = String::from(
        "package jfathom.runtime;\n\n\
         /**\n\
         \x20* Wrappers around functional objects: each call opens a tree spawned from the root that\n\
         \x20* handed the object off.\n\
         \x20*/\n\
         final class Wrapping {\n    private Wrapping() {}\n\n\
         \x20   /**\n\
         \x20    * A wrapper with the one functional interface that {@code task} has. Null if it has\n\
         \x20    * none that is known, or several of which none extends the others: nobody knows which\n\
         \x20    * one the receiver wants.\n\
         \x20    */\n\
         \x20   static Object around(Object task, long handOff) {\n        int kinds = 0;\n        Object wrapper = null;\n",
    );
    let mut classes = String::new();
    for (interface, result, method, parameters) in FUNCTIONS {
        let simple = interface.rsplit('.').next().unwrap_or(interface);
        // An operator is also a function: found under its own name first, it must not count twice.
        let guard = match simple {
            "Function" => " && !(task instanceof java.util.function.UnaryOperator)",
            "BiFunction" => " && !(task instanceof java.util.function.BinaryOperator)",
            _ => "",
        };
        let _ = writeln!(
            text,
            "        if (task instanceof {interface}{guard}) {{\n            kinds++;\n            wrapper = new Of{simple}(({interface}) task, handOff);\n        }}"
        );
        let declared: Vec<String> = parameters
            .split_whitespace()
            .zip(b'a'..)
            .map(|(kind, name)| format!("{kind} {}", name as char))
            .collect();
        let passed: Vec<String> = parameters
            .split_whitespace()
            .zip(b'a'..)
            .map(|(_, name)| (name as char).to_string())
            .collect();
        let throws = if *method == "call" { " throws Exception" } else { "" };
        let value = if *result == "void" { "" } else { "return " };
        let _ = write!(
            classes,
            "\n    private static final class Of{simple} extends Tasks.Wrapper implements {interface} {{\n\
             \x20       private final {interface} task;\n\n\
             \x20       Of{simple}({interface} task, long handOff) {{\n            super(handOff);\n            this.task = task;\n        }}\n\n\
             \x20       public {result} {method}({}){throws} {{\n            int opened = open();\n            try {{\n\
             \x20               {value}task.{method}({});\n            }} finally {{\n                Tasks.exit(opened);\n            }}\n        }}\n    }}\n",
            declared.join(", "),
            passed.join(", "),
        );
    }
    text.push_str("        return kinds == 1 ? wrapper : null;\n    }\n");
    text.push_str(&classes);
    text.push_str("}\n");
    text
}
