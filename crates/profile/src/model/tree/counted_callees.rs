//! In which node's time calls were counted.
//!
//! A counted call is in the time of the innermost call that was timed. Where that one is unflushed,
//! it stands below a node above. So what stands below a node is spread over the node and the
//! unflushed calls in it, in proportion to their self times.

use super::has_callers_time;
use crate::model::columns::Columns;
use crate::model::metric::Metric;
use crate::model::packed_numbers::PackedNumbers;

/// What is needed of a node that has time of its own.
struct Timed {
    node: usize,
    /// Its place among these nodes' parents; none below no such node.
    parent: Option<usize>,
    self_ticks: f64,
    /// Share of its calls that is unflushed.
    unflushed: f64,
    /// Calls that were counted in it, and in unflushed calls in it.
    counted: u64,
}

/// The calls that were counted in the time of each node; empty without any.
pub(super) fn counted_callees(columns: &Columns) -> PackedNumbers {
    if columns.numbers[Metric::Counted].is_empty() {
        return PackedNumbers::default();
    }
    let nodes = timed_nodes(columns);
    let spread = match columns.numbers[Metric::Unflushed].is_empty() {
        true => nodes.iter().map(|of| of.counted).collect(),
        false => spread(&nodes),
    };
    PackedNumbers::filled(columns.depths.len(), |set| {
        for (of, counted) in nodes.iter().zip(&spread) {
            set(of.node, *counted);
        }
    })
}

/// The nodes with time of their own, in preorder.
fn timed_nodes(columns: &Columns) -> Vec<Timed> {
    let mut nodes: Vec<Timed> = Vec::new();
    // For each node on the path: the innermost one with time of its own at or above it.
    let mut path: Vec<Option<usize>> = Vec::new();
    for (node, (frame, depth)) in columns.frames.iter().zip(&columns.depths).enumerate() {
        let [timed, self_ticks, counted, unflushed] =
            [Metric::Timed, Metric::SelfTime, Metric::Counted, Metric::Unflushed]
                .map(|metric| columns.number(metric, node));
        path.truncate(*depth as usize);
        let parent = path.last().copied().flatten();
        if let Some(parent) = parent.and_then(|parent| nodes.get_mut(parent)) {
            parent.counted = parent.counted.saturating_add(counted);
        }
        if has_callers_time(*frame, *depth, timed, self_ticks) {
            path.push(parent);
            continue;
        }
        path.push(Some(nodes.len()));
        let unflushed = unflushed as f64 / timed.max(1) as f64;
        let self_ticks = self_ticks as f64;
        nodes.push(Timed { node, parent, self_ticks, unflushed, counted: 0 });
    }
    nodes
}

/// What each node gets of its counted calls and those of the nodes above.
fn spread(nodes: &[Timed]) -> Vec<u64> {
    // Its self time, and that of the unflushed calls in it.
    let mut with_unflushed: Vec<f64> = nodes.iter().map(|of| of.self_ticks).collect();
    for (at, of) in nodes.iter().enumerate().rev() {
        if let Some(parent) = of.parent {
            with_unflushed[parent] += of.unflushed * with_unflushed[at];
        }
    }
    // Counted calls per tick.
    let mut rates: Vec<f64> = Vec::with_capacity(nodes.len());
    let mut counted = Vec::with_capacity(nodes.len());
    for (of, ticks) in nodes.iter().zip(with_unflushed) {
        let above = of.parent.map_or(0.0, |parent| rates[parent]);
        let (rate, kept) = match ticks > 0.0 {
            true => (of.unflushed * above + of.counted as f64 / ticks, 0),
            false => (of.unflushed * above, of.counted),
        };
        rates.push(rate);
        counted.push(kept.saturating_add((rate * of.self_ticks).round() as u64));
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, MethodIx, NodeNumbers, ThreadIx};

    /// Depth, timed calls, unflushed ones, self time and counted calls.
    type Row = (u32, u64, u64, u64, u64);

    fn of(rows: &[Row]) -> Vec<u64> {
        let frame = |depth: u32| match depth {
            0 => Frame::Thread(ThreadIx(0)).pack(),
            _ => Frame::Method(MethodIx(depth)).pack(),
        };
        let mut columns = Columns::default();
        for (depth, timed, unflushed, ticks, counted) in rows.iter().copied() {
            let numbers = NodeNumbers::of(&[
                (Metric::Timed, timed),
                (Metric::Unflushed, unflushed),
                (Metric::SelfTime, ticks),
                (Metric::Counted, counted),
            ]);
            columns.push(frame(depth), depth, &numbers);
        }
        columns.complete();
        let counted = counted_callees(&columns);
        (0..rows.len()).map(|node| counted.get(node).unwrap_or(0)).collect()
    }

    #[test]
    fn calls_are_in_the_innermost_time() {
        let rows = [(0, 1, 0, 0, 0), (1, 2, 0, 30, 0), (2, 0, 0, 0, 5), (3, 4, 0, 70, 0)];
        let more = [(4, 0, 0, 0, 9), (2, 0, 0, 0, 3)];
        assert_eq!(of(&[&rows[..], &more].concat()), [0, 8, 0, 9, 0, 0]);
    }

    /// Three of four calls are unflushed: a quarter of the time has its own counts.
    #[test]
    fn calls_of_untold_ones_are_spread_by_time() {
        let rows = [
            (0, 1, 0, 0, 0),
            (1, 1, 0, 100, 0),
            (2, 0, 0, 0, 700),
            (2, 4, 3, 800, 0),
            (3, 0, 0, 0, 400),
        ];
        // 700 calls in 100 + 600 ticks, and 400 in 800: of flushed calls, and from above.
        let rate = 700.0 / 700.0;
        let below = 400 + (0.75 * rate * 800.0) as u64;
        assert_eq!(of(&rows), [0, 100, 0, below, 0]);
        // Nothing is lost where no time is known.
        let still =
            rows.map(|(depth, timed, unflushed, _, counted)| (depth, timed, unflushed, 0, counted));
        assert_eq!(of(&still).iter().sum::<u64>(), 1_100);
    }
}
