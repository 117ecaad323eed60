//! What must hold of the runtime's bytecode.

use cafebabe::attributes::AttributeData;
use cafebabe::bytecode::Opcode;
use classfile_writer::{ClassFile, Scan};

/// Bytes of bytecode that C1 and C2 inline anywhere (`-XX:MaxInlineSize`, `-XX:C1MaxInlineSize`).
const MAX_INLINE_SIZE: usize = 35;
/// Methods that all compilers inline: the probes of threads that are not inside, and what
/// [`MEMORIES`] call.
const SMALL: &[(&str, &[&str])] = &[
    ("CounterTable", &["has", "block", "isBehind", "nextBase", "group", "line", "counter"]),
    ("Probe", &["innerEntry", "countedInnerEntry"]),
    ("Session", &["slot"]),
    ("InternalMemory", &["tid"]),
    ("UnsafeMemory", &["tid"]),
    ("AddressMemory", &["tid"]),
    ("SegmentMemory", &["tid"]),
    ("BufferMemory", &["tid"]),
    ("ThreadApi", &["threadId"]),
];
/// Classes whose `count` counts a call in place.
const MEMORIES: &[&str] =
    &["InternalMemory", "UnsafeMemory", "AddressMemory", "SegmentMemory", "BufferMemory"];

#[test]
fn probes_outside_are_inlined() {
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        let mut seen = 0;
        for (name, methods) in SMALL {
            let Some(bytes) = find(classes, name) else { continue };
            let class = cafebabe::parse_class(bytes).expect("a class");
            for method in class.methods.iter().filter(|method| methods.contains(&&*method.name)) {
                let code = method.attributes.iter().find_map(|attribute| match &attribute.data {
                    AttributeData::Code(code) => Some(code),
                    _ => None,
                });
                let Some(code) = code else { continue };
                seen += 1;
                let length = code.code.len();
                assert!(
                    length <= MAX_INLINE_SIZE,
                    "{name}.{} has {length} bytes of code",
                    method.name
                );
            }
        }
        assert!(seen >= 12, "only {seen} methods were found");
    }
}

/// Inlined by C1, an exit would update the profile of its probe, which all threads share.
#[test]
fn exits_are_calls_in_the_code_of_c1() {
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        let bytes = find(classes, "Probe").expect("the probes");
        let class = ClassFile::parse(bytes).expect("a class");
        let exit = class.methods().find(|method| method.name == b"methodExit").expect("exit");
        let length = exit.code().expect("readable").expect("code").bytes().len();
        assert!(length > MAX_INLINE_SIZE, "it has {length} bytes");
    }
}

/// What counts a call calls nothing but what compilers replace, and small methods.
#[test]
fn a_call_is_counted_without_a_call() {
    let known = |class: &str, name: &str| {
        let small =
            SMALL.iter().any(|(small, methods)| class.ends_with(small) && methods.contains(&name));
        small
            || class.ends_with("/Unsafe")
            || ["java/lang/invoke/VarHandle", "java/nio/ByteBuffer"].contains(&class)
            || (class, name) == ("java/lang/Thread", "currentThread")
    };
    let mut seen = 0;
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        for memory in MEMORIES {
            let Some(bytes) = find(classes, memory) else { continue };
            let class = cafebabe::parse_class(bytes).expect("a class");
            let count = class.methods.iter().find(|method| method.name == "count").expect("count");
            let code = count.attributes.iter().find_map(|attribute| match &attribute.data {
                AttributeData::Code(code) => code.bytecode.as_ref(),
                _ => None,
            });
            seen += 1;
            for (_, opcode) in &code.expect("bytecode").opcodes {
                let (Opcode::Invokevirtual(called) | Opcode::Invokestatic(called)) = opcode else {
                    continue;
                };
                let name = &*called.name_and_type.name;
                assert!(known(&called.class_name, name), "{memory}: {}.{name}", called.class_name);
            }
        }
    }
    assert_eq!(seen, 6);
}

/// Methods of the JDK may have probes. What runs before the recorder is busy calls none of them but
/// the native one that says which thread runs: else the probe would be called from within itself.
#[test]
fn the_fast_path_calls_no_method_of_the_jdk() {
    const FAST: &[&str] = &[
        "Probe",
        "InnerProbe",
        "OutsideProbe",
        "RecordWriter",
        "CountedCalls",
        "ThreadCounters",
        "CounterTable",
    ];
    /// Not on the fast path: a ring's counters are given, or forgotten.
    const SLOW: &[&str] = &["<clinit>", "<init>", "add", "addOwn", "addAlone", "list", "reset"];
    let mut seen = 0;
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        for name in FAST {
            let class = cafebabe::parse_class(find(classes, name).expect(name)).expect("a class");
            for method in class.methods.iter().filter(|method| !SLOW.contains(&&*method.name)) {
                let code = method.attributes.iter().find_map(|attribute| match &attribute.data {
                    AttributeData::Code(code) => code.bytecode.as_ref(),
                    _ => None,
                });
                for (_, opcode) in code.into_iter().flat_map(|code| &code.opcodes) {
                    let (Opcode::Invokevirtual(called) | Opcode::Invokestatic(called)) = opcode
                    else {
                        continue;
                    };
                    let (class, called) = (&*called.class_name, &*called.name_and_type.name);
                    let ours =
                        class.starts_with("jfathom/") || class.starts_with("java/lang/Jfathom");
                    let current = (class, called) == ("java/lang/Thread", "currentThread");
                    assert!(ours || current, "{name}.{}: {class}.{called}", method.name);
                    seen += 1;
                }
            }
        }
    }
    assert!(seen > 200, "only {seen} calls");
}

/// HotSpot delivers Thread.stop at branch targets, among others. At the first instruction behind a
/// guarded region no handler runs, and a recorder that is busy would stay so.
#[test]
fn no_branch_leaves_a_guarded_region_for_its_end() {
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        let bytes = find(classes, "SlowPath").expect("the slow path");
        let class = ClassFile::parse(bytes).expect("a class");
        let mut seen = 0;
        for method in class.methods() {
            let name = method.name;
            if !matches!(name, b"write" | b"count") {
                continue;
            }
            seen += 1;
            let code = method.code().expect("readable").expect("code");
            let guarded = code.exceptions().next().expect("a guarded region");
            let mut scan = Scan::new();
            scan.run(&code, false).expect("readable code");
            let ends: Vec<_> = scan
                .branches
                .iter()
                .filter(|branch| (guarded.start..guarded.end).contains(&branch.bci))
                .filter(|branch| branch.target == guarded.end)
                .collect();
            assert!(ends.is_empty(), "{}: {ends:?}", String::from_utf8_lossy(name));
        }
        assert_eq!(seen, 2);
    }
}

/// The embedded class of this name, in the form of either variant.
fn find(classes: &[(&str, &'static [u8])], name: &str) -> Option<&'static [u8]> {
    let names = [format!("/{name}.class"), format!("/Jfathom{name}")];
    let found = classes.iter().find(|(path, _)| names.iter().any(|name| path.ends_with(name)));
    found.map(|(_, bytes)| *bytes)
}
