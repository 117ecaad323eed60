//! What a page has of its nodes beside calls and times: columns, each with how to show it.

use crate::{columns::Columns, events::waits};
use jfathom_compare::{
    Certainty, Column, ColumnUnit, ContextDiff, Diff, Prominence, Value as Cell,
};
use jfathom_profile::{EventKind, NodeIx};
use jfathom_views::Shown;
use serde_json::{Value, json};

/// A column of the tree of a page.
#[derive(Debug)]
pub(crate) struct Metric {
    /// Key, title, unit, and where it stands: what a page needs to know.
    head: Value,
    /// By node: its own number, zero for none.
    own: Vec<u64>,
    /// By node: how certain its own number and that with all below it are, as [`code`] has it.
    certainty: Vec<u64>,
    /// By node: the baseline's own number; empty without a baseline.
    base: Vec<u64>,
}

/// The columns of a profile that people see, and for how long threads did not run, by kind of
/// event.
pub(crate) fn of_profile(shown: &Shown, nodes: &[NodeIx]) -> Vec<Metric> {
    let columns: Vec<&Column> = Column::seen(shown.profile, Prominence::Detail).collect();
    let mut metrics: Vec<Metric> = columns.iter().map(|column| Metric::of(column)).collect();
    let mut kinds = EventKind::ALL.map(Metric::of_event);
    for node in nodes {
        let cells = shown.cells(*node);
        for (metric, column) in metrics.iter_mut().zip(&columns) {
            let [own, total] = column.values(&cells);
            metric.own.push(whole(own));
            metric.certainty.push(code([own, total]));
        }
        for (metric, nanos) in kinds.iter_mut().zip(waits(shown, *node)) {
            metric.own.push(nanos);
        }
    }
    metrics.extend(kinds);
    metrics
}

/// The columns of a difference that people see where both sides have them, and for how long threads
/// did not run in the candidate. `waits` has these, by context and kind.
pub(crate) fn of_difference(
    diff: &Diff,
    waits: impl Fn(&ContextDiff) -> [u64; EventKind::ALL.len()],
) -> Vec<Metric> {
    let columns = diff.seen(Prominence::Detail);
    let mut metrics: Vec<Metric> = columns.iter().map(|(_, column)| Metric::of(column)).collect();
    let mut kinds = EventKind::ALL.map(Metric::of_event);
    let none = Cell::exact(0.0);
    for context in &diff.contexts {
        for (metric, (at, _)) in metrics.iter_mut().zip(&columns) {
            let of = context.columns.get(*at).copied().unwrap_or_default();
            let (base, new) = (of.base.unwrap_or(none), of.new.unwrap_or(none));
            let certain = if of.is_unread() { Cell::NOT_READ } else { new };
            metric.own.push(whole(new));
            metric.base.push(whole(base));
            metric.certainty.push(code([certain, certain]));
        }
        for (metric, nanos) in kinds.iter_mut().zip(waits(context)) {
            metric.own.push(nanos);
        }
    }
    metrics.extend(kinds);
    metrics
}

/// Which columns of a method are not exact, by key, as [`code`] has it; none if all are.
pub(crate) fn uncertain<'a>(
    values: impl Iterator<Item = (&'a Column, [Cell; 2])>,
) -> Option<Value> {
    let codes = values.map(|(column, values)| (column.key.to_owned(), code(values)));
    let codes: serde_json::Map<_, _> =
        codes.filter(|(_, code)| *code != 0).map(|(key, code)| (key, json!(code))).collect();
    (!codes.is_empty()).then_some(Value::Object(codes))
}

impl Metric {
    fn of(column: &Column) -> Self {
        Self::new(json!({
            "key": column.key,
            "title": column.titles[1],
            "unit": unit(column.unit),
            "listed": column.prominence == Prominence::Listed,
            "about": column.about,
        }))
    }

    /// For how long threads did not run because of a kind of event.
    fn of_event(kind: EventKind) -> Self {
        Self::new(json!({
            "key": format!("wait-{kind}"),
            "title": kind.as_str(),
            "unit": unit(ColumnUnit::Nanos),
            "group": "waits",
        }))
    }

    fn new(head: Value) -> Self {
        Self { head, own: Vec::new(), certainty: Vec::new(), base: Vec::new() }
    }

    /// Adds it in the order of the page's nodes. Returns what the page needs to know of it: nothing
    /// if all its numbers are zero.
    pub(crate) fn add(&self, columns: &mut Columns, order: &[u32]) -> Option<Value> {
        if self.own.iter().chain(&self.base).all(|number| *number == 0) {
            return None;
        }
        let key = self.head["key"].as_str().unwrap_or_default();
        let parts = [("", &self.own), ("-certainty", &self.certainty), ("-base", &self.base)];
        for (part, numbers) in parts {
            let sorted = order.iter().map(|at| numbers.get(*at as usize).copied().unwrap_or(0));
            columns.add_sparse(&format!("{key}{part}"), sorted);
        }
        Some(self.head.clone())
    }
}

fn unit(unit: ColumnUnit) -> &'static str {
    match unit {
        ColumnUnit::Nanos => "ns",
        ColumnUnit::Bytes => "bytes",
        ColumnUnit::Count => "count",
    }
}

fn whole(value: Cell) -> u64 {
    value.number.round() as u64
}

/// How certain a thing's own number and that with all below it are, as a page reads it: 0 for a
/// number, 1 for a lower bound, 2 for none; that of the second one times three.
fn code([own, total]: [Cell; 2]) -> u64 {
    let code = |of: Cell| match of.certainty {
        Certainty::Exact | Certainty::Within(_) => 0,
        Certainty::AtLeast(_) => 1,
        Certainty::NotRead => 2,
    };
    code(own) + 3 * code(total)
}
