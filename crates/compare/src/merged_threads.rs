//! Trees of several threads as one tree.

use jfathom_calibration::Times;
use jfathom_profile::{Frame, NodeIx, Profile, ThreadIx, Tree, TreeSum};

use crate::tree_path::TreePath;

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
    merge_roots_with(profile, select, |_| None, times)
}

/// The selected threads of a profile, those that `root` gives the same thread as one tree. A thread
/// to which it gives none is left out of the tree: the frames at the bottom of its stacks are
/// roots. `times` are as in [`merge_threads_with`].
pub fn merge_roots_with(
    profile: &Profile,
    select: impl Fn(ThreadIx) -> bool,
    root: impl Fn(ThreadIx) -> Option<ThreadIx>,
    times: &[Times],
) -> (Tree, Vec<Times>) {
    let tree = &profile.tree;
    let mut merged = TreeSum::default();
    let mut sums: Vec<Times> = Vec::new();
    let mut path = TreePath::default();
    for top in tree.roots() {
        if matches!(tree.frame(top), Frame::Thread(thread) if !select(thread)) {
            continue;
        }
        for node in tree.subtree(top).map(NodeIx) {
            let place = path.push(tree.depth(node), |parent| match tree.frame(node) {
                Frame::Thread(thread) => {
                    root(thread).map(|thread| merged.child(parent, Frame::Thread(thread)))
                }
                frame => Some(merged.child(parent, frame)),
            });
            let Some(place) = place else { continue };
            merged.add(place, &tree.numbers(node));
            let Some(corrected) = times.get(node.0 as usize) else { continue };
            if sums.len() <= place.index() {
                sums.resize(place.index() + 1, Times::default());
            }
            let sum = &mut sums[place.index()];
            *sum = sum.plus(*corrected);
        }
    }
    let in_order = merged.preorder().into_iter().filter_map(|node| sums.get(node.index()).copied());
    let in_order = in_order.collect();
    (merged.tree(), in_order)
}
