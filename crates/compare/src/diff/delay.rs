//! Times without run-queue delay.
//!
//! A thread that shares its processor with another program takes longer by the clock, and not for
//! what it does. Where the delay was observed, two builds are compared without it.

use jfathom_profile::{Frame, NodeIx, Profile, Scheduling};

/// Observed for a smaller part of its time, a thread says little about the rest.
const LEAST_OBSERVED: f64 = 0.5;

/// Whether the delay of all threads was observed that matter, in each run: together they have
/// nine tenths of the time.
pub(super) fn is_observed(profile: &Profile) -> bool {
    (0..profile.run_count()).all(|number| {
        let Some(run) = profile.run(number) else { return false };
        let (mut whole, mut observed) = (0.0, 0.0);
        for root in run.tree.roots() {
            let nanos = run.rate.nanos(run.tree.total_time(root)).0 as f64;
            let Frame::Thread(thread) = run.tree.frame(root) else { continue };
            let seen = run.thread(thread).scheduling;
            let is_enough = |seen: Scheduling| seen.observed_nanos as f64 >= LEAST_OBSERVED * nanos;
            whole += nanos;
            observed += if seen.is_some_and(is_enough) { nanos } else { 0.0 };
        }
        whole > 0.0 && observed >= 0.9 * whole
    })
}

/// Takes the delay out of the self times of a run's nodes, as if each thread had waited for a
/// processor as often in one method as in another. Methods that wait could not have run.
pub(super) fn take_out(run: &Profile, own: &mut [f64]) {
    for root in run.tree.roots() {
        let Frame::Thread(thread) = run.tree.frame(root) else { continue };
        let share = run.thread(thread).scheduling.map_or(0.0, Scheduling::queued_share);
        for node in run.tree.subtree(root) {
            let waits = match run.tree.frame(NodeIx(node)) {
                Frame::Method(method) => run.method(method).info.waits,
                Frame::Thread(_) | Frame::Task(_) => false,
            };
            if let Some(nanos) = own.get_mut(node as usize).filter(|_| !waits) {
                *nanos *= 1.0 - share;
            }
        }
    }
}
