//! Unflushed calls below a node, which may have made the counted calls that the node has.

use std::collections::{HashMap, HashSet};

use jfathom_plan::MethodId;

use crate::frame;
use crate::possible_calls::{Callers, PossibleCalls};
use crate::tree_builder::TreeBuilder;

/// Nodes of unflushed calls below one node that are looked at. Where there are more, no caller is
/// certain: they would be looked at again for each node above.
const MOST: usize = 256;

/// The methods of unflushed calls below a node.
#[derive(Default)]
pub(super) struct Unflushed {
    /// The node's counted methods and these. None if there are no unflushed calls.
    pub callers: Option<Callers>,
    /// The nodes of those that have one node below, and are not among the counted ones.
    pub certain: HashMap<MethodId, u32>,
    /// Those that are among the counted ones.
    both: HashSet<MethodId>,
    is_large: bool,
}

impl Unflushed {
    pub fn new(
        tree: &TreeBuilder,
        node: u32,
        possible: &mut PossibleCalls,
        counted: &[(MethodId, u64)],
    ) -> Self {
        if counted.is_empty() {
            return Self::default();
        }
        let Some(nodes) = unflushed_below(tree, node) else {
            return Self { is_large: true, ..Self::default() };
        };
        if nodes.is_empty() {
            return Self::default();
        }
        let counted: HashSet<MethodId> = counted.iter().map(|of| of.0).collect();
        let more = nodes.keys().filter(|method| !counted.contains(method));
        let callers = Callers::new(possible, counted.iter().chain(more).copied());
        let both = nodes.keys().filter(|method| counted.contains(method)).copied().collect();
        let only = |(method, node): (MethodId, Option<u32>)| {
            node.filter(|_| !counted.contains(&method)).map(|node| (method, node))
        };
        let certain = nodes.into_iter().filter_map(only).collect();
        Self { callers: Some(callers), certain, both, is_large: false }
    }

    /// Whether a call of this method can be one that was counted, or an unflushed one.
    pub fn is_uncertain(&self, method: MethodId) -> bool {
        self.is_large || self.both.contains(&method)
    }
}

/// The methods of the calls whose counted calls this node has, each with its node if it has
/// only one. None if there are too many nodes.
fn unflushed_below(tree: &TreeBuilder, node: u32) -> Option<HashMap<MethodId, Option<u32>>> {
    let mut found = HashMap::new();
    let mut left = MOST;
    let mut open = vec![node];
    while let Some(above) = open.pop() {
        for child in tree.children(above).filter(|child| tree.extra(*child).unflushed != 0) {
            left = left.checked_sub(1)?;
            open.push(child);
            let frame = tree.nodes[child as usize].frame;
            if frame::kind(frame) == frame::METHOD
                && let Some(method) = MethodId::new(frame)
            {
                found.entry(method).and_modify(|node| *node = None).or_insert(Some(child));
            }
        }
    }
    Some(found)
}
