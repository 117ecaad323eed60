//! The table of the methods' sums.

use crate::{
    cells::Cells,
    key::{RunId, count, method_key, nanos},
    rows::Rows,
};
use jfathom_calibration::Times;
use jfathom_profile::{Bytes, MethodIx, Profile};
use jfathom_views::{CpuTimes, Shown, Sort, method_cpu};
use std::{
    collections::{BTreeMap, HashSet},
    ops::Range,
};

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
    /// Bytes that were allocated in the method itself, and with its callees; none if they were not
    /// recorded.
    pub allocated: Option<[Bytes; 2]>,
    /// Which part of the self time and of the total time threads ran; none if that was not
    /// recorded.
    pub cpu: Option<[CpuTimes; 2]>,
}

/// The sums of a profile's methods.
pub(crate) fn totals(profile: &Profile, shown: &Shown) -> BTreeMap<i64, Total> {
    let mut totals: BTreeMap<i64, Total> = BTreeMap::new();
    let mut unknown = HashSet::new();
    let key = |at: MethodIx| method_key(&profile.method(at).info.key);
    for sum in shown.hot_methods(Sort::SelfTime) {
        let total = totals.entry(key(sum.method)).or_default();
        total.calls = total.calls.saturating_add(sum.calls());
        total.timed = total.timed.saturating_add(sum.timed());
        total.times = total.times.plus(sum.times);
        match shown.method_bytes(&sum) {
            Some([more, more_in_all]) if !unknown.contains(&key(sum.method)) => {
                let [own, all] = total.allocated.unwrap_or_default();
                total.allocated = Some([own + more, all + more_in_all]);
            }
            _ => {
                // Of several builds of a method one has not read what it allocates.
                unknown.insert(key(sum.method));
                total.allocated = None;
            }
        }
        if let Some([own, all]) = method_cpu(profile, &sum, shown.is_corrected()) {
            let before = total.cpu.unwrap_or_default();
            total.cpu = Some([before[0].plus(own), before[1].plus(all)]);
        }
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
        // Counted calls have no time.
        let times = |time: fn(&Times) -> f64| {
            sums().map(move |(_, sum)| (sum.timed > 0).then(|| nanos(time(&sum.times))))
        };
        let bytes = |which: usize| {
            sums().map(move |(_, sum)| sum.allocated.map(|bytes| count(bytes[which].0)))
        };
        let cpu = |which: usize, part: fn(CpuTimes) -> Option<f64>| {
            sums().map(move |(_, sum)| part(sum.cpu?[which]).map(nanos))
        };
        let bars = |bar: fn(&Times) -> f64| times(bar).map(|bar| bar.filter(|_| self.is_corrected));
        vec![
            Cells::int64s(sums().map(|_| self.run.0)),
            Cells::int64s(sums().map(|(key, _)| *key)),
            Cells::int64s(sums().map(|(_, sum)| count(sum.calls))),
            Cells::int64s(sums().map(|(_, sum)| count(sum.timed))),
            Cells::optional_int64s(times(|times| times.self_nanos)),
            Cells::optional_int64s(bars(|times| times.self_error_nanos)),
            Cells::optional_int64s(times(|times| times.total_nanos)),
            Cells::optional_int64s(bars(|times| times.total_error_nanos)),
            Cells::optional_int64s(sums().map(|(_, sum)| Some(count(sum.virtual_calls)))),
            Cells::optional_int64s(bytes(0)),
            Cells::optional_int64s(bytes(1)),
            Cells::optional_int64s(cpu(0, |times| Some(times.running))),
            Cells::optional_int64s(cpu(0, CpuTimes::preempted)),
            Cells::optional_int64s(cpu(0, CpuTimes::blocked)),
            Cells::optional_int64s(cpu(0, |times| Some(times.not_running()))),
            Cells::optional_int64s(cpu(1, |times| Some(times.running))),
            Cells::optional_int64s(cpu(1, CpuTimes::preempted)),
            Cells::optional_int64s(cpu(1, CpuTimes::blocked)),
            Cells::optional_int64s(cpu(1, |times| Some(times.not_running()))),
        ]
    }
}
