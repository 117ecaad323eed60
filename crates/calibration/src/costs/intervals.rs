//! Probe costs in the program itself, from the times between its neighbouring records.

use jfathom_profile::{RecordIntervals, RecordKind, TickRate};

use super::Costs;
use crate::{cost::Cost, fitted};

/// The costs of calibration loops, moved by what the recording's own intervals show.
pub(super) fn adjust(loops: Costs, intervals: &[RecordIntervals], rate: TickRate) -> Costs {
    let low = |from, to, loop_nanos: f64| {
        let found = intervals.iter().find(|found| (found.from, found.to) == (from, to))?;
        low_part(found, loop_nanos, rate)
    };
    let inner = low(RecordKind::Entry, RecordKind::Return, loops.inner.nanos);
    let half = loops.pair_nanos() / 2.0;
    // Down and up again in two steps, where few calls follow one another within their caller.
    let down_and_up = || {
        Some(
            low(RecordKind::Entry, RecordKind::Entry, half)?
                + low(RecordKind::Return, RecordKind::Return, half)?,
        )
    };
    let outer = low(RecordKind::Return, RecordKind::Entry, loops.outer.nanos)
        .or_else(|| Some(down_and_up()? - inner.unwrap_or(loops.inner.nanos)));
    let moved = |cost: Cost, by: f64| Cost {
        nanos: cost.nanos + by,
        error_nanos: cost.error_nanos.hypot(by / 2.0),
    };
    let inner = inner.map_or(0.0, |inner| inner - loops.inner.nanos);
    let outer = outer.map_or(0.0, |outer| outer - loops.outer.nanos);
    Costs {
        inner: moved(loops.inner, inner),
        inner_throw: moved(loops.inner_throw, inner),
        outer: moved(loops.outer, outer),
        outer_throw: moved(loops.outer_throw, outer),
        ..loops
    }
}

/// The mean of the intervals near `loop_nanos`, which contain next to no work, in nanoseconds. None
/// where there are too few of them.
///
/// It is not their minimum: that is as far below their cost in the program as the longest are
/// above. It is not their median: some processors' clocks go on in steps of 10 ns, and there one
/// time says little where many say a lot.
fn low_part(intervals: &RecordIntervals, loop_nanos: f64, rate: TickRate) -> Option<f64> {
    let low = loop_nanos * fitted::INTERVAL_LOW_SHARE;
    let high = loop_nanos + fitted::INTERVAL_WORK_NANOS;
    let share = intervals.share_between(low, high, rate);
    let enough = share >= fitted::INTERVAL_MIN_SHARE
        && share * intervals.count() as f64 >= fitted::INTERVAL_MIN_COUNT;
    enough.then(|| intervals.mean_between(low, high, rate))
}
