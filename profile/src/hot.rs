//! What each method costs, over all its places in the tree.

use crate::{Frame, MethodIx, Profile, ThreadIx, Ticks};

/// A method's sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HotMethod {
    /// The method.
    pub method: MethodIx,
    /// Its calls.
    pub calls: u64,
    /// Time in itself.
    pub self_time: Ticks,
    /// Time in itself and all that it called, the time of recursive calls counted once.
    pub total_time: Ticks,
}

/// The methods that were called on the selected threads, most self time first (then most calls, then by place).
pub fn hot_methods(profile: &Profile, select: impl Fn(ThreadIx) -> bool) -> Vec<HotMethod> {
    let tree = &profile.tree;
    let sum = |method| HotMethod { method, calls: 0, self_time: Ticks(0), total_time: Ticks(0) };
    let mut sums: Vec<HotMethod> = (0..profile.methods.len() as u32).map(|at| sum(MethodIx(at))).collect();
    // Where the outermost open frame of each method ends; the walk is in preorder, so within it all frames are inner ones.
    let mut inside_until = vec![0; sums.len()];
    for root in tree.roots() {
        if matches!(tree.frame(root), Frame::Thread(thread) if !select(thread)) {
            continue;
        }
        for node in tree.subtree(root).map(crate::NodeIx) {
            let Frame::Method(method) = tree.frame(node) else { continue };
            let sum = &mut sums[method.0 as usize];
            sum.calls = sum.calls.saturating_add(tree.calls(node));
            sum.self_time += tree.self_time(node);
            let until = &mut inside_until[method.0 as usize];
            if node.0 >= *until {
                sum.total_time += tree.total_time(node);
                *until = tree.subtree(node).end;
            }
        }
    }
    sums.retain(|sum| sum.calls != 0);
    sums.sort_by(|a, b| (b.self_time, b.calls, a.method).cmp(&(a.self_time, a.calls, b.method)));
    sums
}
