//! How a builder keeps a timeline.

use std::collections::BTreeMap;
use std::sync::Arc;

use jfathom_plan::MethodId;

use super::timeline::{BuilderNode, Timeline};
use super::{Builder, ThreadHandle};
use crate::build::tree_builder::NONE;
use crate::{EventKind, EventName, EventSum, Metric, Ticks, model::frame};

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

impl Builder {
    /// Adds events to those of nodes. Pauses are taken out of the nodes' self times: such time is
    /// no method's own. Nothing may be fed behind.
    pub fn add_events(
        &mut self,
        placed: impl IntoIterator<Item = ((BuilderNode, EventName), EventSum)>,
    ) {
        for ((node, name), sum) in placed {
            if node.0 != NONE && (node.0 as usize) < self.tree.nodes.len() {
                if name.kind.is_pause() {
                    self.take_pause(node.0, sum.time.0);
                }
                self.tree.events.add(node.0, name, sum);
            }
        }
    }

    /// Gives the caught exceptions the names of their classes, by number: from then on they are
    /// events of their nodes. One without a name has none. Nothing may be fed behind.
    pub fn name_caught(&mut self, names: &BTreeMap<u32, Arc<str>>) {
        for (node, class, count) in self.tree.take_caught() {
            let name = EventName { kind: EventKind::Caught, class: names.get(&class).cloned() };
            self.tree.events.add(node, name, EventSum { count, time: Ticks(0) });
        }
    }

    /// Takes a pause out of a node's self time. The kernel told it as blocked time, if it told
    /// anything. Parked threads had no part in it.
    fn take_pause(&mut self, node: u32, ticks: u64) {
        let extra = self.tree.extra(node);
        let Some(of) = self.tree.nodes.get_mut(node as usize) else { return };
        let taken = ticks.min(of.self_ticks.saturating_sub(extra[Metric::Parked]));
        of.self_ticks -= taken;
        if !extra.off_cpu().is_zero() {
            let extra = self.tree.extra_mut(node);
            let blocked = taken.min(extra[Metric::Blocked]);
            extra[Metric::Blocked] -= blocked;
            extra[Metric::Unknown] = extra[Metric::Unknown].saturating_sub(taken - blocked);
        }
    }
}
