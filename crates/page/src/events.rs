//! Why threads did not run, and what they threw, for a page.

use jfathom_profile::{EventKind, EventName, Frame, NodeIx};
use jfathom_views::{NameSum, Shown};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Most rows of classes in a page.
const MOST_ROWS: usize = 4096;

/// In place of the class of caught exceptions of which it is not known.
const UNKNOWN_CLASS: &str = "(class not known)";

/// For how long threads did not run in a node, by kind, in ns.
pub(crate) fn waits(shown: &Shown, node: NodeIx) -> [u64; EventKind::ALL.len()] {
    let mut nanos = [0; EventKind::ALL.len()];
    for sum in shown.event_kinds(node) {
        if let Some(at) = EventKind::ALL.iter().position(|kind| *kind == sum.kind) {
            nanos[at] = sum.nanos.round() as u64;
        }
    }
    nanos
}

/// The events of methods themselves that name a class, and caught exceptions, the longest first:
/// place of the method's frame, kind, class, count and ns.
pub(crate) fn class_rows(shown: &Shown, place: &mut dyn FnMut(Frame) -> u32) -> Vec<Value> {
    let mut sums: BTreeMap<(u32, EventName), (u64, f64)> = BTreeMap::new();
    for node in shown.all_nodes() {
        let has_row =
            |sum: &NameSum| sum.name.class.is_some() || sum.name.kind == EventKind::Caught;
        for sum in shown.event_names(node).into_iter().filter(has_row) {
            let frame = place(shown.tree.frame(node));
            let (count, nanos) = sums.entry((frame, sum.name)).or_default();
            *count = count.saturating_add(sum.count);
            *nanos += sum.nanos;
        }
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|(_, a), (_, b)| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
    rows.truncate(MOST_ROWS);
    let rows = rows.into_iter().map(|((frame, name), (count, nanos))| {
        let class = name.class.as_deref().unwrap_or(UNKNOWN_CLASS);
        json!([frame, name.kind.as_str(), class, count, nanos.round() as u64])
    });
    rows.collect()
}
