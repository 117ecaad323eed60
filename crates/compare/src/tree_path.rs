//! The call path to the current node of a traversal in preorder.

use jfathom_profile::SumNode;

/// The places in a sum of the nodes on the path, by depth; none for a node that has no place. The
/// children of such a node go to its nearest ancestor that has one.
#[derive(Debug, Default)]
pub(crate) struct TreePath(Vec<Option<SumNode>>);

impl TreePath {
    /// Enters a node of this depth. `place` gets the place of its parent in the sum and gives the
    /// node's own, or none to leave it out.
    pub(crate) fn push(
        &mut self,
        depth: u32,
        place: impl FnOnce(Option<SumNode>) -> Option<SumNode>,
    ) -> Option<SumNode> {
        self.0.truncate(depth as usize);
        let parent = self.0.last().copied().flatten();
        let place = place(parent);
        self.0.push(place.or(parent));
        place
    }
}
