//! Leaving out call paths.

use jfathom_calibration::Times;
use jfathom_compare::MethodSet;
use jfathom_profile::{Frame, Metric, NodeIx, NodeNumbers, Tree};

/// Which call paths a filter keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// Only paths through a selected method. Its callers stay, without their self time.
    Focus,
    /// Only paths without a selected method.
    Ignore,
    /// All paths, up to the first selected method: the time of its callees is added to its own.
    Fold,
}

/// A filter of call paths by the methods on them.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Which paths it keeps.
    pub kind: FilterKind,
    /// The methods that it looks for.
    pub methods: MethodSet,
}

impl Filter {
    /// The tree without the paths that the filter leaves out, and the corrected times of its nodes;
    /// none if `times` is empty.
    pub fn apply(&self, tree: &Tree, times: &[Times]) -> (Tree, Vec<Times>) {
        let is_selected = |node: NodeIx| match tree.frame(node) {
            Frame::Method(method) => self.methods.contains(method),
            Frame::Thread(_) | Frame::Task(_) => false,
        };
        match self.kind {
            FilterKind::Focus => focus(tree, times, is_selected),
            FilterKind::Ignore => {
                let (ignored, kept) =
                    tree.retain(|node| (!is_selected(node)).then(|| tree.numbers(node)));
                let times = kept.iter().filter_map(|node| times.get(node.0 as usize)).copied();
                let times = with_totals(&ignored, times.collect());
                (ignored, times)
            }
            FilterKind::Fold => fold(tree, times, is_selected),
        }
    }
}

fn focus(tree: &Tree, times: &[Times], is_selected: impl Fn(NodeIx) -> bool) -> (Tree, Vec<Times>) {
    let len = tree.len();
    // Where the outermost selected frame that encloses a node ends.
    let mut inside = vec![false; len];
    let mut leads_there = vec![false; len];
    let mut path: Vec<NodeIx> = Vec::new();
    let mut until = 0;
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        path.push(node);
        if node.0 >= until && is_selected(node) {
            until = tree.subtree(node).end;
            // Ancestors of a node that leads there lead there as well.
            for above in path.iter().rev().skip(1) {
                if std::mem::replace(&mut leads_there[above.0 as usize], true) {
                    break;
                }
            }
        }
        inside[node.0 as usize] = node.0 < until;
    }
    let numbers = |node: NodeIx| {
        let at = node.0 as usize;
        match (inside[at], leads_there[at]) {
            (true, _) => Some(tree.numbers(node)),
            (false, true) => Some(NodeNumbers::new(|metric| match metric {
                Metric::CountRecords => 0,
                _ if metric.info().has_total => 0,
                _ => tree.number(metric, node),
            })),
            (false, false) => None,
        }
    };
    // What leads there keeps no numbers of its own.
    let (focused, kept) =
        tree.retain_with(numbers, |node| node.0..node.0 + u32::from(inside[node.0 as usize]));
    let of_node = |node: &NodeIx| {
        let times = times.get(node.0 as usize).copied()?;
        Some(if inside[node.0 as usize] { times } else { times.total_only() })
    };
    let times = kept.iter().filter_map(of_node).collect();
    let times = with_totals(&focused, times);
    (focused, times)
}

fn fold(tree: &Tree, times: &[Times], is_selected: impl Fn(NodeIx) -> bool) -> (Tree, Vec<Times>) {
    let mut folded_until = 0;
    let numbers = |node: NodeIx| {
        if node.0 < folded_until {
            return None;
        }
        if !is_selected(node) {
            return Some(tree.numbers(node));
        }
        folded_until = tree.subtree(node).end;
        Some(NodeNumbers::new(|metric| match metric.info().has_total {
            true => tree.total(metric, node),
            false => tree.number(metric, node),
        }))
    };
    let events = |node: NodeIx| match is_selected(node) {
        true => tree.subtree(node),
        false => node.0..node.0 + 1,
    };
    let (folded, kept) = tree.retain_with(numbers, events);
    let of_node = |node: &NodeIx| {
        let times = times.get(node.0 as usize).copied()?;
        Some(match is_selected(*node) {
            true => Times {
                self_nanos: times.total_nanos,
                self_error_nanos: times.total_error_nanos,
                self_between_runs_nanos: times.total_between_runs_nanos,
                ..times
            },
            false => times,
        })
    };
    let times = kept.iter().filter_map(of_node).collect();
    (folded, times)
}

/// Times whose totals are the sums of self times. A total's bar is not wider than it was, nor than
/// the sum of its parts' bars.
fn with_totals(tree: &Tree, mut times: Vec<Times>) -> Vec<Times> {
    if times.len() != tree.len() {
        return times;
    }
    for node in tree.nodes().rev() {
        let own = times[node.0 as usize];
        let [mut total, mut error, mut between] =
            [own.self_nanos, own.self_error_nanos, own.self_between_runs_nanos];
        for child in tree.children(node) {
            let child = times[child.0 as usize];
            total += child.total_nanos;
            error += child.total_error_nanos;
            between += child.total_between_runs_nanos;
        }
        times[node.0 as usize] = Times {
            total_nanos: total,
            total_error_nanos: own.total_error_nanos.min(error),
            total_between_runs_nanos: own.total_between_runs_nanos.min(between),
            total_queue_nanos: own.total_queue_nanos.min(error),
            ..own
        };
    }
    times
}
