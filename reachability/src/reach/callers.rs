//! Callers of the methods whose parameters decide a use of reflection. Uses and callers both grow
//! during the analysis. Each use is combined once with each caller.

use crate::texts::{Use, Value};
use crate::{MethodIx, Node, node::Edge};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Bound on the uses of one method. Further ones are not followed.
const MOST_USES: usize = 256;

/// A use of reflection. It is passed from the method that has it to the method's callers.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// The method that uses reflection.
    pub(super) by: MethodIx,
    /// The use. Its values are parameters of the method whose callers come next.
    pub(super) used: Use,
    /// Number of callers that it was passed through.
    pub(super) depth: usize,
}

impl Asked {
    /// The use in a caller that passes these arguments.
    pub(super) fn with(&self, arguments: &[Value]) -> Self {
        Self {
            by: self.by,
            used: self.used.map(|value| value.substitute(arguments)),
            depth: self.depth + 1,
        }
    }

    /// Whether both are the same use of the same method.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.by == other.by && self.used == other.used
    }
}

/// A caller, and a use of its callee that the caller's arguments decide.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Meeting {
    pub(super) caller: u32,
    pub(super) target: u32,
    /// Index of the use among the target's.
    pub(super) number: usize,
}

/// A method with uses that its callers decide.
#[derive(Default)]
struct Target {
    uses: Vec<Asked>,
    callers: FxHashSet<u32>,
}

/// All uses that callers decide, and these callers.
#[derive(Default)]
pub(super) struct Callers {
    /// By edge: the edge before it to the same node, plus one.
    before: Vec<u32>,
    /// By node: the last edge to it, plus one.
    last: Vec<u32>,
    targets: FxHashMap<u32, Target>,
    /// By node that is not a method, such as a virtual call: the targets of its edges.
    through: FxHashMap<u32, Vec<u32>>,
    open: Vec<Meeting>,
}

impl Callers {
    /// Adds the new edges.
    pub(super) fn link(&mut self, nodes: &[Node], edges: &[Edge]) {
        self.last.resize(nodes.len(), 0);
        for edge in &edges[self.before.len()..] {
            let number = self.before.len() as u32 + 1;
            self.before.push(std::mem::replace(&mut self.last[edge.to as usize], number));
            let from_method = is_method(nodes, edge.from);
            if self.targets.contains_key(&edge.to) {
                self.add_callers(nodes, edges, edge.from, edge.to);
            } else if from_method && let Some(targets) = self.through.get(&edge.to) {
                for target in targets.clone() {
                    self.add_caller(edge.from, target);
                }
            }
        }
    }

    /// Stores a use for all callers of a method, known and future. False if the method has
    /// [`MOST_USES`] already: this use is not followed.
    pub(super) fn store(
        &mut self,
        nodes: &[Node],
        edges: &[Edge],
        target: u32,
        asked: Asked,
    ) -> bool {
        if let Entry::Vacant(new) = self.targets.entry(target) {
            new.insert(Target::default());
            for from in self.sources(edges, target) {
                self.add_callers(nodes, edges, from, target);
            }
        }
        let Some(known) = self.targets.get_mut(&target) else { return false };
        if known.uses.iter().any(|other| other.is_same(&asked)) {
            return true;
        }
        if known.uses.len() == MOST_USES {
            return false;
        }
        let number = known.uses.len();
        known.uses.push(asked);
        self.open.extend(known.callers.iter().map(|&caller| Meeting { caller, target, number }));
        true
    }

    /// Takes the new meetings, sorted.
    pub(super) fn take_open(&mut self) -> Vec<Meeting> {
        let mut open = std::mem::take(&mut self.open);
        open.sort_unstable();
        open
    }

    pub(super) fn asked(&self, meeting: Meeting) -> Option<Asked> {
        self.targets.get(&meeting.target)?.uses.get(meeting.number).cloned()
    }

    /// The methods with a use that is meant and whose values their callers decide, if there is no
    /// known caller.
    pub(super) fn uncalled(&self, is_meant: fn(&Use) -> bool) -> impl Iterator<Item = MethodIx> {
        let uncalled = self.targets.values().filter(|target| target.callers.is_empty());
        let uses = uncalled.flat_map(|target| &target.uses);
        uses.filter(move |asked| is_meant(&asked.used)).map(|asked| asked.by)
    }

    /// The first nodes of all linked edges to a node.
    fn sources(&self, edges: &[Edge], node: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut at = self.last.get(node as usize).copied().unwrap_or(0);
        while let Some(edge) = at.checked_sub(1) {
            found.push(edges[edge as usize].from);
            at = self.before[edge as usize];
        }
        found
    }

    /// Adds the caller `from` of a target. If `from` is not a method, all methods with an edge to
    /// it are callers.
    fn add_callers(&mut self, nodes: &[Node], edges: &[Edge], from: u32, target: u32) {
        if is_method(nodes, from) {
            return self.add_caller(from, target);
        }
        self.through.entry(from).or_default().push(target);
        for caller in self.sources(edges, from) {
            if is_method(nodes, caller) {
                self.add_caller(caller, target);
            }
        }
    }

    fn add_caller(&mut self, caller: u32, target: u32) {
        let Some(known) = self.targets.get_mut(&target) else { return };
        if known.callers.insert(caller) {
            self.open.extend((0..known.uses.len()).map(|number| Meeting {
                caller,
                target,
                number,
            }));
        }
    }
}

fn is_method(nodes: &[Node], node: u32) -> bool {
    matches!(nodes[node as usize], Node::Method(_))
}
