//! Bytecode sizes of the methods that a counted call runs through. C2 must inline them even where
//! it has rarely seen them called, as in methods that were timed until then. There it inlines at
//! most 35 bytes of bytecode (`-XX:MaxInlineSize`). Otherwise a counted call costs two to three
//! times as much, in some JVMs and not in others.

use cafebabe::attributes::AttributeData;

const MAX_INLINE_SIZE: usize = 35;
/// Classes and their methods on the path of a counted call, with all memories that may be chosen.
const COUNTING: &[(&str, &[&str])] = &[
    (
        "ThreadRecorder",
        &["canCount", "count", "countInChunk", "chunkPlace", "incrementIn", "increment"],
    ),
    ("Counters", &["isDirect"]),
    ("Session", &["slot"]),
    ("InternalMemory", &["tid", "increment"]),
    ("UnsafeMemory", &["tid", "increment"]),
    ("AddressMemory", &["tid", "increment"]),
    ("SegmentMemory", &["tid", "increment"]),
    ("BufferMemory", &["tid", "increment"]),
    ("ThreadApi", &["threadId"]),
];

#[test]
fn a_counted_call_is_inlined_in_small_steps() {
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        let mut seen = 0;
        for (name, methods) in COUNTING {
            let names = [format!("/{name}.class"), format!("/Jfathom{name}")];
            let found =
                classes.iter().find(|(path, _)| names.iter().any(|name| path.ends_with(name)));
            let Some((_, bytes)) = found else { continue };
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
        assert!(seen >= 10, "only {seen} methods were found");
    }
}
