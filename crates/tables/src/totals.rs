//! The table of the methods' sums.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, count, method_key, nanos},
};
use jfathom_calibration::Times;
use jfathom_compare::COLUMNS;
use jfathom_profile::{MethodIx, Profile};
use jfathom_views::{Shown, Sort};
use std::{array::from_fn, collections::BTreeMap, ops::Range};

/// The sums of a profile's methods, by key.
pub(crate) struct TotalRows {
    run: RunId,
    is_corrected: bool,
    sums: Vec<(i64, Total)>,
}

/// The sums of a key. A profile of several builds has several methods of one key.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    /// All calls.
    pub calls: u64,
    pub timed: u64,
    /// Those of the calls that were on virtual threads, and so in no call path.
    pub virtual_calls: u64,
    pub times: Times,
    /// By column: the method's own, and with its callees; none where one is not known, of any of
    /// the methods.
    pub columns: Option<[[Option<i64>; 2]; COLUMNS.len()]>,
}

/// The sums of a profile's methods.
pub(crate) fn totals(profile: &Profile, shown: &Shown) -> BTreeMap<i64, Total> {
    let mut totals: BTreeMap<i64, Total> = BTreeMap::new();
    let key = |at: MethodIx| method_key(&profile.method(at).info.key);
    for sum in shown.hot_methods(Sort::SelfTime) {
        let total = totals.entry(key(sum.method)).or_default();
        total.calls = total.calls.saturating_add(sum.calls());
        total.timed = total.timed.saturating_add(sum.timed());
        total.times = total.times.plus(sum.times);
        let cells = shown.method_cells(&sum);
        let values = COLUMNS
            .each_ref()
            .map(|column| column.values(&cells).map(|value| value.known().map(nanos)));
        let plus = |one: Option<i64>, other: Option<i64>| Some(one?.saturating_add(other?));
        total.columns = Some(match total.columns {
            None => values,
            Some(before) => from_fn(|at| from_fn(|of| plus(before[at][of], values[at][of]))),
        });
    }
    for (at, method) in (0..).map(MethodIx).zip(&profile.methods) {
        if method.virtual_calls > 0 {
            let total = totals.entry(key(at)).or_default();
            total.calls = total.calls.saturating_add(method.virtual_calls);
            total.virtual_calls = total.virtual_calls.saturating_add(method.virtual_calls);
        }
    }
    totals
}

impl TotalRows {
    pub fn new(profile: &Profile, shown: &Shown) -> Self {
        Self {
            run: RunId::of(profile),
            is_corrected: shown.is_corrected(),
            sums: totals(profile, shown).into_iter().collect(),
        }
    }
}

impl Rows for TotalRows {
    fn len(&self) -> usize {
        self.sums.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let sums = || self.sums[rows.clone()].iter();
        // Counted calls have no time where no samples tell it.
        let has_time = |sum: &Total| sum.timed > 0 || sum.times.self_nanos > 0.0;
        let times = |time: fn(&Times) -> f64| {
            sums().map(move |(_, sum)| has_time(sum).then(|| nanos(time(&sum.times))))
        };
        let bars = |bar: fn(&Times) -> f64| times(bar).map(|bar| bar.filter(|_| self.is_corrected));
        let mut cells = vec![
            Cells::int64s(sums().map(|_| self.run.0)),
            Cells::int64s(sums().map(|(key, _)| *key)),
            Cells::int64s(sums().map(|(_, sum)| count(sum.calls))),
            Cells::int64s(sums().map(|(_, sum)| count(sum.timed))),
            Cells::optional_int64s(times(|times| times.self_nanos)),
            Cells::optional_int64s(bars(|times| times.self_error_nanos)),
            Cells::optional_int64s(times(|times| times.total_nanos)),
            Cells::optional_int64s(bars(|times| times.total_error_nanos)),
            Cells::optional_int64s(sums().map(|(_, sum)| Some(count(sum.virtual_calls)))),
        ];
        for at in 0..COLUMNS.len() {
            for which in [0, 1] {
                let values = sums().map(|(_, sum)| sum.columns?[at][which]);
                cells.push(Cells::optional_int64s(values));
            }
        }
        cells
    }
}
