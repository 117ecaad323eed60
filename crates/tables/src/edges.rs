//! The table of callers and callees.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, method_key, nanos},
};
use jfathom_profile::{Frame, Profile};
use jfathom_views::{Edge, Edges, Shown};
use std::{collections::BTreeMap, ops::Range};

/// The edges of a profile's call graph, by callee.
pub(crate) struct EdgeRows {
    run: RunId,
    is_corrected: bool,
    edges: Vec<(Ends, Edge)>,
}

/// What the edges are sorted by. All threads are one caller without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ends {
    callee: i64,
    to_task: bool,
    caller: Option<i64>,
    from_task: bool,
}

impl EdgeRows {
    pub fn new(profile: &Profile, shown: &Shown) -> Self {
        let mut edges: BTreeMap<Ends, Edge> = BTreeMap::new();
        let end = |frame| match frame {
            Frame::Method(at) => Some((method_key(&profile.method(at).info.key), false)),
            Frame::Task(at) => Some((method_key(&profile.method(at).info.key), true)),
            Frame::Thread(_) => None,
        };
        for (caller, callee, edge) in Edges::of(shown).all() {
            let Some((callee, to_task)) = end(callee) else { continue };
            let (caller, from_task) = match caller.and_then(end) {
                Some((caller, from_task)) => (Some(caller), from_task),
                None => (None, false),
            };
            let sum = edges.entry(Ends { callee, to_task, caller, from_task }).or_default();
            sum.calls = sum.calls.saturating_add(edge.calls);
            sum.timed = sum.timed.saturating_add(edge.timed);
            sum.in_caller = sum.in_caller.plus(edge.in_caller);
        }
        Self {
            run: RunId::of(profile),
            is_corrected: shown.is_corrected(),
            edges: edges.into_iter().collect(),
        }
    }
}

impl Rows for EdgeRows {
    fn len(&self) -> usize {
        self.edges.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let edges = || self.edges[rows.clone()].iter();
        let times = |time: fn(&Edge) -> f64| {
            edges().map(move |(_, edge)| edge.has_time().then(|| nanos(time(edge))))
        };
        let bars = |bar| times(bar).map(|bar| bar.filter(|_| self.is_corrected));
        vec![
            Cells::int64s(edges().map(|_| self.run.0)),
            Cells::optional_int64s(edges().map(|(ends, _)| ends.caller)),
            Cells::bools(edges().map(|(ends, _)| ends.from_task)),
            Cells::int64s(edges().map(|(ends, _)| ends.callee)),
            Cells::bools(edges().map(|(ends, _)| ends.to_task)),
            Cells::int64s(edges().map(|(_, edge)| count(edge.calls))),
            Cells::int64s(edges().map(|(_, edge)| count(edge.timed))),
            Cells::optional_int64s(times(|edge| edge.in_caller.total_nanos)),
            Cells::optional_int64s(bars(|edge| edge.in_caller.total_error_nanos)),
        ]
    }
}
