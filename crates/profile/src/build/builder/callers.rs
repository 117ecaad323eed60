//! Which node a call stands below, if calls on the way to it may have been counted.
//!
//! A counted call leaves a number and no trace of its end. So when a timed call begins, the node on
//! top of the stack may not have called it: a counted method may stand between. It has called it
//! if no call was counted since it began ([`TreeBuilder::direct`]). Else the call sites decide:
//! what the node above cannot have called by itself stands below the only counted methods that lead
//! there, or below a node [`BETWEEN`]. So do counted calls. Those of unflushed calls are above, so
//! that these may have made them, too.
//!
//! Threads and tasks are no methods: what stands directly below them was called first.
//!
//! [`TreeBuilder::direct`]: crate::build::tree_builder::TreeBuilder::direct

mod unflushed;

use std::collections::HashMap;

use jfathom_plan::MethodId;
use rustc_hash::FxHashMap;

use self::unflushed::Unflushed;
use super::Builder;
use crate::build::count_table::Counted;
use crate::build::possible_calls::{CallWay, Callers, Few, PossibleCalls};
use crate::build::tree_builder::{BETWEEN, Joined, Moved, TreeBuilder};
use crate::{MethodNames, Metric, Mode, model::frame};

/// Counted calls from a node.
type Entries = [(u32, u32, Counted)];

/// What stands below one node.
struct Below<'a, 'n> {
    tree: &'a mut TreeBuilder,
    possible: &'a mut PossibleCalls<'n>,
    node: u32,
    method: MethodId,
    /// Its counted calls.
    counted: Vec<(MethodId, u64)>,
    /// What its counted calls can have called.
    callers: &'a Callers,
    unflushed: &'a Unflushed,
    /// The nodes of counted methods that are certain, by id.
    certain: FxHashMap<MethodId, u32>,
    between: Option<u32>,
    moves: Vec<(u32, u32)>,
}

impl Builder {
    /// Adds the counted calls to the tree, without those of methods that are off: an entry probe
    /// alone has no mode to look up, and counts nevertheless. Puts each call below the node that
    /// can have made it. No records may follow. Returns which nodes have become one.
    pub(super) fn place_calls(&mut self, names: &MethodNames) -> Joined {
        let entries = std::mem::take(&mut self.counted).entries();
        let mut unproven = self.unproven();
        if entries.is_empty() && unproven.is_empty() {
            return Joined::default();
        }
        let modes = &self.modes;
        let mut possible = PossibleCalls::new(names, |id| modes.get(&id) == Some(&Mode::Off));
        if possible.is_none() {
            unproven.clear();
        }
        let mut unproven = unproven.as_slice();
        let mut entries = entries.as_slice();
        let mut equal = Vec::new();
        let (mut callers, mut unflushed) = (Callers::default(), Unflushed::default());
        loop {
            let first = |of: Option<u32>| of.unwrap_or(u32::MAX);
            let node = first(entries.first().map(|(node, ..)| *node))
                .min(first(unproven.first().map(|(parent, _)| *parent)));
            if node == u32::MAX {
                break;
            }
            let (of_node, rest) =
                entries.split_at(entries.partition_point(|(from, ..)| *from <= node));
            entries = rest;
            let (children, rest) =
                unproven.split_at(unproven.partition_point(|(parent, _)| *parent <= node));
            unproven = rest;
            for (_, _, counted) in of_node {
                self.tree.extra_mut(node)[Metric::CountRecords] += counted.records;
            }
            let frame = self.tree.nodes[node as usize].frame;
            let method = (frame::kind(frame) == frame::METHOD).then(|| MethodId::new(frame));
            match (&mut possible, method.flatten()) {
                (Some(possible), Some(method)) => {
                    let counted = self.shown(of_node);
                    callers.choose(possible, counted.iter().map(|of| of.0));
                    let tree = &mut self.tree;
                    unflushed.find(tree, node, possible, &counted);
                    let mut below = Below {
                        tree,
                        possible,
                        node,
                        method,
                        counted,
                        callers: &callers,
                        certain: unflushed.certain.clone(),
                        unflushed: &unflushed,
                        between: None,
                        moves: Vec::new(),
                    };
                    below.place_counted();
                    below.place_timed(children);
                    equal.extend(below.move_all());
                }
                _ => self.add_counted(node, of_node),
            }
        }
        self.merge_equal(&equal)
    }

    /// Timed calls of which none is known to be direct: parent and node, in order of both. Without
    /// what stands below threads, tasks and summary nodes.
    fn unproven(&self) -> Vec<(u32, u32)> {
        let nodes = &self.tree.nodes;
        let is_method = |node: u32| frame::kind(nodes[node as usize].frame) == frame::METHOD;
        let mut all: Vec<(u32, u32)> = (1..nodes.len() as u32)
            .filter(|node| is_method(*node) && !self.tree.direct.has(*node))
            .map(|node| (nodes[node as usize].parent, node))
            .filter(|(parent, _)| is_method(*parent))
            .collect();
        all.sort_unstable();
        all
    }

    /// The counted calls without those of methods that are off.
    fn shown(&self, entries: &Entries) -> Vec<(MethodId, u64)> {
        let shown = entries.iter().filter(|(_, id, counted)| {
            counted.calls != 0 && self.modes.get(id) != Some(&Mode::Off)
        });
        shown.filter_map(|(_, id, counted)| Some((MethodId::new(*id)?, counted.calls))).collect()
    }

    /// Adds counted calls of which no more is known than the node on top of the stack.
    fn add_counted(&mut self, node: u32, entries: &Entries) {
        let counted = self.shown(entries);
        let mut children: HashMap<u32, u32> = HashMap::new();
        if counted.len() > 1 {
            let all = self.tree.children(node);
            children.extend(all.map(|child| (self.tree.nodes[child as usize].frame, child)));
        } else if let [(method, _)] = counted.as_slice() {
            let known = self.tree.scan(node, method.get());
            children.extend(known.map(|child| (method.get(), child)));
        }
        for (method, calls) in counted {
            let known = children.get(&method.get()).copied();
            let child = known.unwrap_or_else(|| self.tree.add(node, method.get()));
            self.tree.extra_mut(child)[Metric::Counted] += calls;
        }
    }

    /// Makes one node of those that are equal and stand below the same one.
    fn merge_equal(&mut self, equal: &[(u32, u32)]) -> Joined {
        let mut joined = Joined::default();
        if equal.is_empty() {
            return joined;
        }
        for (node, to) in equal {
            let (node, to) = (joined.to(*node), joined.to(*to));
            if node != to {
                self.tree.merge_into(node, to, &mut joined);
            }
        }
        let moved = Moved::joined(self.tree.nodes.len(), &joined);
        let tree = &mut self.tree;
        tree.events.follow(|node| moved.to(node));
        for (node, class, count) in tree.take_caught() {
            tree.add_caught(moved.to(node), class, count);
        }
        self.threads.iter_mut().for_each(|state| state.follow(&moved));
        self.virtuals.follow(&moved);
        self.latencies.follow(&moved);
        self.slice.iter_mut().for_each(|slice| slice.follow(&moved));
        joined
    }
}

impl Below<'_, '_> {
    /// The only method that can have called `callee`, a counted one, among the node's own, its
    /// counted ones, and those of unflushed calls.
    fn only_caller(&mut self, callee: MethodId) -> Option<MethodId> {
        let (callers, _) = self.callers.of(self.possible, callee);
        let (others, _) = self.unflushed.callers.of(self.possible, callee);
        let callers = callers.and(others);
        let is_own = !self.possible.is_resumption(self.method.get())
            && self.possible.way(self.method, callee).is_some();
        let only = match callers {
            Few::None if is_own => self.method,
            Few::One(caller) if !is_own => caller,
            _ => return None,
        };
        (!self.unflushed.is_uncertain(only)).then_some(only)
    }

    /// Adds the counted calls, each below the only caller that it can have.
    fn place_counted(&mut self) {
        let counted = self.counted.clone();
        let mut waiting: Vec<(MethodId, u64, Option<MethodId>)> = Vec::new();
        for (method, calls) in counted {
            let caller = match self.possible.is_resumption(method.get()) {
                true => Some(self.method),
                false => self.only_caller(method),
            };
            waiting.push((method, calls, caller));
        }
        let mut left = usize::MAX;
        while left > waiting.len() {
            left = waiting.len();
            waiting.retain(|(method, calls, caller)| {
                let parent = match caller {
                    Some(caller) if *caller == self.method => Some(self.node),
                    Some(caller) => self.certain.get(caller).copied(),
                    None => None,
                };
                let Some(parent) = parent else { return true };
                let node = add_calls(self.tree, parent, *method, *calls);
                self.certain.insert(*method, node);
                false
            });
        }
        for (method, calls, _) in waiting {
            let between = self.between();
            add_calls(self.tree, between, method, calls);
        }
    }

    fn between(&mut self) -> u32 {
        *self.between.get_or_insert_with(|| self.tree.add(self.node, BETWEEN))
    }

    /// Finds a place for timed calls that the node may not have made itself.
    fn place_timed(&mut self, children: &[(u32, u32)]) {
        for (_, child) in children {
            let frame = self.tree.nodes[*child as usize].frame;
            let Some(method) = MethodId::new(frame) else { continue };
            let own = self.possible.way(self.method, method);
            if own == Some(CallWay::Site) {
                continue;
            }
            let (callers, has_site) = self.callers.of(self.possible, method);
            if own.is_some() && !has_site {
                continue;
            }
            let only = match callers {
                Few::One(caller) if own.is_none() => self.certain.get(&caller).copied(),
                _ => None,
            };
            let to = match only {
                Some(node) => node,
                None => self.between(),
            };
            self.moves.push((*child, to));
        }
    }

    /// Moves the timed calls. Returns those that now stand beside an equal node, and this one.
    fn move_all(self) -> Vec<(u32, u32)> {
        let Self { tree, node, moves, .. } = self;
        let mut equal = Vec::new();
        if moves.is_empty() {
            return equal;
        }
        for (child, to) in &moves {
            let same = tree.scan(*to, tree.nodes[*child as usize].frame);
            equal.extend(same.map(|same| (*child, same)));
        }
        tree.move_children(node, &moves);
        equal
    }
}

/// Adds counted calls of a method below a node, and returns the method's node there.
fn add_calls(tree: &mut TreeBuilder, parent: u32, method: MethodId, calls: u64) -> u32 {
    let known = tree.scan(parent, method.get());
    let node = known.unwrap_or_else(|| tree.add(parent, method.get()));
    let extra = tree.extra_mut(node);
    extra.add_to(Metric::Counted, calls);
    node
}

#[cfg(test)]
mod tests;
