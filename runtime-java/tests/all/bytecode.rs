//! What must hold of the runtime's bytecode.

use cafebabe::attributes::AttributeData;
use classfile_writer::{ClassFile, Scan};

/// Bytes of bytecode that C2 inlines at most where it has rarely seen the call, as in methods that
/// were timed until then (`-XX:MaxInlineSize`). What is not inlined costs a counted call two to
/// three times as much, in some JVMs and not in others.
const MAX_INLINE_SIZE: usize = 35;
/// Classes and their methods on the path of a counted call, with all memories that may be chosen,
/// and the probes of threads that are not inside.
const COUNTING: &[(&str, &[&str])] = &[
    (
        "ThreadRecorder",
        &[
            "canCount",
            "count",
            "countInChunk",
            "countAt",
            "chunkPlace",
            "increment",
            "countDirect",
            "markDirect",
            "markInChunk",
            "line",
            "markChunk",
            "store",
            "mark",
        ],
    ),
    ("Counters", &["isDirect"]),
    ("Probe", &["innerEntry", "innerExit"]),
    ("Session", &["slot"]),
    ("InternalMemory", &["tid", "counter", "setCounter", "setMark"]),
    ("UnsafeMemory", &["tid", "counter", "setCounter", "setMark"]),
    ("AddressMemory", &["tid", "counter", "setCounter", "setMark"]),
    ("SegmentMemory", &["tid", "counter", "setCounter", "setMark"]),
    ("BufferMemory", &["tid", "counter", "setCounter", "setMark"]),
    ("ThreadApi", &["threadId"]),
];

#[test]
fn counted_calls_and_probes_outside_are_inlined_in_small_steps() {
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        let mut seen = 0;
        for (name, methods) in COUNTING {
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
