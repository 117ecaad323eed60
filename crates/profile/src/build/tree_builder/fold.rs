//! Folding: subtrees that say little become few nodes.
//!
//! What is folded below a node stands in one *summary node*, its child. Below that each method has
//! one node, without further ones: the sum of its folded nodes. So all sums by method are kept, and
//! there are at most as many nodes as methods. Which of them called which is lost, but not how
//! often each of them called others ([`NodeExtra::calls_beside`]).
//!
//! A subtree says little if little time was spent in it, and less if nothing was entered since the
//! last fold, or if it is deep.

use super::{Joined, NONE, Node, NodeExtra, TreeBuilder};
use crate::build::id_table::IdNumbers;
use crate::build::tree_builder::extras::Extras;
use crate::{Metric, model::frame};

/// Where nodes are after a fold.
#[derive(Clone, Debug)]
pub(crate) struct Moved(Vec<u32>);

impl Moved {
    /// Where so many nodes are if some have joined others.
    pub fn joined(nodes: usize, joined: &Joined) -> Self {
        Self((0..nodes as u32).map(|node| joined.to(node)).collect())
    }

    /// The new number of a node: its own, or that of the node that has its sums. [`NONE`] stays.
    pub fn to(&self, node: u32) -> u32 {
        self.0.get(node as usize).copied().unwrap_or(NONE)
    }
}

/// The weight of time in a node that was not entered since the last fold.
const OLD_WEIGHT: f32 = 0.125;
/// A node weighs at most so much of its parent.
const DEEPER: f32 = 0.9;
/// Attempts in which more and more is folded. The last one folds all that may be.
const ATTEMPTS: u32 = 5;

/// The frame of a node that is gone, until the others move together.
const GONE: u32 = super::NO_FRAME;
/// The frame of summary nodes.
pub(crate) const SUMMARY: u32 = frame::pack(frame::FOLDED, 0);

/// The sums of a method in one summary node.
struct Row {
    frame: u32,
    node: Node,
    extra: NodeExtra,
}

/// What is reused for each summary node.
#[derive(Default)]
struct Work {
    members: Vec<u32>,
    todo: Vec<u32>,
    rows: Vec<Row>,
    /// One plus the place in `rows`, by method id.
    places: IdNumbers,
    /// Rare numbers of the new nodes.
    extras: Vec<(u32, NodeExtra)>,
}

impl TreeBuilder {
    /// Memory that [`TreeBuilder::fold`] takes for each node, in bytes: three numbers meanwhile,
    /// and the bits that tell which nodes were entered, in a list that may be twice as long.
    pub const FOLD_BYTES: usize = 3 * size_of::<u32>() + 2;

    /// Whether a node is a summary node.
    pub fn is_summary(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| node.frame == SUMMARY)
    }

    /// Folds subtrees until there are at most `most` nodes, or none is left that may be folded.
    /// `kept` stay, with the nodes above them, and so do threads, tasks, and the methods directly
    /// below these. None if nothing was folded.
    pub fn fold(&mut self, most: usize, kept: &[u32]) -> Option<Moved> {
        let mut moved: Option<Moved> = None;
        for attempt in 1..=ATTEMPTS {
            let excess = self.nodes.len().saturating_sub(most);
            if excess == 0 {
                break;
            }
            let share = f64::from(attempt) / f64::from(ATTEMPTS);
            let others = self.nodes.len() - excess;
            let wanted = excess + (others as f64 * share * share) as usize;
            let now: Vec<u32> = match &moved {
                Some(before) => kept.iter().map(|node| before.to(*node)).collect(),
                None => kept.to_vec(),
            };
            let Some(after) = self.fold_once(wanted, &now) else { continue };
            match &mut moved {
                Some(all) => all.0.iter_mut().for_each(|node| *node = after.to(*node)),
                None => moved = Some(after),
            }
        }
        if moved.is_some() {
            self.calls_at_fold.clear();
            self.calls_at_fold.extend(self.nodes.iter().map(|node| node.calls as u8));
        }
        moved
    }

    /// Folds the lightest subtrees, of about so many nodes.
    fn fold_once(&mut self, wanted: usize, kept: &[u32]) -> Option<Moved> {
        let weights = self.weights(kept);
        let limit = limit(&weights, wanted)?;
        let is_light = |node: u32| weights.get(node as usize).is_some_and(|of| *of <= limit);
        let mut slots: Vec<u32> = (0..self.nodes.len() as u32).collect();
        let mut work = Work::default();
        for parent in 1..self.nodes.len() as u32 {
            let frame = self.nodes[parent as usize].frame;
            if frame != GONE && frame != SUMMARY && !is_light(parent) {
                self.fold_below(parent, &is_light, &mut slots, &mut work);
            }
        }
        let is_changed = !work.extras.is_empty();
        is_changed.then(|| self.move_together(slots, weights, work.extras))
    }

    /// By node: what its subtree weighs, as the bits of a float; the same or less than that of its
    /// parent. Infinite for nodes that stay.
    fn weights(&self, kept: &[u32]) -> Vec<u32> {
        let mut weights = vec![0_u32; self.nodes.len()];
        for node in kept {
            weights[*node as usize] = f32::INFINITY.to_bits();
        }
        weights[NONE as usize] = f32::INFINITY.to_bits();
        for at in (1..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let above = frame::kind(self.nodes[node.parent as usize].frame);
            let stays = node.parent == NONE
                || frame::kind(node.frame) == frame::TASK
                || [frame::THREAD, frame::TASK].contains(&above) && node.frame != SUMMARY;
            let is_old = self.calls_at_fold.get(at).is_some_and(|calls| *calls == node.calls as u8);
            let own = match (stays, is_old) {
                (true, _) => f32::INFINITY,
                (_, true) => (node.self_ticks as f32 + 1.0) * OLD_WEIGHT,
                (_, false) => node.self_ticks as f32 + 1.0,
            };
            let all = f32::from_bits(weights[at]) + own;
            weights[at] = all.to_bits();
            let parent = &mut weights[node.parent as usize];
            *parent = (f32::from_bits(*parent) + all).to_bits();
        }
        for at in 1..self.nodes.len() {
            let parent = f32::from_bits(weights[self.nodes[at].parent as usize]);
            let own = f32::from_bits(weights[at]);
            if own.is_finite() {
                weights[at] = own.min(parent * DEEPER).to_bits();
            }
        }
        weights
    }

    /// Folds the light children of a node that is not, with all below them, unless that saves
    /// nothing.
    fn fold_below(
        &mut self,
        parent: u32,
        is_light: &impl Fn(u32) -> bool,
        slots: &mut [u32],
        work: &mut Work,
    ) {
        let Work { members, todo, rows, places, extras } = work;
        let mut summary = NodeExtra::default();
        members.clear();
        todo.clear();
        for child in super::children(&self.nodes, parent) {
            if is_light(child) && !self.is_summary(child) {
                let calls = self.nodes[child as usize].calls;
                summary.add_to(Metric::CallsBeside, calls);
                todo.push(child);
            }
        }
        if todo.is_empty() {
            return;
        }
        let earlier = super::children(&self.nodes, parent).find(|child| self.is_summary(*child));
        let beside = earlier.map_or(0, |node| self.extra(node)[Metric::CallsBeside]);
        summary.add_to(Metric::CallsBeside, beside);
        todo.extend(earlier);
        while let Some(node) = todo.pop() {
            members.push(node);
            todo.extend(super::children(&self.nodes, node));
        }
        members.sort_unstable();
        for member in &*members {
            let frame = self.nodes[*member as usize].frame;
            if frame != SUMMARY && places.get(frame) == 0 {
                rows.push(Row {
                    frame,
                    node: self.nodes[NONE as usize],
                    extra: NodeExtra::default(),
                });
                *places.get_mut(frame) = rows.len() as u32;
            }
        }
        if members.len() > rows.len() + 1 {
            for member in &*members {
                self.add_to_rows(*member, parent, rows, places, &mut summary);
            }
            self.put_rows(parent, members, rows, places, slots);
            extras.push((members[0], summary));
            let numbered = rows.iter().zip(&members[1..]);
            extras.extend(numbered.map(|(row, slot)| (*slot, row.extra)));
        }
        for row in rows.drain(..) {
            *places.get_mut(row.frame) = 0;
        }
    }

    /// Adds a node's numbers to those of its method in the summary node below `top`.
    fn add_to_rows(
        &self,
        member: u32,
        top: u32,
        rows: &mut [Row],
        places: &IdNumbers,
        summary: &mut NodeExtra,
    ) {
        let node = &self.nodes[member as usize];
        let extra = self.extra(member);
        let parent = &self.nodes[node.parent as usize];
        let place = |frame: u32| (places.get(frame) as usize).checked_sub(1);
        let is_summary = node.frame == SUMMARY;
        let is_flat = parent.frame == SUMMARY;
        // Its calls were made by the method above it, or are among the `calls_beside` of others.
        let made = if is_summary { extra[Metric::CallsBeside] } else { node.calls };
        if node.parent != top
            && !is_flat
            && let Some(caller) = place(parent.frame).and_then(|at| rows.get_mut(at))
        {
            caller.extra.add_to(Metric::CallsBeside, made);
        }
        if is_summary {
            summary.add_to(Metric::Folded, extra[Metric::Folded]);
            return;
        }
        summary.add_to(Metric::Folded, u64::from(!is_flat));
        let Some(row) = place(node.frame).and_then(|at| rows.get_mut(at)) else { return };
        row.node.calls = row.node.calls.saturating_add(node.calls);
        row.node.self_ticks = row.node.self_ticks.wrapping_add(node.self_ticks);
        row.node.notable = row.node.notable.max(node.notable);
        row.extra.add(&extra);
    }

    /// Puts the summary node and its rows into the slots of the first members. A parent's number is
    /// below those of its children.
    fn put_rows(
        &mut self,
        parent: u32,
        members: &[u32],
        rows: &[Row],
        places: &IdNumbers,
        slots: &mut [u32],
    ) {
        for member in members {
            let frame = self.nodes[*member as usize].frame;
            let place = if frame == SUMMARY { 0 } else { places.get(frame) };
            slots[*member as usize] = members[place as usize];
        }
        let none = self.nodes[NONE as usize];
        for member in members {
            self.nodes[*member as usize] = Node { frame: GONE, ..none };
        }
        self.nodes[members[0] as usize] = Node { frame: SUMMARY, parent, ..none };
        for (row, slot) in rows.iter().zip(&members[1..]) {
            let Row { frame, node, .. } = *row;
            self.nodes[*slot as usize] = Node { frame, parent: members[0], ..node };
        }
    }

    /// Moves the nodes together that are left. `slots` has, by node, where its numbers are now.
    fn move_together(
        &mut self,
        mut slots: Vec<u32>,
        mut numbers: Vec<u32>,
        new: Vec<(u32, NodeExtra)>,
    ) -> Moved {
        // By slot, the new number.
        let mut next = 0;
        for (number, node) in numbers.iter_mut().zip(&self.nodes) {
            *number = next;
            next += u32::from(node.frame != GONE || next == NONE);
        }
        let mut extras: Vec<(u32, NodeExtra)> = new;
        // The slots of new nodes had others before, whose numbers are in the sums.
        let is_new: std::collections::HashSet<u32> = extras.iter().map(|(slot, _)| *slot).collect();
        let stays = |node: u32| self.nodes[node as usize].frame != GONE && !is_new.contains(&node);
        extras.extend(self.extras().filter(|(node, _)| stays(*node)));
        slots.iter_mut().for_each(|slot| *slot = numbers[*slot as usize]);
        for at in 1..self.nodes.len() {
            let node = self.nodes[at];
            if node.frame == GONE {
                continue;
            }
            let to = numbers[at] as usize;
            let parent = numbers[node.parent as usize];
            self.nodes[to] = Node { parent, child: NONE, next: to as u32, ..node };
            if let Some(calls) = self.calls_at_fold.get(at).copied() {
                self.calls_at_fold[to] = calls;
            }
        }
        let old_nodes = self.calls_at_fold.len();
        let old_left = numbers.get(old_nodes).copied().unwrap_or(next);
        self.calls_at_fold.truncate(old_left as usize);
        self.nodes.truncate(next as usize);
        self.link();
        self.direct.follow(slots.len() as u32, |node| slots[node as usize]);
        self.events.follow(|node| slots.get(node as usize).copied().unwrap_or(NONE));
        for (node, class, count) in self.take_caught() {
            self.add_caught(slots.get(node as usize).copied().unwrap_or(NONE), class, count);
        }
        self.extras = Extras::default();
        for (slot, extra) in extras {
            if extra != NodeExtra::default() {
                *self.extra_mut(numbers[slot as usize]) = extra;
            }
        }
        Moved(slots)
    }

    /// Makes the links between siblings, in the order of their numbers.
    fn link(&mut self) {
        let nodes = &mut self.nodes;
        let mut children = vec![0_u8; nodes.len()];
        nodes[NONE as usize].child = NONE;
        for at in 1..nodes.len() {
            let parent = nodes[at].parent as usize;
            children[parent] = children[parent].saturating_add(1);
            let last = std::mem::replace(&mut nodes[parent].child, at as u32);
            if last != NONE {
                let first = std::mem::replace(&mut nodes[last as usize].next, at as u32);
                nodes[at].next = first;
            }
        }
        // Others have no entries: then one record adds few.
        self.wide = super::ChildIndex::default();
        for at in 1..self.nodes.len() {
            let parent = self.nodes[at].parent;
            if parent != NONE && usize::from(children[parent as usize]) > super::MAX_SCAN {
                self.wide.add(&self.nodes, at as u32);
            }
        }
    }
}

/// A weight so that about `wanted` nodes have no more; none if no node has a finite one.
fn limit(weights: &[u32], wanted: usize) -> Option<u32> {
    const SHIFT: u32 = 20;
    let infinite = f32::INFINITY.to_bits();
    let mut buckets = vec![0_usize; (infinite >> SHIFT) as usize + 1];
    for weight in weights.iter().filter(|weight| **weight < infinite) {
        buckets[(*weight >> SHIFT) as usize] += 1;
    }
    let mut sum = 0;
    let mut last = None;
    for (bucket, count) in (0..).zip(buckets).filter(|(_, count)| *count != 0) {
        sum += count;
        last = Some(((bucket + 1) << SHIFT) - 1);
        if sum >= wanted {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests;
