//! Times that can be: no self time is below zero, so no child is longer than its parent.
//!
//! Subtracting costs leaves some self times below zero, more of them the more calls were short. For
//! a node with the self time and the children's totals y_i, whose errors are e_i, and its own total
//! Y with the error E, the times x_i ≥ 0 are sought for which Σ (x_i − y_i)² / e_i² +
//! (Σ x_i − Y)² / E² is least. The condition of Karush, Kuhn and Tucker gives x_i = max(0, y_i −
//! λ·e_i²) and Σ x_i = Y + λ·E², with one λ ≥ 0. Most of the errors of a subtree are in common, so
//! E is about as large as Σ e_i, and a time below zero raises the total more than it lowers its
//! siblings.
//!
//! A first pass finds the totals from the leaves up, a second one shares each total out from the
//! root down.

use jfathom_profile::{Frame, NodeIx, Profile, Tree};

use super::tree_pass::{GRAINS_PER_NANO, grains};
use crate::Times;
use crate::anchor::threads_with_roots;

/// The least error of a time, in nanoseconds: a time without an error could not give way.
const LEAST_ERROR_NANOS: f64 = 1.0 / GRAINS_PER_NANO;
/// The most, for the square to stay a number.
const MOST_ERROR_NANOS: f64 = 1e18;

/// A time that may give way: nanoseconds and the square of their error.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    nanos: f64,
    variance: f64,
}

impl Estimate {
    fn new(nanos: f64, error_nanos: f64) -> Self {
        let error = match error_nanos.is_finite() {
            true => error_nanos.clamp(LEAST_ERROR_NANOS, MOST_ERROR_NANOS),
            false => MOST_ERROR_NANOS,
        };
        Self { nanos, variance: error * error }
    }

    fn moved(&self, lambda: f64) -> f64 {
        (self.nanos - lambda * self.variance).max(0.0)
    }
}

/// The λ for which the moved parts add up to the total, which moves by its variance; zero for a
/// total that stays.
fn lambda(parts: &[Estimate], total: Estimate) -> f64 {
    let mut lambda = 0.0;
    // Newton's method on a convex function of straight pieces. Each step but the last takes at
    // least one part to zero.
    for _ in 0..=parts.len() {
        let (mut excess, mut slope) = (-total.nanos - lambda * total.variance, total.variance);
        for part in parts {
            let moved = part.moved(lambda);
            if moved > 0.0 {
                excess += moved;
                slope += part.variance;
            }
        }
        if excess <= 0.0 || slope <= 0.0 {
            break;
        }
        lambda += excess / slope;
    }
    lambda
}

/// Replaces the times of all nodes by times that can be. Totals of roots that an anchor measured
/// stay.
pub(super) fn constrain(profile: &Profile, times: &mut [Times]) {
    let tree = &profile.tree;
    let anchored = profile.anchor.map(|_| threads_with_roots(profile)).unwrap_or_default();
    for root in tree.roots() {
        let mut rows = tree.subtree(root);
        if rows.any(|node| times[node as usize].self_nanos < 0.0) {
            let is_anchored = match tree.frame(root) {
                Frame::Thread(thread) => anchored.get(thread.0 as usize) == Some(&true),
                Frame::Method(_) | Frame::Task(_) => false,
            };
            constrain_thread(tree, root, times, is_anchored);
        }
    }
}

/// A part takes no longer than the whole may: narrows bars that reach zero and beyond that.
pub(super) fn bound_bars(tree: &Tree, times: &mut [Times]) {
    // The most that each node of the path may take.
    let mut most: Vec<f64> = Vec::new();
    for node in tree.nodes() {
        most.truncate(tree.depth(node) as usize);
        let of_caller = most.last().copied().unwrap_or(f64::INFINITY);
        let times = &mut times[node.0 as usize];
        times.total_error_nanos = bounded(times.total_nanos, times.total_error_nanos, of_caller);
        let total = times.total_nanos + times.total_error_nanos;
        times.self_error_nanos = bounded(times.self_nanos, times.self_error_nanos, total);
        most.push(total);
    }
}

/// The error bar of `nanos`, which are at most `most`. One that reaches zero still does.
fn bounded(nanos: f64, error: f64, most: f64) -> f64 {
    if error < nanos { error } else { error.min((most - nanos).max(nanos)) }
}

fn constrain_thread(tree: &Tree, root: NodeIx, times: &mut [Times], is_anchored: bool) {
    let first = root.0 as usize;
    let rows = tree.subtree(root);
    // The totals that the leaves allow, by row. Where nothing is below zero they stay.
    let mut totals: Vec<f64> = rows.clone().map(|node| times[node as usize].total_nanos).collect();
    let mut parts = Vec::new();
    for node in rows.clone().rev().map(NodeIx) {
        let own = times[node.0 as usize];
        let gave_way =
            |child: NodeIx| totals[child.0 as usize - first] != times[child.0 as usize].total_nanos;
        if own.self_nanos >= 0.0 && !tree.children(node).any(gave_way) {
            continue;
        }
        fill(&mut parts, tree, node, times, &totals[..], first);
        let total = match tree.frame(node) {
            // Calls on one thread, one after another: none of them bounds another.
            Frame::Thread(_) => parts.iter().map(|part| part.nanos.max(0.0)).sum(),
            _ => {
                let mut total = Estimate::new(own.total_nanos, own.total_error_nanos);
                if is_anchored && tree.depth(node) == 1 {
                    total.variance = 0.0;
                }
                let lambda = lambda(&parts, total);
                parts.iter().map(|part| part.moved(lambda)).sum()
            }
        };
        totals[node.0 as usize - first] = grains(total);
    }
    for node in rows.map(NodeIx) {
        let own = times[node.0 as usize];
        let total_nanos = totals[node.0 as usize - first];
        fill(&mut parts, tree, node, times, &totals, first);
        let is_kept = own.self_nanos >= 0.0
            && total_nanos == parts.iter().map(|part| part.nanos).sum::<f64>();
        let mut self_nanos = own.self_nanos;
        if !is_kept {
            let lambda = lambda(&parts, Estimate { nanos: total_nanos, variance: 0.0 });
            parts.iter_mut().for_each(|part| part.nanos = grains(part.moved(lambda)));
            let rest = total_nanos - parts.iter().map(|part| part.nanos).sum::<f64>();
            // What rounding has left goes to a part that has time.
            let largest = parts.iter_mut().max_by(|a, b| a.nanos.total_cmp(&b.nanos));
            largest.into_iter().for_each(|part| part.nanos += rest);
            self_nanos = parts[0].nanos;
            for (child, part) in tree.children(node).zip(&parts[1..]) {
                totals[child.0 as usize - first] = part.nanos;
            }
        }
        times[node.0 as usize] = own.moved_to(self_nanos, total_nanos);
    }
}

/// The self time of a node, and behind it the totals of its children.
fn fill(
    parts: &mut Vec<Estimate>,
    tree: &Tree,
    node: NodeIx,
    times: &[Times],
    totals: &[f64],
    first: usize,
) {
    let own = &times[node.0 as usize];
    parts.clear();
    parts.push(Estimate::new(own.self_nanos, own.self_error_nanos));
    parts.extend(tree.children(node).map(|child| {
        let at = child.0 as usize;
        Estimate::new(totals[at - first], times[at].total_error_nanos)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_give_way_by_their_variances_and_add_up() {
        let parts =
            [Estimate::new(-10.0, 10.0), Estimate::new(50.0, 10.0), Estimate::new(20.0, 1.0)];
        let total = Estimate::new(60.0, 20.0);
        let lambda = lambda(&parts, total);
        let moved: Vec<f64> = parts.iter().map(|part| part.moved(lambda)).collect();
        assert_eq!(moved[0], 0.0);
        let sum: f64 = moved.iter().sum();
        assert!((sum - (60.0 + lambda * 400.0)).abs() < 1e-9, "{sum}");
        assert!(sum > 67.0 && sum < 70.0, "the total is raised more than the others are lowered");
        assert!((50.0 - moved[1]) / (20.0 - moved[2]) > 99.0);
    }

    #[test]
    fn what_cannot_be_shared_out_goes_to_zero() {
        let parts = [Estimate::new(3.0, f64::INFINITY), Estimate::new(f64::NAN, 1.0)];
        let nothing = Estimate { nanos: 0.0, variance: 0.0 };
        let lambda = lambda(&parts, nothing);
        assert!(parts.iter().all(|part| part.moved(lambda) < 1e-9));
    }
}
