//! The frames of probes at the inner end of stacks.

use crate::jfr::frame_names::is_runtime;
use jfathom_jfr::{SampledMethod, Samples};

/// Packages with what a probe calls.
const CALLED: [&str; 4] = ["java/", "jdk/", "sun/", "com/sun/"];
/// The runtime's classes that call the program.
const CALLING: &str = "JfathomWrapping";

/// By stack: how many of its innermost frames are a probe's, with what that calls.
pub(super) fn probe_frames(samples: &Samples) -> Vec<usize> {
    let kinds: Vec<Kind> = samples.methods.iter().map(kind).collect();
    let of = |frame: &u32| kinds.get(*frame as usize).copied().unwrap_or(Kind::Program);
    let frames = samples.stacks.iter().map(|stack| {
        let first = stack.frames.iter().position(|frame| of(frame) != Kind::Called);
        let Some(first) = first.filter(|at| of(&stack.frames[*at]) == Kind::Probe) else {
            return 0;
        };
        let of_probe = stack.frames[first..].iter().take_while(|frame| of(frame) == Kind::Probe);
        first + of_probe.count()
    });
    frames.collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Probe,
    Called,
    Program,
}

fn kind(method: &SampledMethod) -> Kind {
    if is_runtime(method) {
        match method.class.contains(CALLING) {
            true => Kind::Program,
            false => Kind::Probe,
        }
    } else if CALLED.iter().any(|begin| method.class.starts_with(begin)) {
        Kind::Called
    } else {
        Kind::Program
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_jfr::SampleKind;

    #[test]
    fn a_probe_ends_where_the_program_calls_it() {
        let mut samples = Samples::default();
        for (frames, _) in STACKS {
            let frames = frames.iter().map(|class| SampledMethod {
                class: (*class).into(),
                name: "m".into(),
                descriptor: "()V".into(),
            });
            samples.push(frames, false, SampleKind::Java);
        }
        let expected: Vec<usize> = STACKS.iter().map(|(_, of_probe)| *of_probe).collect();
        assert_eq!(probe_frames(&samples), expected);
    }

    const STACKS: [(&[&str], usize); 6] = [
        (
            &["jdk/internal/misc/Unsafe", "java/lang/JfathomProbe", "java/lang/JfathomBase", "p/A"],
            3,
        ),
        (&["jfathom/runtime/Probe", "java/util/TimSort", "p/A"], 1),
        (&["java/util/TimSort", "p/A", "jfathom/runtime/Probe", "p/B"], 0),
        (&["java/lang/JfathomWrapping$1", "java/lang/Thread"], 0),
        (&["java/util/TimSort"], 0),
        (&[], 0),
    ];
}
