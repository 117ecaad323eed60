//! The table of the methods' sums.

use crate::{
    cells::Cells,
    key::{RunId, count, method_key, nanos},
    rows::Rows,
};
use jfathom_compare::HotMethod;
use jfathom_profile::Profile;
use jfathom_views::{Shown, Sort};
use std::ops::Range;

/// The sums of a profile's methods, by key.
pub(crate) struct TotalRows {
    run: RunId,
    is_corrected: bool,
    sums: Vec<(i64, HotMethod)>,
}

impl TotalRows {
    pub fn new(profile: &Profile, shown: &Shown) -> Self {
        let sums = shown.hot_methods(Sort::SelfTime).into_iter();
        let key = |sum: &HotMethod| method_key(&profile.method(sum.method).info.key);
        let mut sums: Vec<(i64, HotMethod)> = sums.map(|sum| (key(&sum), sum)).collect();
        sums.sort_unstable_by_key(|(key, sum)| (*key, sum.method));
        Self { run: RunId::of(profile), is_corrected: shown.is_corrected(), sums }
    }
}

impl Rows for TotalRows {
    fn len(&self) -> usize {
        self.sums.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let sums = || self.sums[rows.clone()].iter();
        // Counted calls have no time.
        let times = |time: fn(&HotMethod) -> f64| {
            sums().map(move |(_, sum)| (sum.timed > 0).then(|| nanos(time(sum))))
        };
        let bars =
            |bar: fn(&HotMethod) -> f64| times(bar).map(|bar| bar.filter(|_| self.is_corrected));
        vec![
            Cells::int64s(sums().map(|_| self.run.0)),
            Cells::int64s(sums().map(|(key, _)| *key)),
            Cells::int64s(sums().map(|(_, sum)| count(sum.calls))),
            Cells::int64s(sums().map(|(_, sum)| count(sum.timed))),
            Cells::optional_int64s(times(|sum| sum.times.self_nanos)),
            Cells::optional_int64s(bars(|sum| sum.times.self_error_nanos)),
            Cells::optional_int64s(times(|sum| sum.times.total_nanos)),
            Cells::optional_int64s(bars(|sum| sum.times.total_error_nanos)),
        ]
    }
}
