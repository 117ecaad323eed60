//! The time in which threads waited: samples are of running threads.

use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, NodeIx, Profile, Scheduling};

/// A method that calls something that waits is taken to have waited if its calls take longer than
/// this in the mean, in ns. A wait costs two switches of threads, which take some microseconds.
const SHORTEST_WAIT_NANOS: f64 = 20_000.0;

/// What is known of waits in a profile.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waits {
    /// By node: nanoseconds of the self time in which a thread waited, and the error of that. Empty
    /// if no node waited.
    nodes: Vec<(f64, f64)>,
    /// The sum over the nodes.
    pub taken_nanos: f64,
    /// What threads waited in nodes of which it is not known.
    pub unexplained_nanos: f64,
}

impl Waits {
    pub fn of(profile: &Profile, corrected: &CorrectedTimes) -> Self {
        let mut waits = Self { nodes: vec![(0.0, 0.0); profile.tree.len()], ..Self::default() };
        for root in profile.tree.roots() {
            let Frame::Thread(thread) = profile.tree.frame(root) else { continue };
            let thread = profile.thread(thread);
            let nodes = profile.tree.subtree(root);
            if thread.is_virtual() {
                waits.add_parked(profile, nodes);
                continue;
            }
            let nanos = |ticks: jfathom_profile::Ticks| ticks.0 as f64 * nanos_per_tick(profile);
            let outside = nanos(thread.unattributed);
            let excluded = nanos(thread.excluded);
            let waiting: Vec<(u32, f64)> = nodes
                .map(|node| (node, waiting_nanos(profile, corrected, NodeIx(node))))
                .filter(|(_, nanos)| *nanos > 0.0)
                .collect();
            waits.add_thread(thread.scheduling, &waiting, outside, excluded);
        }
        waits
    }

    /// What a node waited, and the error of that, in ns.
    pub fn node(&self, node: NodeIx) -> (f64, f64) {
        self.nodes.get(node.0 as usize).copied().unwrap_or_default()
    }

    /// The sum of the errors, in ns.
    pub fn error_nanos(&self) -> f64 {
        self.nodes.iter().map(|(_, error)| error).sum()
    }

    /// Virtual threads leave their carriers when they wait, which the recording may have seen.
    fn add_parked(&mut self, profile: &Profile, nodes: std::ops::Range<u32>) {
        for node in nodes {
            let parked = profile.tree.parked(NodeIx(node)).0 as f64 * nanos_per_tick(profile);
            self.nodes[node as usize] = (parked, 0.0);
            self.taken_nanos += parked;
        }
    }

    /// Spreads what a thread was off the processor, and not for want of one, over its nodes that
    /// may have waited. `outside` is its time outside all nodes, where it may have waited, too.
    fn add_thread(
        &mut self,
        scheduling: Option<Scheduling>,
        waiting: &[(u32, f64)],
        outside: f64,
        excluded: f64,
    ) {
        let possible: f64 = waiting.iter().map(|(_, nanos)| nanos).sum();
        let Some(scheduling) = scheduling.filter(|found| found.observed_nanos > 0) else {
            // Nobody looked: all of it may be waits, or none.
            for (node, nanos) in waiting {
                self.nodes[*node as usize] = (0.0, *nanos);
            }
            return;
        };
        let busy = scheduling.ran_nanos.saturating_add(scheduling.queued_nanos);
        let blocked = scheduling.observed_nanos.saturating_sub(busy) as f64 - excluded;
        let blocked = blocked.max(0.0);
        let (least, most) = ((blocked - outside).max(0.0).min(possible), blocked.min(possible));
        let inside = match possible + outside {
            all if all > 0.0 => (blocked * possible / all).clamp(least, most),
            _ => 0.0,
        };
        self.unexplained_nanos += (blocked - outside - possible).max(0.0);
        self.taken_nanos += inside;
        for (node, nanos) in waiting {
            let part = nanos / possible;
            // Which of several nodes waited is not known, nor where between the bounds it lies.
            let spread = inside.min(*nanos) * (1.0 - part) * 0.5;
            let range = part * (most - least) * 0.5;
            self.nodes[*node as usize] = (inside * part, spread + range);
        }
    }
}

fn nanos_per_tick(profile: &Profile) -> f64 {
    1e9 / profile.rate.hz() as f64
}

/// The self time of a node that may have waited.
fn waiting_nanos(profile: &Profile, corrected: &CorrectedTimes, node: NodeIx) -> f64 {
    let Frame::Method(method) = profile.tree.frame(node) else { return 0.0 };
    let nanos = corrected.node(node).self_nanos;
    let calls = profile.tree.timed(node).max(1) as f64;
    let has_waited = profile.method(method).info.waits && nanos >= SHORTEST_WAIT_NANOS * calls;
    if has_waited { nanos } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(
        scheduling: Option<[u64; 3]>,
        waiting: &[(u32, f64)],
        outside: f64,
    ) -> (Waits, Vec<(f64, f64)>) {
        let mut waits = Waits { nodes: vec![(0.0, 0.0); 4], ..Waits::default() };
        let scheduling = scheduling.map(|[observed_nanos, ran_nanos, queued_nanos]| Scheduling {
            observed_nanos,
            ran_nanos,
            queued_nanos,
            involuntary_switches: 0,
        });
        waits.add_thread(scheduling, waiting, outside, 0.0);
        let nodes = waits.nodes.clone();
        (waits, nodes)
    }

    #[test]
    fn the_only_node_that_may_have_waited_did() {
        let (waits, nodes) = with(Some([1000, 300, 100]), &[(2, 700.0)], 0.0);
        assert_eq!(nodes[2], (600.0, 0.0));
        assert_eq!((waits.taken_nanos, waits.unexplained_nanos), (600.0, 0.0));
    }

    #[test]
    fn waits_beyond_what_could_wait_are_not_explained() {
        let (waits, nodes) = with(Some([1000, 100, 0]), &[(1, 200.0)], 100.0);
        assert_eq!(nodes[1].0, 200.0);
        assert_eq!(waits.unexplained_nanos, 600.0);
    }

    #[test]
    fn waits_that_may_have_been_outside_are_uncertain() {
        let (_, nodes) = with(Some([1000, 500, 0]), &[(1, 400.0)], 600.0);
        assert_eq!(nodes[1], (200.0, 200.0));
    }

    #[test]
    fn without_a_look_nothing_is_taken_and_all_is_uncertain() {
        let (waits, nodes) = with(None, &[(1, 400.0)], 0.0);
        assert_eq!((nodes[1], waits.taken_nanos), ((0.0, 400.0), 0.0));
    }
}
