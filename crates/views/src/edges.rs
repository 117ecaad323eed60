//! Callers and callees, with calls and times for each edge, as in gprof's call graph.
//!
//! Of a method m, its self time and the time of its callees add up to its total time, in which
//! recursive calls are counted once. These hold, as in gprof's stanzas (S. Graham, P. Kessler,
//! M. McKusick, "gprof: a call graph execution profiler", 1982):
//!
//! 1. the self times of m's caller edges add up to m's self time;
//! 2. their callee times add up to the time of m's callees;
//! 3. the times of m's callee edges add up to the time of m's callees;
//! 4. the calls of m's caller edges add up to m's calls.
//!
//! Recursion: the time below a recursive call of m belongs to the callees from which that call
//! made its way, so an edge from m back to m has calls and no time of its own.

use crate::{Shown, number::grouped};
use jfathom_calibration::Times;
use jfathom_profile::{Frame, MethodIx, NodeIx, ThreadIx};
use std::collections::{BTreeMap, HashMap};

/// Calls from one frame to another, over all call paths.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Edge {
    /// Timed and counted calls.
    pub calls: u64,
    /// Those that were timed.
    pub timed: u64,
    /// The callee's self time in these calls, as [`Times::self_nanos`] with its bar, and as
    /// [`Times::total_nanos`] with its bar the time of the callee's own callees.
    pub of_callee: Times,
    /// As [`Times::total_nanos`] with its bar: the time that the caller spent in these calls,
    /// without its own recursive calls below them.
    pub in_caller: Times,
}

impl Edge {
    /// Whether it has a time: any of its calls was timed, samples tell what counted calls took, or
    /// it leads to `⋯`, which has no calls, and the time of the timed calls below it.
    pub fn has_time(&self) -> bool {
        self.timed > 0 || self.in_caller.total_nanos != 0.0
    }

    /// Its calls for people; none if it leads to `⋯`.
    pub fn calls_text(&self) -> String {
        match self.calls {
            0 => String::new(),
            calls => grouped(calls),
        }
    }
}

/// All edges of what is shown.
#[derive(Debug)]
pub struct Edges {
    edges: BTreeMap<(FrameKey, FrameKey), Edge>,
}

/// An end of an edge: the order is that of the profile's tables. A frame at the bottom of a stack
/// has no caller.
type FrameKey = (u8, u32);

const NO_CALLER: FrameKey = (0, 0);

fn key(frame: Frame) -> FrameKey {
    match frame {
        Frame::Thread(thread) => (1, thread.0),
        Frame::Task(method) => (2, method.0),
        Frame::Method(method) => (3, method.0),
    }
}

fn frame((kind, index): FrameKey) -> Option<Frame> {
    match kind {
        1 => Some(Frame::Thread(ThreadIx(index))),
        2 => Some(Frame::Task(MethodIx(index))),
        3 => Some(Frame::Method(MethodIx(index))),
        _ => None,
    }
}

/// A method with its callers and callees.
#[derive(Clone, Debug, PartialEq)]
pub struct Stanza {
    /// The method.
    pub method: MethodIx,
    /// Its callers, the costliest last, as gprof prints them; none for calls at the bottom of a
    /// stack.
    pub callers: Vec<(Option<Frame>, Edge)>,
    /// Its callees, the costliest first.
    pub callees: Vec<(Frame, Edge)>,
    /// Its self time, and as total the time of its callees: the sums of `callers`.
    pub sum: Edge,
}

impl Edges {
    /// The edges of what is shown. Threads and tasks are callers, too.
    pub fn of(shown: &Shown) -> Self {
        let tree = &shown.tree;
        let in_callers = times_in_callers(shown);
        // Of each node: the time of its callees without recursion.
        let mut below = vec![Times::default(); tree.len()];
        let mut path: Vec<NodeIx> = Vec::new();
        for node in shown.all_nodes() {
            path.truncate(tree.depth(node) as usize);
            if let Some(parent) = path.last() {
                let parent = parent.0 as usize;
                below[parent] = below[parent].plus(in_callers[node.0 as usize]);
            }
            path.push(node);
        }
        let mut edges: HashMap<(FrameKey, FrameKey), Edge> = HashMap::new();
        path.clear();
        for node in shown.all_nodes() {
            path.truncate(tree.depth(node) as usize);
            let caller = path.last().map_or(NO_CALLER, |parent| key(tree.frame(*parent)));
            path.push(node);
            let at = node.0 as usize;
            let edge = edges.entry((caller, key(tree.frame(node)))).or_default();
            edge.calls = edge.calls.saturating_add(tree.calls(node));
            edge.timed = edge.timed.saturating_add(tree.timed(node));
            let own = shown.times_or_measured(node).self_only();
            edge.of_callee = edge.of_callee.plus(own).plus(below[at].total_only());
            edge.in_caller = edge.in_caller.plus(in_callers[at]);
        }
        Self { edges: edges.into_iter().collect() }
    }

    /// All edges: caller, callee, numbers, in the order of the profile's tables. Without a caller
    /// are the threads, and frames at the bottom of a stack if threads are merged.
    pub fn all(&self) -> impl Iterator<Item = (Option<Frame>, Frame, &Edge)> {
        let ends = |((caller, callee), edge)| Some((frame(caller), frame(callee)?, edge));
        self.edges.iter().map(|(ends, edge)| (*ends, edge)).filter_map(ends)
    }

    /// The callers and callees of a method.
    pub fn stanza(&self, method: MethodIx) -> Stanza {
        let own = key(Frame::Method(method));
        let mut callers: Vec<(Option<Frame>, Edge)> = Vec::new();
        let mut callees: Vec<(Frame, Edge)> = Vec::new();
        for (caller, callee, edge) in self.all() {
            if key(callee) == own {
                callers.push((caller, *edge));
            }
            if caller.map(key) == Some(own) && key(callee) != own {
                callees.push((callee, *edge));
            }
        }
        let cost = |edge: &Edge| edge.of_callee.self_nanos + edge.of_callee.total_nanos;
        callers.sort_by(|a, b| cost(&a.1).total_cmp(&cost(&b.1)).then(a.1.calls.cmp(&b.1.calls)));
        callees.sort_by(|a, b| {
            let [of_a, of_b] = [a, b].map(|(_, edge)| edge.in_caller.total_nanos);
            of_b.total_cmp(&of_a).then(b.1.calls.cmp(&a.1.calls))
        });
        let mut sum = Edge::default();
        for (_, edge) in &callers {
            sum.calls = sum.calls.saturating_add(edge.calls);
            sum.timed = sum.timed.saturating_add(edge.timed);
            sum.of_callee = sum.of_callee.plus(edge.of_callee);
        }
        Stanza { method, callers, callees, sum }
    }
}

/// Of each node, as total time: the time that its caller spent in it, without the caller's own
/// recursive calls below. Sums over the callees of all calls of a method then count recursion
/// once.
fn times_in_callers(shown: &Shown) -> Vec<Times> {
    let tree = &shown.tree;
    let mut in_callers = vec![Times::default(); tree.len()];
    // By frame, the open nodes with it, from the outermost to the innermost.
    let mut open: HashMap<FrameKey, Vec<NodeIx>> = HashMap::new();
    let mut path: Vec<NodeIx> = Vec::new();
    for node in shown.all_nodes() {
        let depth = tree.depth(node) as usize;
        for closed in path.drain(depth.min(path.len())..) {
            if let Some(nodes) = open.get_mut(&key(tree.frame(closed))) {
                nodes.pop();
            }
        }
        let total = shown.times_or_measured(node).total_only();
        in_callers[node.0 as usize] = in_callers[node.0 as usize].plus(total);
        let nodes = open.entry(key(tree.frame(node))).or_default();
        if let Some(outer) = nodes.last() {
            // The callee of the enclosing call by which this call was reached.
            let through = path.get(tree.depth(*outer) as usize + 1).copied().unwrap_or(node);
            let place = &mut in_callers[through.0 as usize];
            *place = Times {
                total_nanos: place.total_nanos - total.total_nanos,
                total_error_nanos: place.total_error_nanos,
                ..*place
            };
        }
        nodes.push(node);
        path.push(node);
    }
    // A direct recursive call takes no time in its caller.
    for times in &mut in_callers {
        if times.total_nanos == 0.0 {
            times.total_error_nanos = 0.0;
        }
    }
    in_callers
}
