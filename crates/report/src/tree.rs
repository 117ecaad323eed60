//! The call tree as text.

use crate::{
    chain::Chain,
    counted::TIMED_LEGEND,
    events,
    number::{grouped, percent, signed, time_format},
    resumed,
    room::has_little,
    samples::{self, SampledRow},
    table::Table,
    view::View,
};
use jfathom_profile::{Frame, NodeIx, SampleCounts, SampleIx};
use jfathom_views::{Pruned, ThreadTrees, blocked_nanos, text_columns, value_text};
use std::io::{self, Write};

/// What a tree with chains says of them.
pub(crate) const CHAIN_LEGEND: &str =
    "a › b: a calls b as often as it is called, and takes next to no time itself";

/// What is still to be written.
#[derive(Clone, Copy)]
enum Row {
    Recorded(NodeIx),
    /// A frame without a probe, and the samples in the recorded method above it.
    Sampled(SampleIx, SampleCounts),
}

/// The column that a narrow terminal has no room for.
const SELF: usize = 2;

/// Writes the call tree, the costliest children first.
pub(crate) fn write(shown: &Pruned, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let tree = &shown.tree;
    let has_counted = shown.nodes().any(|node| tree.counted(node) > 0);
    let is_narrow = has_little(shown, view.width);
    let mut titles = vec!["%", "total"];
    if !is_narrow {
        titles.push("self");
    }
    titles.push("calls");
    if has_counted {
        titles.push("timed");
    }
    let more = text_columns(shown.profile);
    for [own, total] in more.iter().map(|column| column.titles) {
        titles.push(total);
        titles.extend((!is_narrow).then_some(own));
    }
    let has_events = shown.has_events();
    titles.extend(has_events.then_some(events::WHY));
    let sampled = shown.samples.as_ref().filter(|samples| !samples.all().is_zero());
    titles.extend(sampled.map(|_| samples::TITLE));
    let columns = titles.len();
    let time = time_format(view.width);
    let mut table = Table::new(&titles, "call path");
    let (mut written, mut folded, mut has_resumed) = (0_u64, false, false);
    // A stack of its own: a recorded path may be deeper than the stack of this thread.
    let levels =
        |nodes: Vec<NodeIx>, level: usize| nodes.into_iter().map(move |node| (node, level));
    let recorded = |(node, level)| (Row::Recorded(node), level);
    let mut stack: Vec<(Row, usize)> =
        levels(shown.by_cost(shown.roots.iter().copied()), 0).map(recorded).collect();
    while let Some((row, level)) = stack.pop() {
        let is_deep = view.depth.is_some_and(|depth| level > depth as usize);
        let node = match (row, sampled) {
            (Row::Recorded(node), _) => node,
            (Row::Sampled(..), None) => continue,
            (Row::Sampled(of, within), Some(samples)) => {
                if is_deep || samples::is_small(samples, of, view.threshold) {
                    continue;
                }
                let row = SampledRow::from(samples, of, within, view.fold_chains);
                let mut cells = vec![String::new(); columns];
                cells[columns - 1] = samples::cell(samples.sampled(row.first));
                let below = samples.callees(row.last).into_iter().rev();
                stack.extend(below.map(|callee| (Row::Sampled(callee, within), level + 1)));
                table.row_of(cells, level, move |width| row.label(width));
                continue;
            }
        };
        if !shown.shows(node) || shown.is_small(node) {
            continue;
        }
        let chain = Chain::from(shown, node, view.fold_chains);
        written += chain.len();
        folded |= chain.len() > 1;
        has_resumed |= chain.has_resumed(shown);
        let mut cells = cells(shown, chain.last, has_counted, time);
        if is_narrow {
            cells.remove(SELF);
        }
        let values = shown.cells(node);
        for column in &more {
            let [own, total] = column.values(&values).map(|value| value_text(column, value));
            cells.push(total);
            cells.extend((!is_narrow).then_some(own));
        }
        if has_events {
            let kinds = shown.total_event_kinds(node);
            let [_, blocked] = blocked_nanos(&values);
            let blocked = events::with_waits(shown.profile, blocked);
            cells.push(events::cell(&kinds, blocked, shown.total(node), is_narrow));
        }
        if let Some(samples) = sampled {
            let within = samples.total(chain.last);
            cells.push(samples::cell(within));
            let below = samples.below(chain.last).into_iter().rev();
            stack.extend(below.map(|callee| (Row::Sampled(callee, within), level + 1)));
        }
        let below = levels(shown.by_cost(tree.children(chain.end(shown))), level + 1);
        stack.extend(below.map(recorded));
        table.row_of(cells, level, move |width| chain.label(shown, width));
    }
    let threads = match view.scope.threads {
        ThreadTrees::Merged => ", threads added up",
        ThreadTrees::Each | ThreadTrees::Pools => "",
    };
    write_line!(out, "call tree{threads}")?;
    table.write(view.width, out)?;
    if has_counted && !view.has_legend_at_end {
        write_line!(out, "{TIMED_LEGEND}")?;
    }
    if has_resumed && !view.has_legend_at_end {
        write_line!(out, "{}", resumed::RESUMED_LEGEND)?;
    }
    if folded && !view.has_legend_at_end {
        write_line!(out, "{CHAIN_LEGEND}")?;
    }
    if sampled.is_some() && !view.has_legend_at_end {
        write_line!(out, "{}", samples::LEGEND)?;
    }
    let all: u64 = shown.roots.iter().map(|root| tree.subtree(*root).len() as u64).sum();
    if written < all {
        let deeper =
            view.depth.map(|depth| format!(" or are deeper than {depth}")).unwrap_or_default();
        write_line!(
            out,
            "{} of {} nodes; the others have less than {} % of the time{deeper}",
            grouped(written),
            grouped(all),
            view.threshold
        )?;
    }
    Ok(())
}

fn cells(
    shown: &Pruned,
    node: NodeIx,
    has_counted: bool,
    time: fn(f64, f64) -> String,
) -> Vec<String> {
    let tree = &shown.tree;
    let (own, total) = match shown.times(node) {
        Some(times) => (
            time(times.self_nanos, times.self_error_nanos),
            time(times.total_nanos, times.total_error_nanos),
        ),
        None => (signed(shown.self_time(node)), signed(shown.total(node))),
    };
    let (own, calls) = match tree.frame(node) {
        Frame::Thread(_) => (String::new(), String::new()),
        _ if shown.is_between(node) => (String::new(), String::new()),
        _ => (own, grouped(tree.calls(node))),
    };
    let mut cells = vec![percent(shown.total(node), shown.whole), total, own, calls];
    if !shown.has_time(node) {
        // Its time is the caller's, but not that of the timed calls below it.
        let without = if shown.has_total(node) { 2..3 } else { 0..3 };
        cells[without].iter_mut().for_each(String::clear);
    }
    if has_counted {
        cells.push(match tree.counted(node) {
            0 => String::new(),
            _ => grouped(tree.timed(node)),
        });
    }
    cells
}
