//! Exceptions in the calls that made them, by the frames of their stacks.
//!
//! By its time an exception is in the innermost call that the timeline has. A shorter call is not
//! there, and the constructor of the exception may be a recorded call itself. Frames tell both,
//! where they do not contradict the time.

use crate::jfr::stack_samples::{CallPaths, FrameMethod, name_by_open_calls};
use jfathom_jfr::{JfrThreadIx, Recording, SampledMethod};
use jfathom_plan::MethodId;
use jfathom_profile::{
    Builder, BuilderNode, EventMove, EventName, NodeIx, Profile, Ticks, Timeline,
};
use std::collections::HashMap;

/// An exception with a stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThrownEvent<'a> {
    pub thread: JfrThreadIx,
    /// The thread's id in the JVM.
    pub java_id: u64,
    /// The place of its stack in the recording.
    pub stack: u32,
    pub name: &'a EventName,
    pub at: Ticks,
}

/// Exceptions by the call in which they are by their time, and by their stack.
#[derive(Debug, Default)]
pub(crate) struct Thrown {
    counts: HashMap<(BuilderNode, JfrThreadIx, u32, EventName), u64>,
    /// The methods of these calls, outermost first.
    paths: HashMap<BuilderNode, Vec<MethodId>>,
}

impl Thrown {
    /// Those of a recording beside the session that a builder has consumed. What is outside of all
    /// calls by its time stays there.
    pub(crate) fn new<'a>(
        builder: &Builder,
        timeline: &Timeline,
        events: impl Iterator<Item = ThrownEvent<'a>>,
    ) -> Self {
        let mut thrown = Self::default();
        for event in events {
            let Some(node) = timeline.innermost(event.java_id, event.at) else { continue };
            thrown.paths.entry(node).or_insert_with(|| builder.methods_to(node));
            let key = (node, event.thread, event.stack, event.name.clone());
            *thrown.counts.entry(key).or_default() += 1;
        }
        thrown
    }

    /// Moves exceptions of a profile to the calls that their frames name.
    pub(crate) fn place_by_frames(self, profile: &mut Profile, recording: &Recording) {
        if self.counts.is_empty() {
            return;
        }
        let mut paths = CallPaths::new(profile, &recording.samples.methods);
        let mut moves: Vec<EventMove> = Vec::new();
        for ((node, thread, stack, name), count) in self.counts {
            let open = self.paths.get(&node).map_or(&[][..], Vec::as_slice);
            let places = paths
                .root(recording.threads.get(thread))
                .and_then(|root| Some((root, paths.node_of(root, open)?)));
            let Some((root, from)) = places else { continue };
            let by_time = ByTime { root, node: from, calls: open };
            if let Some(to) = by_frames(&mut paths, recording, &by_time, stack, &name)
                && to != from
            {
                moves.push(EventMove { from, to, name, count });
            }
        }
        drop(paths);
        profile.tree.move_events(moves);
    }
}

/// Where an exception is by its time.
struct ByTime<'a> {
    /// The root of its thread.
    root: NodeIx,
    node: NodeIx,
    /// The calls that were open, outermost first.
    calls: &'a [MethodId],
}

/// The innermost recorded call of the frames that made an exception. None where the frames are
/// cut, or do not lead through that call.
fn by_frames(
    paths: &mut CallPaths<'_>,
    recording: &Recording,
    by_time: &ByTime<'_>,
    stack: u32,
    name: &EventName,
) -> Option<NodeIx> {
    let ByTime { root, node: by_time, calls } = *by_time;
    let samples = &recording.samples;
    let stack = samples.stacks.get(stack as usize).filter(|stack| !stack.is_truncated)?;
    let mut methods = paths.frame_methods(&stack.frames);
    if methods.contains(&FrameMethod::Unnamed) {
        name_by_open_calls(&mut methods, &paths.open_path(calls));
    }
    let innermost = paths.place(root, &methods)?;
    if !innermost.nodes.iter().any(|node| is_below(paths, *node, by_time)) {
        return None;
    }
    let maker = without_constructors(&stack.frames, &samples.methods, name.class.as_deref());
    let nodes = paths.place(root, methods.get(..maker.len())?)?.nodes;
    nodes
        .into_iter()
        .find(|node| is_below(paths, *node, by_time) || is_below(paths, by_time, *node))
}

/// Whether a node is another one or below it.
fn is_below(paths: &CallPaths<'_>, node: NodeIx, above: NodeIx) -> bool {
    paths.profile().tree.subtree(above).contains(&node.0)
}

/// The frames, innermost first, without those of the exception's constructors, from which JFR
/// tells it. A method that makes an exception of the class in its own constructor is one of them.
fn without_constructors<'f>(
    frames: &'f [u32],
    methods: &[SampledMethod],
    class: Option<&str>,
) -> &'f [u32] {
    let method = |frame: &u32| methods.get(*frame as usize);
    let is_jfr = |frame: &&u32| method(frame).is_some_and(|of| of.class.starts_with("jdk/jfr/"));
    let frames = &frames[frames.iter().take_while(is_jfr).count()..];
    let is_constructor = |frame: &&u32| method(frame).is_some_and(|of| &*of.name == "<init>");
    let constructors = frames.iter().take_while(is_constructor).filter_map(method);
    let class = class.map(|class| class.replace('.', "/"));
    let (mut of_jdk, mut of_class) = (0, None);
    for (at, constructor) in constructors.enumerate() {
        if constructor.class.starts_with("java/lang/") && of_jdk == at {
            of_jdk = at + 1;
        }
        if class.as_deref() == Some(&*constructor.class) {
            of_class = Some(at + 1);
        }
    }
    &frames[of_class.unwrap_or(of_jdk)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_of_the_exception_are_no_frames_of_its_maker() {
        let method = |class: &str, name: &str| SampledMethod {
            class: class.into(),
            name: name.into(),
            descriptor: "()V".into(),
        };
        let methods = [
            method("jdk/jfr/internal/instrument/ThrowableTracer", "traceThrowable"),
            method("java/lang/Throwable", "<init>"),
            method("java/lang/Exception", "<init>"),
            method("p/Failure", "<init>"),
            method("p/Work", "<init>"),
            method("p/Work", "run"),
        ];
        let of = |frames: &[u32], class| without_constructors(frames, &methods, class).to_vec();
        let failure = Some("p.Failure");
        assert_eq!(of(&[0, 1, 2, 3, 5], failure), [5]);
        // It calls another one of its own constructors.
        assert_eq!(of(&[1, 2, 3, 3, 5], failure), [5]);
        // A constructor of the program makes it.
        assert_eq!(of(&[1, 2, 3, 4, 5], failure), [4, 5]);
        assert_eq!(of(&[1, 2, 4, 5], Some("java.lang.Exception")), [4, 5]);
        // The class is not known: only what is certain is left out.
        assert_eq!(of(&[1, 2, 3, 5], None), [3, 5]);
        assert_eq!(of(&[1, 2], failure), [0_u32; 0]);
        // Not a constructor of Throwable, and a place that is not there.
        assert_eq!(of(&[5, 99], failure), [5, 99]);
        assert_eq!(of(&[], None), [0_u32; 0]);
    }
}
