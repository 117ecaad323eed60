//! What threads have allocated, where it is known.

use crate::{Filter, FilterKind, Shown, ShownTree};
use jfathom_compare::HotMethod;
use jfathom_profile::{Bytes, Frame, MethodIx, Metric, NodeIx, Profile};
use std::collections::HashSet;

/// What a focus leaves of callers, where not all methods have read what they allocate, or where it
/// is on one that is only counted. The bytes of calls in focus that have not read are then among
/// the callers' own, which a focus leaves out: nothing is known of these callers.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutsideFocus {
    /// By node of the tree that is shown; empty if there are none.
    nodes: Vec<bool>,
    methods: HashSet<MethodIx>,
}

impl OutsideFocus {
    pub(crate) fn of(profile: &Profile, tree: &ShownTree<'_>, filters: &[Filter]) -> Self {
        let mut outside = Self::default();
        let focuses = filters.iter().filter(|filter| filter.kind == FilterKind::Focus);
        let is_counted =
            |of: &Filter| of.methods.methods().any(|at| profile.method(at).is_only_counted());
        let is_recorded = profile.allocation.is_recorded();
        for focus in focuses.filter(|of| profile.has_unread() || is_recorded && is_counted(of)) {
            outside.nodes.resize(tree.len(), false);
            let mut until = 0;
            for (node, is_outside) in tree.nodes().zip(&mut outside.nodes) {
                let frame = tree.frame(node);
                let is_found = matches!(frame, Frame::Method(of) if focus.methods.contains(of));
                if node.0 >= until && is_found {
                    until = tree.subtree(node).end;
                }
                if node.0 >= until {
                    *is_outside = true;
                    outside.methods.extend(match frame {
                        Frame::Method(method) => Some(method),
                        Frame::Task(_) | Frame::Thread(_) => None,
                    });
                }
            }
        }
        outside
    }
}

impl Shown<'_> {
    /// Bytes that threads have allocated in a node itself, and with its descendants. None if they
    /// were not recorded, or if the node's calls have not read them, as those that are counted.
    pub fn bytes(&self, node: NodeIx) -> Option<[Bytes; 2]> {
        let is_outside = self.outside_focus.nodes.get(node.0 as usize).copied();
        let tree = &self.tree;
        let (timed, counted) = (tree.timed(node), tree.counted(node));
        let is_known = self.profile.knows_bytes(tree.frame(node), timed, counted);
        (is_known && is_outside != Some(true))
            .then(|| [tree.number(Metric::Allocated, node), tree.total(Metric::Allocated, node)])
            .map(|bytes| bytes.map(Bytes))
    }

    /// The same of a method's calls that are shown.
    pub fn method_bytes(&self, of: &HotMethod) -> Option<[Bytes; 2]> {
        let is_outside = self.outside_focus.methods.contains(&of.method);
        let is_counted = of.timed() == 0 && of.calls() > 0;
        (self.profile.knows_bytes_of(of.method) && !is_counted && !is_outside)
            .then(|| [of.own.allocated(), of.total.allocated()])
    }

    /// Whether the bytes of some callers are not known because of a focus.
    pub fn lacks_bytes_of_callers(&self) -> bool {
        !self.outside_focus.nodes.is_empty()
    }
}
