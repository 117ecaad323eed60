//! The table of why threads did not run, and what they threw.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, method_key, nanos},
};
use jfathom_profile::{EventKind, EventName, Frame, NodeIx, Profile};
use jfathom_views::{NameSum, Shown};
use std::ops::Range;

/// The events of a profile: those of its call paths in the order of the nodes, then those outside
/// of recorded calls.
pub(crate) struct EventRows {
    run: RunId,
    rows: Vec<EventRow>,
}

struct EventRow {
    /// None outside of recorded calls.
    node: Option<NodeIx>,
    /// The key of the node's method. None for threads.
    method: Option<i64>,
    sum: NameSum,
}

impl EventRows {
    pub fn new(profile: &Profile, shown: &Shown) -> Self {
        let tree = &shown.tree;
        let key = |node| match tree.frame(node) {
            Frame::Method(at) | Frame::Task(at) => Some(method_key(&profile.method(at).info.key)),
            Frame::Thread(_) => None,
        };
        let mut rows = Vec::new();
        for node in tree.nodes() {
            let sums = shown.event_names(node).into_iter();
            rows.extend(sums.map(|sum| EventRow { node: Some(node), method: key(node), sum }));
        }
        let outside = profile.events.outside.iter().map(|(name, sum)| NameSum {
            name: name.clone(),
            count: sum.count,
            nanos: shown.nanos(sum.time),
        });
        rows.extend(outside.map(|sum| EventRow { node: None, method: None, sum }));
        Self { run: RunId::of(profile), rows }
    }
}

impl Rows for EventRows {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let rows = || self.rows[rows.clone()].iter();
        let names = || rows().map(|row| &row.sum.name);
        let time = |row: &EventRow| row.sum.name.kind.has_time().then(|| nanos(row.sum.nanos));
        vec![
            Cells::int64s(rows().map(|_| self.run.0)),
            Cells::optional_int32s(rows().map(|row| Some(row.node?.0 as i32))),
            Cells::optional_int64s(rows().map(|row| row.method)),
            Cells::texts(names().map(|EventName { kind, .. }| EventKind::as_str(*kind))),
            Cells::optional_texts(names().map(|name| name.class.as_deref())),
            Cells::int64s(rows().map(|row| count(row.sum.count))),
            Cells::optional_int64s(rows().map(time)),
        ]
    }
}
