//! Names of frames that are the same in all runs.

use jfathom_jfr::SampledMethod;
use jfathom_profile::SampledName;

/// What follows it in the name of a lambda's class is a number of this run.
const LAMBDA: &str = "$$Lambda";
/// What follows it in the name of a hidden class is its address.
const HIDDEN: [&str; 2] = ["+0x", "/0x"];

/// How the names of jfathom's runtime begin: ahead of time, and live.
const RUNTIME: [&str; 2] = ["jfathom/runtime/", "java/lang/Jfathom"];

/// Whether a frame is of jfathom's runtime, whose work is none of the program's.
pub(crate) fn is_runtime(method: &SampledMethod) -> bool {
    RUNTIME.iter().any(|begin| method.class.starts_with(begin))
}

/// What a frame is called that the JVM does not name.
const UNNAMED: &str = "[unnamed]";

/// The name of a frame's method.
pub(crate) fn frame_name(method: &SampledMethod) -> SampledName {
    if method.name.is_empty() {
        return SampledName { class: String::new(), name: UNNAMED.to_owned() };
    }
    let class: &str = &method.class;
    let end = match class.find(LAMBDA) {
        Some(at) => at + LAMBDA.len(),
        None => HIDDEN.iter().filter_map(|sign| class.find(sign)).min().unwrap_or(class.len()),
    };
    SampledName { class: class[..end].to_owned(), name: method.name.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_run_are_left_out() {
        for (class, expected) in [
            ("java/util/TimSort", "java/util/TimSort"),
            ("p/A$$Lambda$14+0x0000000800c03000/1234", "p/A$$Lambda"),
            ("p/A$$Lambda+0x00007f/77", "p/A$$Lambda"),
            ("java/lang/invoke/LambdaForm$MH+0x00000008000c2000", "java/lang/invoke/LambdaForm$MH"),
            ("p/Hidden/0x000000080", "p/Hidden"),
        ] {
            let method =
                SampledMethod { class: class.into(), name: "run".into(), descriptor: "()V".into() };
            assert_eq!(frame_name(&method).class, expected);
        }
    }
}
