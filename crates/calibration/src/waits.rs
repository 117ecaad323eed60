//! Time in which a thread waits for others, and what those others' probes took of it.
//!
//! A thread that waits for another waits for its probes, too. Which one it waits for is not
//! recorded: the part of the other threads' busy time that went into their probes is taken for the
//! part of the wait that did. The perturbation analysis of Malony, Reed and Wijshoff (IEEE TPDS
//! 3(4), 1992) would need the pairs of synchronising events. It is taken out of the
//! wait, and stands beside it as its half width, with the doubt of those threads' times: the wait
//! may have been for something else.

use jfathom_profile::{Frame, MethodIx, NodeIx, Profile};

use crate::Times;

/// A wait takes this long at least, in nanoseconds a call: threads are not put aside for less.
const LONG: f64 = 50_000.0;
/// No wait is for probes alone.
const MOST: f64 = 0.9;

/// What a thread of the recording did, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    /// In all nodes but those that wait.
    busy: f64,
    /// What its probes took of it.
    probes: f64,
    /// Half width of that.
    bar: f64,
}

/// The part of a thread's waits that went into other threads' probes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WaitShare {
    /// The part.
    pub probes: f64,
    /// Its half width.
    pub bar: f64,
}

/// How much of the node's own measured time is waiting for other threads, in nanoseconds; `tick` is
/// that of the profile's clock.
pub(crate) fn wait(profile: &Profile, node: NodeIx, tick: f64) -> f64 {
    let tree = &profile.tree;
    let waits = |method: MethodIx| {
        profile.methods.get(method.0 as usize).is_some_and(|method| method.info.waits)
    };
    let own = tree.self_time(node).0 as f64 * tick;
    match tree.frame(node) {
        Frame::Method(method) if waits(method) && own >= LONG * tree.calls(node).max(1) as f64 => {
            own
        }
        _ => 0.0,
    }
}

/// For each thread, the part of its waits that went into other threads' probes; `times` are the
/// tree's times before that is taken out.
pub(crate) fn parts(profile: &Profile, times: &[Times], tick: f64) -> Vec<WaitShare> {
    let tree = &profile.tree;
    let mut threads = vec![Thread::default(); profile.threads.len()];
    for root in tree.roots() {
        let Frame::Thread(thread) = tree.frame(root) else { continue };
        let Some(thread) = threads.get_mut(thread.0 as usize) else { continue };
        let measured = tree.total_time(root).0 as f64 * tick;
        let waits: f64 = tree.subtree(root).map(|node| wait(profile, NodeIx(node), tick)).sum();
        let corrected = times.get(root.0 as usize).map_or(measured, |times| times.total_nanos);
        thread.busy += (measured - waits).max(0.0);
        thread.probes += (measured - corrected).max(0.0);
        thread.bar += times.get(root.0 as usize).map_or(0.0, |times| times.total_bar);
    }
    let jvms = profile.threads.iter().map(|thread| thread.jvm as usize + 1).max().unwrap_or(0);
    let mut sums = vec![Thread::default(); jvms];
    for (thread, did) in profile.threads.iter().zip(&threads) {
        let sum = &mut sums[thread.jvm as usize];
        (sum.busy, sum.probes, sum.bar) =
            (sum.busy + did.busy, sum.probes + did.probes, sum.bar + did.bar);
    }
    let part = |(thread, did): (&jfathom_profile::Thread, &Thread)| {
        let sum = sums[thread.jvm as usize];
        let (busy, probes, bar) = (sum.busy - did.busy, sum.probes - did.probes, sum.bar - did.bar);
        let part = |of: f64| if busy > 0.0 { (of / busy).clamp(0.0, MOST) } else { 0.0 };
        WaitShare { probes: part(probes), bar: part(probes).hypot(part(bar)) }
    };
    profile.threads.iter().zip(&threads).map(part).collect()
}
