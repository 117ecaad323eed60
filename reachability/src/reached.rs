//! The call subgraph, and the shortest path to each method of it.

use crate::components::components;
use crate::node::Edge;
use crate::{ClassId, MethodIx, Node, Reason, SigId, Unresolved, World};
use jfathom_plan::ClassSummary;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

const NO_EDGE: u32 = u32::MAX;

/// The result of a [`Query`](crate::Query): what its roots reach. It refers to the [`World`] of the
/// analysis for names.
#[derive(Debug)]
pub struct Reached {
    nodes: Vec<Node>,
    /// Sorted by their first node.
    edges: Vec<Edge>,
    /// By node: its first edge in `edges`; one more at the end.
    first: Vec<u32>,
    /// By node: the last edge of its shortest path; `NO_EDGE` for roots and for unreached nodes.
    through: Vec<u32>,
    reached: Vec<bool>,
    /// By method: its node plus one, reached or not.
    by_method: Vec<u32>,
    pub(crate) dangling: Vec<MissingReference>,
    allocated_by: FxHashMap<ClassId, Option<MethodIx>>,
    unnamed: Vec<MethodIx>,
    unfollowed_lookups: Vec<MethodIx>,
}

/// A reference that does not resolve: its method, its target, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MissingReference {
    pub(crate) from: MethodIx,
    pub(crate) owner: ClassId,
    pub(crate) sig: Option<SigId>,
    pub(crate) why: Unresolved,
}

/// A node on the path from a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The node.
    pub node: Node,
    /// Reason of the edge from the previous node. None for the root.
    pub reason: Option<Reason>,
}

impl Reached {
    pub(crate) fn new(
        nodes: Vec<Node>,
        unsorted: Vec<Edge>,
        by_method: Vec<u32>,
        roots: Vec<u32>,
        mut dangling: Vec<MissingReference>,
        allocated_by: FxHashMap<ClassId, Option<MethodIx>>,
    ) -> Self {
        let (edges, first) = sorted(&unsorted, nodes.len());
        drop(unsorted);
        let mut reached = Self {
            through: vec![NO_EDGE; nodes.len()],
            reached: vec![false; nodes.len()],
            by_method,
            nodes,
            edges,
            first,
            dangling: Vec::new(),
            allocated_by,
            unnamed: Vec::new(),
            unfollowed_lookups: Vec::new(),
        };
        reached.find_paths(&roots);
        dangling.retain(|reference| reached.contains(reference.from));
        reached.dangling = dangling;
        reached
    }

    /// Adds the methods that load classes by entirely unknown names, if they are reached.
    pub(crate) fn with_unnamed(mut self, methods: impl IntoIterator<Item = MethodIx>) -> Self {
        self.unnamed = methods.into_iter().filter(|&method| self.contains(method)).collect();
        self.unnamed.sort_unstable();
        self
    }

    /// Adds the methods that look up methods by unknown names in unknown classes, if they are
    /// reached.
    pub(crate) fn with_unfollowed_lookups(
        mut self,
        methods: impl IntoIterator<Item = MethodIx>,
    ) -> Self {
        self.unfollowed_lookups =
            methods.into_iter().filter(|&method| self.contains(method)).collect();
        self.unfollowed_lookups.sort_unstable();
        self
    }

    /// Reached methods of the program that look up methods by unknown names in unknown classes,
    /// sorted.
    pub(crate) fn unfollowed_lookups(&self) -> &[MethodIx] {
        &self.unfollowed_lookups
    }

    /// Reached methods of the program that load classes by entirely unknown names. What these
    /// classes call is missing. Sorted.
    pub fn unnamed(&self) -> &[MethodIx] {
        &self.unnamed
    }

    /// Finds shortest paths by number of methods. Edges to a dispatch or an initialisation have
    /// length 0.
    fn find_paths(&mut self, roots: &[u32]) {
        let mut length = vec![u32::MAX; self.nodes.len()];
        let mut queue: VecDeque<(u32, u32)> = VecDeque::new();
        for &root in roots {
            length[root as usize] = 0;
            self.reached[root as usize] = true;
            queue.push_back((root, 0));
        }
        while let Some((from, so_far)) = queue.pop_front() {
            if so_far > length[from as usize] {
                continue;
            }
            for at in self.first[from as usize]..self.first[from as usize + 1] {
                let to = self.edges[at as usize].to;
                let step = u32::from(matches!(self.nodes[to as usize], Node::Method(_)));
                if so_far + step < length[to as usize] {
                    length[to as usize] = so_far + step;
                    self.through[to as usize] = at;
                    self.reached[to as usize] = true;
                    if step == 0 {
                        queue.push_front((to, so_far))
                    } else {
                        queue.push_back((to, so_far + 1))
                    }
                }
            }
        }
    }

    /// All reached nodes.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + '_ {
        self.nodes.iter().zip(&self.reached).filter(|row| *row.1).map(|row| *row.0)
    }

    /// All reached methods: those of the JDK, native ones, and those of lambda objects, too.
    pub fn methods(&self) -> impl Iterator<Item = MethodIx> + '_ {
        self.nodes()
            .filter_map(|node| if let Node::Method(method) = node { Some(method) } else { None })
    }

    /// The reached methods of the program that have code.
    pub fn program_methods<'a>(
        &'a self,
        world: &'a World<'_>,
    ) -> impl Iterator<Item = MethodIx> + 'a {
        let of_program = |&method: &MethodIx| {
            world.is_program(world.class_of_method(method)) && world.has_code(method)
        };
        self.methods().filter(of_program)
    }

    /// Whether the method is reached.
    pub fn contains(&self, method: MethodIx) -> bool {
        self.node_of(method).is_some()
    }

    /// The node of a reached method.
    fn node_of(&self, method: MethodIx) -> Option<u32> {
        let node = self.by_method.get(method.ix())?.checked_sub(1)?;
        self.reached.get(node as usize).is_some_and(|&reached| reached).then_some(node)
    }

    /// Removes unreached methods from class summaries. [`jfathom_plan::choose`] can choose the
    /// others.
    pub fn retain(&self, world: &World<'_>, summaries: &mut [ClassSummary]) {
        for class in summaries {
            let name = std::mem::take(&mut class.name);
            class.methods.retain(|method| {
                world
                    .loaded_method(&name, &method.name, &method.descriptor)
                    .is_some_and(|method| self.contains(method))
            });
            class.name = name;
        }
    }

    /// A shortest path from a root to the method, both included; `None` if it is not reached.
    pub fn shortest_path(&self, method: MethodIx) -> Option<Vec<PathStep>> {
        let mut at = self.node_of(method)?;
        let mut steps = Vec::new();
        loop {
            let edge = self.edges.get(self.through[at as usize] as usize);
            steps.push(PathStep {
                node: self.nodes[at as usize],
                reason: edge.map(|edge| edge.reason),
            });
            match edge {
                Some(edge) => at = edge.from,
                None => break,
            }
        }
        steps.reverse();
        Some(steps)
    }

    /// The reason of the last edge of the shortest path to a method: `Some(None)` for roots, `None`
    /// if it is not reached.
    pub fn last_reason(&self, method: MethodIx) -> Option<Option<Reason>> {
        let at = self.node_of(method)?;
        Some(self.edges.get(self.through[at as usize] as usize).map(|edge| edge.reason))
    }

    /// The methods before a method on its shortest path, last first.
    pub fn methods_before(&self, method: MethodIx) -> impl Iterator<Item = MethodIx> + '_ {
        let before =
            |&at: &u32| self.edges.get(self.through[at as usize] as usize).map(|edge| edge.from);
        let nodes = std::iter::successors(self.node_of(method), before).skip(1);
        nodes.filter_map(|at| match self.nodes[at as usize] {
            Node::Method(method) => Some(method),
            Node::Dispatch { .. } | Node::Init(_) => None,
        })
    }

    /// The origin of objects of exactly this class: a method, or `Some(None)` for the JVM and the
    /// entry points. `None` if there are no such objects.
    pub fn allocated(&self, class: ClassId) -> Option<Option<MethodIx>> {
        self.allocated_by.get(&class).copied()
    }

    /// Number of classes with objects, also those that only entry points make.
    pub fn allocated_count(&self) -> usize {
        self.allocated_by.len()
    }

    /// [`Reached::last_reason`] of each reached method, class by class.
    pub(crate) fn reasons(&self) -> impl Iterator<Item = (MethodIx, Option<Reason>)> + '_ {
        let methods = (0..self.by_method.len() as u32).map(MethodIx);
        methods.filter_map(|method| Some((method, self.last_reason(method)?)))
    }

    /// The reached part of the call graph.
    pub fn graph(&self) -> DiGraph<Node, Reason> {
        let count = self.reached.iter().filter(|&&reached| reached).count();
        let mut graph = DiGraph::with_capacity(count, self.edges.len());
        let mut index = vec![NodeIndex::end(); self.nodes.len()];
        for (at, &node) in self.nodes.iter().enumerate().filter(|entry| self.reached[entry.0]) {
            index[at] = graph.add_node(node);
        }
        // Edges of reached nodes lead to reached nodes only.
        for edge in self.edges.iter().filter(|edge| self.reached[edge.from as usize]) {
            graph.add_edge(index[edge.from as usize], index[edge.to as usize], edge.reason);
        }
        graph
    }

    /// Groups of mutually recursive methods, largest first, and single recursive methods.
    pub fn cycles(&self) -> Vec<Vec<MethodIx>> {
        let next = |at: u32| {
            let (first, end) = (self.first[at as usize], self.first[at as usize + 1]);
            self.edges[first as usize..end as usize].iter().map(|edge| edge.to)
        };
        let reached = (0..self.nodes.len() as u32).filter(|&at| self.reached[at as usize]);
        let mut cycles = Vec::new();
        components(self.nodes.len(), reached, next, |component| {
            let calls_itself = match component {
                [node] => next(*node).any(|to| to == *node),
                _ => true,
            };
            if calls_itself {
                let mut methods: Vec<MethodIx> = component
                    .iter()
                    .filter_map(|&node| match self.nodes[node as usize] {
                        Node::Method(method) => Some(method),
                        Node::Dispatch { .. } | Node::Init(_) => None,
                    })
                    .collect();
                methods.sort_unstable();
                cycles.push(methods);
            }
        });
        cycles.sort_by_key(|methods| (std::cmp::Reverse(methods.len()), methods.first().copied()));
        cycles
    }
}

/// The edges sorted by their first node, and the start of each node's edges.
fn sorted(edges: &[Edge], nodes: usize) -> (Vec<Edge>, Vec<u32>) {
    let mut first = vec![0u32; nodes + 1];
    for edge in edges {
        first[edge.from as usize + 1] += 1;
    }
    for at in 0..nodes {
        first[at + 1] += first[at];
    }
    let mut next = first.clone();
    let mut sorted = edges.to_vec();
    for edge in edges {
        let at = &mut next[edge.from as usize];
        sorted[*at as usize] = *edge;
        *at += 1;
    }
    (sorted, first)
}
