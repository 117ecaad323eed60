//! What a probe goes through where a method is counted must be inlined even where a compiler has
//! rarely seen it taken, as in methods that were timed until then: C2 inlines no more than 35 bytes
//! of code there (`-XX:MaxInlineSize`). Otherwise a counted call costs two to three times as much,
//! in some JVMs and not in others.

use cafebabe::attributes::AttributeData;

const MOST: usize = 35;
/// Classes and the methods of theirs that are on the way; of memories all that may be chosen.
const ON_THE_WAY: &[(&str, &[&str])] = &[
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
fn the_way_of_a_counted_call_is_inlined_in_small_steps() {
    for classes in [jfathom_runtime_java::CLASSES, jfathom_runtime_java::LIVE_CLASSES] {
        let mut seen = 0;
        for (name, methods) in ON_THE_WAY {
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
                assert!(length <= MOST, "{name}.{} has {length} bytes of code", method.name);
            }
        }
        assert!(seen >= 10, "only {seen} methods were found");
    }
}
