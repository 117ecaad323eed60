//! The call paths of both sides.

use super::{
    KindOfRoot,
    numbers::{Calls, ColumnChange, Columns, EventRow, Time, columns, events},
};
use crate::{
    diff::{tree, view::DiffView},
    json::Stream,
};
use jfathom_compare::{ContextDiff, ContextFrame, RootKind};
use jfathom_views::Comparison;

/// The contexts that are shown; all where the threshold is zero.
pub(super) fn contexts<'a>(
    compared: &'a Comparison<'_>,
    view: &DiffView,
) -> Stream<'a, Context<'a>> {
    let contexts = &compared.diff.contexts;
    let shown = match view.threshold {
        0.0 => vec![true; contexts.len()],
        threshold => tree::shown(compared.diff, threshold, &tree::ends(contexts)),
    };
    // Places in the list of the ancestors of the context at hand, one for each level.
    let mut path: Vec<usize> = Vec::new();
    let shown = contexts.iter().zip(shown).filter(|(_, shown)| *shown);
    Stream::of(shown.enumerate().map(move |(place, (context, _))| {
        path.truncate(context.depth as usize);
        let parent = path.last().copied();
        path.push(place);
        let (kind, of) = match context.frame {
            ContextFrame::Method(of) => (RootKind::Method, of),
            ContextFrame::Task(of) => (RootKind::Task, of),
        };
        Context::of(compared, context, parent, kind, of)
    }))
}

object! {
    Context<'a>(
        compared: &'a Comparison<'_>, context: &'a ContextDiff, parent: Option<usize>,
        kind: RootKind, method: usize,
    ) {
        calls: Calls = Calls::of(&context.calls),
        /// a side may have [folded](../how-to/long-recordings.md) calls; `calls.growth` is null
        calls_unknown: bool = context.calls.is_unknown,
        /// of its last frame
        columns: Columns<ColumnChange> =
            columns(compared.diff, &context.columns, ColumnChange::of),
        events: Option<Vec<EventRow<'a>>> = events(&compared.diff.events, &context.events),
        #[serde(with = "KindOfRoot")]
        kind: RootKind = kind,
        /// place in `methods`
        of: usize = method,
        /// place here
        parent: Option<usize> = parent,
        #[serde(rename = "self")]
        own: Time = Time::of(&context.self_time),
        total: Time = Time::of(&context.total_time),
    }
}
