//! Call paths with their self times and calls: what formats with samples are made of.

use crate::frame::FrameFacts;
use jfathom_profile::{Frame, NodeIx};
use jfathom_views::Shown;
use std::collections::HashMap;

/// The call paths of each thread that is shown.
#[derive(Debug)]
pub(crate) struct Contexts {
    pub threads: Vec<ThreadContexts>,
    /// What [`Context::frame`] refers to.
    pub frames: Vec<FrameFacts>,
}

/// The call paths of a thread, or of all threads if they are merged.
#[derive(Debug)]
pub(crate) struct ThreadContexts {
    /// `main #1`, `all threads`.
    pub name: String,
    /// Java's thread id; 0 for several threads.
    pub java_id: u64,
    /// Process id of its JVM; that of the first one for merged threads.
    pub pid: u64,
    /// Call paths in preorder.
    pub contexts: Vec<Context>,
}

/// A call path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Its last frame.
    pub frame: u32,
    /// Frames below it in the stack.
    pub depth: u32,
    /// Timed and counted calls.
    pub calls: u64,
    /// Self time.
    pub self_nanos: u64,
}

/// The place of each call path's caller in the list; none at the bottom of a stack.
pub(crate) fn callers(contexts: &[Context]) -> Vec<Option<usize>> {
    let mut path: Vec<usize> = Vec::new();
    let places = contexts.iter().zip(0..).map(|(context, at)| {
        path.truncate(context.depth as usize);
        let caller = path.last().copied();
        path.push(at);
        caller
    });
    places.collect()
}

impl ThreadContexts {
    /// The sum of what its call paths weigh.
    pub fn sum(&self, weight: impl Fn(&Context) -> u64) -> u64 {
        self.contexts.iter().map(weight).fold(0, u64::saturating_add)
    }
}

impl Context {
    pub fn is_empty(&self) -> bool {
        self.calls == 0 && self.self_nanos == 0
    }
}

impl Contexts {
    /// Whether any call path has a time.
    pub fn have_times(&self) -> bool {
        self.threads.iter().any(|thread| thread.sum(|context| context.self_nanos) > 0)
    }

    pub fn of(shown: &Shown) -> Self {
        let mut contexts = Self { threads: Vec::new(), frames: Vec::new() };
        let mut places: HashMap<Frame, u32> = HashMap::new();
        for root in &shown.roots {
            let nodes = shown.tree.subtree(*root);
            let is_thread = match shown.tree.frame(*root) {
                Frame::Thread(_) => true,
                Frame::Method(_) | Frame::Task(_) => false,
            };
            if is_thread || contexts.threads.is_empty() {
                contexts.threads.push(thread(shown, *root));
            }
            for node in nodes.skip(usize::from(is_thread)).map(NodeIx) {
                let frame = shown.tree.frame(node);
                let place = *places.entry(frame).or_insert_with(|| {
                    contexts.frames.push(FrameFacts::of(shown, frame));
                    contexts.frames.len() as u32 - 1
                });
                let context = Context {
                    frame: place,
                    depth: shown.tree.depth(node) - u32::from(is_thread),
                    calls: shown.tree.calls(node),
                    self_nanos: shown.self_time(node).round() as u64,
                };
                if let Some(thread) = contexts.threads.last_mut() {
                    thread.contexts.push(context);
                }
            }
        }
        contexts
    }
}

fn thread(shown: &Shown, root: NodeIx) -> ThreadContexts {
    let jvms = &shown.profile.meta.jvms;
    let frame = shown.tree.frame(root);
    let facts = match frame {
        Frame::Thread(thread) => shown.profile.threads.get(thread.0 as usize),
        Frame::Method(_) | Frame::Task(_) => None,
    };
    let jvm = jvms.get(facts.map_or(0, |facts| facts.jvm as usize));
    let name = match frame {
        Frame::Thread(_) => shown.frame_name(frame),
        Frame::Method(_) | Frame::Task(_) => "all threads".to_owned(),
    };
    ThreadContexts {
        name: name.strip_prefix("thread ").map_or_else(|| name.clone(), str::to_owned),
        java_id: facts.map_or(0, |facts| facts.thread_id),
        pid: jvm.map_or(0, |jvm| jvm.pid),
        contexts: Vec::new(),
    }
}
