//! How a builder keeps a timeline.

use jfathom_plan::MethodId;

use super::timeline::{BuilderNode, Timeline};
use super::{Builder, ThreadHandle};
use crate::tree_builder::NONE;
use crate::{Ticks, frame};

impl Builder {
    /// Keeps the calls of `resolution` and more from now on, in so many bytes. When they would take
    /// more, the resolution doubles. Copies of the builder and checkpoints are without them.
    pub fn keep_timeline(&mut self, resolution: Ticks, max_bytes: usize) {
        self.latencies.call_log.begin(resolution.0, max_bytes);
    }

    /// What was kept since [`Builder::keep_timeline`], with the calls that are open; none if
    /// nothing was. No more is kept then, and nodes are those of this builder until it is fed. A
    /// slice has what it has kept itself.
    pub fn take_timeline(&mut self) -> Option<Timeline> {
        if !self.latencies.call_log.is_on() {
            return None;
        }
        self.settle(true);
        let mut log = std::mem::take(&mut self.latencies.call_log);
        for state in self.states() {
            let parent = |at: &u32| Some(self.tree.nodes.get(*at as usize)?.parent);
            let nodes = std::iter::successors(Some(state.current), parent);
            log.add_open(state, nodes.take_while(|at| *at != state.root && *at != NONE));
        }
        Some(Timeline::new(log.take()))
    }

    /// The methods on the stack of a call, outermost first; without those that were folded or are
    /// only counted.
    pub fn methods_to(&self, node: BuilderNode) -> Vec<MethodId> {
        let path = self.tree.path(node.0).into_iter();
        let methods = path.filter(|packed| frame::kind(*packed) == frame::METHOD);
        methods.filter_map(MethodId::new).collect()
    }

    /// The thread's id in the JVM, as a timeline has it; none of a thread that is not there.
    pub fn thread_id(&self, thread: ThreadHandle) -> Option<u64> {
        self.threads.get(thread.0 as usize).map(|state| state.thread_id)
    }
}
