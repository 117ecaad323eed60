//! Unflushed calls below a node, which may have made the counted calls that the node has.

use crate::Metric;
use jfathom_plan::MethodId;
use rustc_hash::FxHashMap;

use crate::build::possible_calls::{Callers, PossibleCalls};
use crate::build::tree_builder::TreeBuilder;
use crate::model::frame;

/// Nodes of unflushed calls below one node that are looked at. Where there are more, no caller is
/// certain: they would be looked at again for each node above.
const MOST: usize = 256;

/// The methods of unflushed calls below a node.
#[derive(Default)]
pub(super) struct Unflushed {
    /// Those that are not among the node's counted methods.
    pub callers: Callers,
    /// The nodes of those that have one node below.
    pub certain: FxHashMap<MethodId, u32>,
    /// Those that are among the counted ones.
    both: Vec<MethodId>,
    is_large: bool,
}

impl Unflushed {
    /// Finds those below a node that has these counted calls, in ascending order of methods.
    pub fn find(
        &mut self,
        tree: &TreeBuilder,
        node: u32,
        possible: &mut PossibleCalls,
        counted: &[(MethodId, u64)],
    ) {
        self.certain.clear();
        self.both.clear();
        let found = if counted.is_empty() { Some(Vec::new()) } else { unflushed_below(tree, node) };
        self.is_large = found.is_none();
        let mut found = found.unwrap_or_default();
        found.sort_unstable();
        let is_counted =
            |method: MethodId| counted.binary_search_by_key(&method, |of| of.0).is_ok();
        let mut others = Vec::new();
        for nodes in found.chunk_by(|(method, _), (other, _)| method == other) {
            let [(method, node), rest @ ..] = nodes else { continue };
            if is_counted(*method) {
                self.both.push(*method);
                continue;
            }
            others.push(*method);
            if rest.is_empty() {
                self.certain.insert(*method, *node);
            }
        }
        self.callers.choose(possible, others.into_iter());
    }

    /// Whether a call of this method can be one that was counted, or an unflushed one.
    pub fn is_uncertain(&self, method: MethodId) -> bool {
        self.is_large || self.both.contains(&method)
    }
}

/// The methods and nodes of the calls whose counted calls this node has. None if there are too
/// many.
fn unflushed_below(tree: &TreeBuilder, node: u32) -> Option<Vec<(MethodId, u32)>> {
    let mut found = Vec::new();
    let mut open = vec![node];
    let mut left = MOST;
    while let Some(above) = open.pop() {
        for child in tree.children(above).filter(|child| tree.extra(*child)[Metric::Unflushed] != 0)
        {
            left = left.checked_sub(1)?;
            open.push(child);
            let frame = tree.nodes[child as usize].frame;
            if frame::kind(frame) == frame::METHOD
                && let Some(method) = MethodId::new(frame)
            {
                found.push((method, child));
            }
        }
    }
    Some(found)
}
