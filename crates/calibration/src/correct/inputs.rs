//! What all passes over a tree need.

use jfathom_profile::{Frame, Jvm, NodeIx, Profile};

use crate::residual::PerCall;
use crate::root_sums::RootSums;
use crate::run_queue::RunQueue;
use crate::waits::WaitingMethods;
use crate::{Costs, Residual, fitted};

/// A run with its costs and assumptions.
pub(super) struct Inputs<'a> {
    pub profile: &'a Profile,
    /// By thread.
    pub costs: Vec<Costs>,
    pub residual: &'a Residual,
    pub nanos_per_tick: f64,
    /// Whether calls are timed by a clock that does not wait for earlier instructions.
    pub has_unordered_clock: bool,
    /// Whether the JVM is later than 17. Its compilers then work as those of 25, where that was
    /// measured.
    is_after_17: bool,
    pub waiting: WaitingMethods,
    /// The residual of a counted call.
    pub counted: PerCall,
    /// By thread.
    run_queues: Vec<RunQueue>,
}

impl<'a> Inputs<'a> {
    /// `costs` has a value for each thread of the profile.
    pub(super) fn new(profile: &'a Profile, costs: Vec<Costs>, residual: &'a Residual) -> Self {
        let counted: u64 = profile.methods.iter().map(|method| method.counted).sum();
        let methods = profile.methods.iter().filter(|method| method.counted > 0);
        let methods = methods.map(|method| {
            // As many counted calls ended by an exception as timed ones before.
            let thrown = method.throws as f64 / method.entries.max(1) as f64;
            (method.counted as f64, method.counted as f64 * thrown)
        });
        let nanos_per_tick = 1e9 / profile.rate.hz() as f64;
        let has_unordered_clock = reads_tsc(profile);
        let is_after_17 = is_after_17(profile);
        Self {
            run_queues: RunQueue::of_threads(profile, nanos_per_tick),
            counted: residual.counted(counted as f64, methods),
            waiting: WaitingMethods::new(profile, nanos_per_tick),
            profile,
            costs,
            residual,
            nanos_per_tick,
            has_unordered_clock,
            is_after_17,
        }
    }

    /// The node's measured self time in nanoseconds.
    pub(super) fn measured_self_nanos(&self, node: NodeIx) -> f64 {
        self.profile.tree.self_time(node).0 as f64 * self.nanos_per_tick
    }

    /// The run-queue delay in a node's self time, in ns, if its thread waited for a processor as
    /// often there as elsewhere; no more than the thread waited in all. A method that waits for
    /// other things could not have run meanwhile.
    #[inline]
    pub(super) fn queued_nanos(&self, node: NodeIx, thread: usize) -> f64 {
        let waits = match self.profile.tree.frame(node) {
            Frame::Method(method) => self.waiting.is_wait(method),
            Frame::Thread(_) | Frame::Task(_) => true,
        };
        let Some(queue) = self.run_queues.get(thread).filter(|_| !waits) else { return 0.0 };
        (self.measured_self_nanos(node) * queue.share).min(queue.nanos)
    }

    /// The run-queue delay of a thread while it was recorded, in ns.
    pub(super) fn queued_nanos_of(&self, thread: usize) -> f64 {
        self.run_queues.get(thread).map_or(0.0, |queue| queue.nanos)
    }

    /// The thread of a root, as an index, if its costs are known.
    pub(super) fn thread_with_costs(&self, root: NodeIx) -> Option<usize> {
        match self.profile.tree.frame(root) {
            Frame::Thread(thread) => Some(thread.0 as usize),
            Frame::Method(_) | Frame::Task(_) => None,
        }
        .filter(|thread| *thread < self.costs.len())
    }

    /// By thread: what late compilation may take, as a share of the thread's measured time without
    /// its waits.
    pub(super) fn late_shares(&self, roots: &[RootSums]) -> Vec<f64> {
        let late = self.residual.late_nanos(self.is_after_17);
        let mut shares = vec![0.0; self.profile.threads.len()];
        for of in roots {
            let Some(share) = shares.get_mut(of.thread) else { continue };
            let nanos = late * (of.calls / fitted::LATE_COMPILATION_CALLS).min(1.0);
            *share = (nanos / (of.measured_nanos - of.waits_nanos).max(1.0)).min(1.0);
        }
        shares
    }
}

fn reads_tsc(profile: &Profile) -> bool {
    first_jvm(profile).is_some_and(|jvm| jvm.clock.is_tsc())
}

/// A version that cannot be read counts as late: its error bars are the larger ones.
fn is_after_17(profile: &Profile) -> bool {
    let feature = first_jvm(profile).and_then(|jvm| {
        let digits = jvm.java_version.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse::<u32>().ok()
    });
    feature.is_none_or(|feature| feature > 17)
}

/// The JVM of the first thread.
fn first_jvm(profile: &Profile) -> Option<&Jvm> {
    profile.threads.first().and_then(|thread| profile.meta.jvms.get(thread.jvm as usize))
}
