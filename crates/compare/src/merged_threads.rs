//! Trees of several threads as one tree.

use jfathom_calibration::Times;
use jfathom_profile::{Frame, MergedFrom, NodeIx, Profile, ThreadIx, Tree};

/// The selected threads of a profile as one tree. Its roots are the frames at the bottom of the
/// threads' stacks.
pub fn merge_threads(profile: &Profile, select: impl Fn(ThreadIx) -> bool) -> Tree {
    merge_threads_with(profile, select, &[]).0
}

/// [`merge_threads`] with corrected times, which are added up where nodes come together. `times`
/// are those of the profile's nodes ([`jfathom_calibration::CorrectedTimes::nodes`]). The result
/// has those of the merged tree's nodes, or none if `times` is empty.
pub fn merge_threads_with(
    profile: &Profile,
    select: impl Fn(ThreadIx) -> bool,
    times: &[Times],
) -> (Tree, Vec<Times>) {
    let tree = &profile.tree;
    let mut bottom: Vec<NodeIx> = Vec::new();
    for root in tree.roots() {
        match tree.frame(root) {
            Frame::Thread(thread) if select(thread) => bottom.extend(tree.children(root)),
            Frame::Thread(_) => {}
            Frame::Method(_) | Frame::Task(_) => bottom.push(root),
        }
    }
    merge_groups_with(tree, tree.by_frame(bottom.into_iter()), times)
}

/// The sum of each group of a tree's nodes, with all below them, as the roots of one tree
/// ([`Tree::merge`]). `times` and the result are as in [`merge_threads_with`].
pub fn merge_groups_with(
    tree: &Tree,
    groups: Vec<Vec<NodeIx>>,
    times: &[Times],
) -> (Tree, Vec<Times>) {
    let mut merged_times: Vec<Times> = Vec::new();
    let plus = |sum: Times, node: NodeIx| match times.get(node.0 as usize) {
        Some(times) => sum.plus(*times),
        None => sum,
    };
    let merged = tree.merge(groups, |from| match from {
        _ if times.is_empty() => {}
        MergedFrom::Subtree(node) => {
            let nodes = tree.subtree(node).map(NodeIx);
            merged_times.extend(nodes.map(|node| plus(Times::default(), node)));
        }
        MergedFrom::Sum(nodes) => {
            merged_times.push(nodes.iter().copied().fold(Times::default(), plus));
        }
    });
    (merged, merged_times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{Metric, NodeNumbers, TreeSum};
    use jfathom_testkit::small_profile;

    /// The sum of trees node by node, by their call paths.
    fn added_up(trees: &[&Tree]) -> Tree {
        let mut sum = TreeSum::default();
        for tree in trees {
            let mut path = Vec::new();
            for node in tree.nodes() {
                path.truncate(tree.depth(node) as usize);
                let frame = tree.frame(node);
                let place = match frame {
                    Frame::Thread(_) => None,
                    _ => Some(sum.child(path.last().copied().flatten(), frame)),
                };
                if let Some(place) = place {
                    sum.add(place, &tree.numbers(node));
                }
                path.push(place);
            }
        }
        sum.tree()
    }

    #[test]
    fn equal_call_paths_of_threads_are_added_up() {
        for seed in 0..20 {
            let profiles = [seed, seed + 1, seed, seed + 7].map(small_profile::drawn);
            let trees: Vec<&Tree> = profiles.iter().map(|profile| &profile.tree).collect();
            let expected = added_up(&trees);
            let mut merged = profiles[0].clone();
            merged.tree = Tree::concat(profiles.iter().map(|of| of.tree.clone()).collect());
            assert_eq!(merge_threads(&merged, |_| true), expected);
            let times: Vec<Times> = (0..merged.tree.len())
                .map(|at| Times { self_nanos: at as f64, ..Times::default() })
                .collect();
            let (_, sums) = merge_threads_with(&merged, |_| true, &times);
            assert_eq!(sums.len(), expected.len());
            let of_threads = merged.tree.roots().map(|root| f64::from(root.0)).sum::<f64>();
            let all = |times: &[Times]| times.iter().map(|times| times.self_nanos).sum::<f64>();
            assert_eq!(all(&sums), all(&times) - of_threads);
        }
    }

    #[test]
    fn a_node_with_many_children_is_merged_with_another() {
        let wide = |methods: &[u32]| {
            let mut sum = TreeSum::default();
            for method in methods {
                let node = sum.child(None, Frame::Method(jfathom_profile::MethodIx(*method)));
                sum.add(node, &NodeNumbers::of(&[(Metric::Timed, 1)]));
            }
            sum.tree()
        };
        let up: Vec<u32> = (0..100).collect();
        let down: Vec<u32> = (50..150).rev().collect();
        let trees = [wide(&up), wide(&down)];
        let both = Tree::concat(trees.to_vec());
        let groups = both.by_frame(both.roots());
        let merged = merge_groups_with(&both, groups, &[]).0;
        assert_eq!(merged, added_up(&[&trees[0], &trees[1]]));
        assert_eq!(merged.len(), 150);
    }
}
