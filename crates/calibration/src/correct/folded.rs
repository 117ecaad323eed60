//! What calls take from callers that were folded.
//!
//! Below a summary node all methods are siblings. A call's share is its caller's all the same. How
//! many calls each of them made is known, but not of which methods: each call takes the mean of all
//! that are there.

use std::{collections::HashMap, ops::Range};

use jfathom_profile::{Metric, NodeIx, Tree};

use super::node::CallerShare;

/// By node: what its calls take from it, for nodes directly below a summary node, and what those
/// take from its parent, for summary nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct FoldedShares(HashMap<u32, CallerShare>);

impl FoldedShares {
    /// The shares in some nodes of a tree. `share` has what the calls of a node take from their
    /// caller.
    pub(super) fn new(
        tree: &Tree,
        nodes: Range<u32>,
        share: impl Fn(NodeIx) -> Option<CallerShare>,
    ) -> Self {
        let mut shares = HashMap::new();
        for summary in tree.summary_nodes_in(nodes) {
            let all: CallerShare = tree.children(summary).filter_map(&share).sum();
            let nodes = || std::iter::once(summary).chain(tree.children(summary));
            let made: u64 = nodes().map(|node| tree.number(Metric::CallsBeside, node)).sum();
            for node in nodes().filter(|node| tree.number(Metric::CallsBeside, *node) != 0) {
                let part = tree.number(Metric::CallsBeside, node) as f64 / made as f64;
                shares.insert(node.0, all.scaled(part));
            }
            // Nodes without a share take none from their parent either.
            for node in nodes() {
                shares.entry(node.0).or_default();
            }
        }
        Self(shares)
    }

    /// The share of a node; none for a node that is in no fold.
    #[inline]
    pub(super) fn of(&self, node: NodeIx) -> Option<&CallerShare> {
        if self.0.is_empty() { None } else { self.0.get(&node.0) }
    }
}

#[cfg(test)]
mod tests {
    use jfathom_profile::{Builder, Context, Frame, MethodNames, Profile, TickRate};
    use jfathom_testkit::{Random, records::*, small_profile};

    /// Calls without end, of 20 methods, each of which calls few others.
    fn profile(bound: Option<u64>) -> Profile {
        let mut builder = Builder::new();
        bound.iter().for_each(|bytes| builder.set_max_memory(*bytes));
        let thread = builder.thread(&info(1, "main"));
        let mut random = Random(5);
        let mut stack: Vec<u32> = Vec::new();
        let mut words = Vec::new();
        for at in 0..60_000 {
            let time = at * 100 + random.below(90);
            let top = stack.last().copied().unwrap_or(0);
            let is_exit = random.below(100) < 30 + 4 * stack.len() as u64;
            words.push(match is_exit.then(|| stack.pop()).flatten() {
                Some(top) => r(top, time).encode(),
                None => {
                    stack.push(1 + (top * 3 + random.below(5) as u32) % 20);
                    e(stack[stack.len() - 1], time).encode()
                }
            });
        }
        builder.feed(thread, &words);
        let like = small_profile::calibrated();
        let context = Context {
            meta: like.meta,
            rate: TickRate::NANOS,
            names: &MethodNames::default(),
            virtual_calls: &[],
        };
        builder.finish(context)
    }

    /// Corrected self times by method, and the corrected time of all.
    fn corrected(profile: &Profile) -> (Vec<f64>, f64) {
        let times = super::super::correct_times(profile).unwrap();
        let mut by_id = vec![0.0; 21];
        for node in profile.tree.nodes() {
            if let Frame::Method(method) = profile.tree.frame(node) {
                let id = profile.method(method).id.get() as usize;
                if let Some(sum) = by_id.get_mut(id) {
                    *sum += times.node(node).self_nanos;
                } else {
                    assert_eq!(times.node(node).self_nanos, 0.0, "a summary node has no time");
                }
            }
        }
        let roots = profile.tree.roots();
        (by_id, roots.map(|root| times.node(root).total_nanos).sum())
    }

    #[test]
    fn what_is_folded_takes_from_its_callers_as_before() {
        let (free, bound) = (profile(None), profile(Some(500_000)));
        let summaries = bound.tree.summary_nodes().count();
        assert!(
            summaries > 3 && bound.tree.len() < free.tree.len() / 3 * 2,
            "{summaries} summaries"
        );
        let [(of_free, all_free), (of_bound, all_bound)] = [&free, &bound].map(corrected);
        // Each call takes the mean of all that are there, and residuals depend on that a little.
        let distance = (all_free - all_bound).abs();
        assert!(distance < all_free * 5e-4, "{all_free} and {all_bound}");
        for (method, (free, bound)) in of_free.iter().zip(&of_bound).enumerate() {
            let distance = (free - bound).abs();
            assert!(distance <= free.abs() * 1e-2, "method {method}: {free} and {bound}");
        }
    }
}
