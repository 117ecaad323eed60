//! Times of calls that were only counted, by samples.
//!
//! What a counted call does itself is in the self time of the timed call around it. The samples in
//! both say how that time divides. A method that was timed in some calls and counted in others has
//! the part of its samples that its counted calls are of all its calls.
//!
//! Samples are of threads that run. A timed call with fewer samples than its time should have has
//! waited: the wait stays with it.

use std::collections::HashMap;

use jfathom_profile::{Frame, NodeIx, Profile, SampleFrame, SampleIx, Tree};

use super::tree_pass::GRAINS_PER_NANO;
use crate::Times;

/// Standard deviations of a 95 % interval.
const NORMAL_95: f64 = 1.96;
/// Fewer samples divide nothing.
const LEAST_SAMPLES: f64 = 4.0;
/// A self time of which samples account for this part and more was running time. What is missing
/// has not been sampled: threads' phases differ.
const RUNNING_SHARE: f64 = 0.6;
/// The part of a method's samples that is passed on to callers further out no more.
const LEAST_PART: f64 = 0.01;

/// The part of a timed node's samples that is a node's.
struct Part {
    node: NodeIx,
    samples: f64,
}

/// Divides the self times of timed calls among the calls that were counted in them. Totals of timed
/// calls stay.
pub(super) fn divide(profile: &Profile, times: &mut [Times]) {
    let tree = &profile.tree;
    let samples = own_samples(profile);
    if samples.is_empty() {
        return;
    }
    let callers = callers(tree);
    let mut owners: Vec<(NodeIx, Vec<Part>)> =
        parts(tree, &callers, &samples).into_iter().collect();
    owners.sort_unstable_by_key(|(owner, _)| *owner);
    let nanos_per_sample = nanos_per_sample(profile);
    let before: Vec<Times> = owners.iter().map(|(owner, _)| times[owner.0 as usize]).collect();
    let mut sampled_variances: HashMap<NodeIx, f64> = HashMap::new();
    for ((owner, parts), own) in owners.iter().zip(before) {
        let all: f64 = parts.iter().map(|part| part.samples).sum();
        if all < LEAST_SAMPLES || own.self_nanos <= 0.0 {
            continue;
        }
        let running = match nanos_per_sample {
            Some(nanos) if all * nanos < RUNNING_SHARE * own.self_nanos => all * nanos,
            _ => own.self_nanos,
        };
        let mut left = 1.0;
        for part in parts.iter().filter(|part| part.node != *owner) {
            let share = part.samples / all;
            let nanos = grains(share * running);
            let sampling_error = running * share_error(share, all);
            left -= share;
            let at = &mut times[part.node.0 as usize];
            at.self_nanos += nanos;
            at.self_error_nanos =
                (at.self_error_nanos + share * own.self_error_nanos).hypot(sampling_error);
            at.self_between_runs_nanos += share * own.self_between_runs_nanos;
            times[owner.0 as usize].self_nanos -= nanos;
            let mut above = part.node;
            while above != *owner {
                let at = &mut times[above.0 as usize];
                at.total_nanos += nanos;
                at.total_error_nanos += share * own.self_error_nanos;
                at.total_between_runs_nanos += share * own.self_between_runs_nanos;
                *sampled_variances.entry(above).or_default() += sampling_error * sampling_error;
                above = NodeIx(callers[above.0 as usize]);
            }
        }
        let at = &mut times[owner.0 as usize];
        let kept = (1.0 - (1.0 - left) * running / own.self_nanos).clamp(0.0, 1.0);
        let without = |now: f64, own: f64| (now - (1.0 - kept) * own).max(0.0);
        at.self_error_nanos = without(at.self_error_nanos, own.self_error_nanos)
            .hypot(running * share_error(left, all));
        at.self_between_runs_nanos =
            without(at.self_between_runs_nanos, own.self_between_runs_nanos);
    }
    for (node, variance) in sampled_variances {
        let at = &mut times[node.0 as usize];
        at.total_error_nanos = at.total_error_nanos.hypot(variance.sqrt());
    }
}

/// The running time of a thread for which a sample stands, stretched to the time before sampling
/// began; none if that is not known.
fn nanos_per_sample(profile: &Profile) -> Option<f64> {
    let samples = &profile.stack_samples;
    let [period, sampled, spanned] =
        [samples.period_nanos, samples.sampled_nanos, samples.spanned_nanos].map(|of| of as f64);
    (period > 0.0 && sampled > 0.0).then(|| period * (spanned / sampled).max(1.0))
}

/// Half of the 95 % interval of a share of so many samples (Wilson's, without its shift).
fn share_error(share: f64, all: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    let z2 = NORMAL_95 * NORMAL_95;
    NORMAL_95 * (share * (1.0 - share) / all + z2 / (4.0 * all * all)).sqrt() / (1.0 + z2 / all)
}

/// Samples of running threads by node: of the node itself and of frames without a probe below it.
/// Empty if there are none.
fn own_samples(profile: &Profile) -> HashMap<NodeIx, f64> {
    let (tree, sampled) = (&profile.tree, &profile.stack_samples.tree);
    let mut own = HashMap::new();
    let mut open: Vec<(NodeIx, SampleIx)> = Vec::new();
    let roots: HashMap<Frame, NodeIx> = tree.roots().map(|root| (tree.frame(root), root)).collect();
    let recorded = |of: SampleIx| match sampled.node(of).frame {
        SampleFrame::Recorded(frame) => Some(frame),
        SampleFrame::Sampled(_) => None,
    };
    open.extend(sampled.roots().filter_map(|of| Some((*roots.get(&recorded(of)?)?, of))));
    while let Some((node, of)) = open.pop() {
        let mut running = sampled.node(of).own.running;
        let mut below: HashMap<Frame, SampleIx> = HashMap::new();
        for child in sampled.children(of) {
            match recorded(child) {
                Some(frame) => drop(below.insert(frame, child)),
                None => running += sampled.total(child).running,
            }
        }
        if running > 0 {
            own.insert(node, running as f64);
        }
        if !below.is_empty() {
            let children = tree.children(node);
            open.extend(children.filter_map(|at| Some((at, *below.get(&tree.frame(at))?))));
        }
    }
    own
}

/// By node: the one above it; a root has itself.
fn callers(tree: &Tree) -> Vec<u32> {
    let mut path: Vec<u32> = Vec::new();
    let caller = |node: NodeIx| {
        path.truncate(tree.depth(node) as usize);
        let caller = path.last().copied().unwrap_or(node.0);
        path.push(node.0);
        caller
    };
    tree.nodes().map(caller).collect()
}

/// Whose time samples are, by the timed node in whose self time they are.
fn parts(
    tree: &Tree,
    callers: &[u32],
    samples: &HashMap<NodeIx, f64>,
) -> HashMap<NodeIx, Vec<Part>> {
    let mut parts: HashMap<NodeIx, Vec<Part>> = HashMap::new();
    let mut sorted: Vec<(NodeIx, f64)> = samples.iter().map(|(node, of)| (*node, *of)).collect();
    sorted.sort_unstable_by_key(|(node, _)| *node);
    for (node, samples) in sorted {
        let mut left = samples;
        let mut owner = node;
        // The outermost one so far that has time of its own.
        let mut outermost = None;
        while !matches!(tree.frame(owner), Frame::Thread(_)) {
            let timed = timed_share(tree, owner);
            if timed > 0.0 {
                outermost = Some(owner);
                let part =
                    if left * (1.0 - timed) < LEAST_PART * samples { left } else { left * timed };
                parts.entry(owner).or_default().push(Part { node, samples: part });
                left -= part;
                if left <= 0.0 {
                    break;
                }
            }
            let caller = NodeIx(callers[owner.0 as usize]);
            if caller == owner {
                break;
            }
            owner = caller;
        }
        if let Some(of_owner) = outermost.and_then(|owner| parts.get_mut(&owner))
            && let Some(last) = of_owner.last_mut()
        {
            last.samples += left.max(0.0);
        }
    }
    parts
}

/// The part of a node's calls that have a time of their own.
fn timed_share(tree: &Tree, node: NodeIx) -> f64 {
    if !matches!(tree.frame(node), Frame::Method(_)) {
        return 1.0;
    }
    match tree.calls(node) {
        // A call that is open, or one that samples alone show.
        0 => f64::from(u8::from(!tree.has_callers_time(node))),
        calls => tree.timed(node) as f64 / calls as f64,
    }
}

/// Rounded down to what adds up exactly.
fn grains(nanos: f64) -> f64 {
    (nanos * GRAINS_PER_NANO).floor() / GRAINS_PER_NANO
}
