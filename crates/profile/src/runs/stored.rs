//! Runs in the form that postcard serialises: each column as its differences to the previous run,
//! which are small if runs are alike.

use serde::{Deserialize, Serialize};

use super::{MethodCounts, Run, RunInfo, ThreadTimes};
use crate::{RunSplit, Ticks};

/// One run. Differences wrap around, so any two numbers have one.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredRun {
    info: RunInfo,
    methods: Vec<MethodCounts>,
    threads: Vec<ThreadTimes>,
    timed: Vec<i64>,
    self_ticks: Vec<i64>,
    counted: Vec<i64>,
    count_records: Vec<i64>,
    unflushed: Vec<i64>,
    throws: Vec<i64>,
}

/// Runs to differences.
pub(crate) fn pack(runs: &[Run]) -> Vec<StoredRun> {
    let none = Run::default();
    let before = std::iter::once(&none).chain(runs);
    let pack = |(run, before): (&Run, &Run)| StoredRun {
        info: run.info.clone(),
        methods: run.methods.clone(),
        threads: run.threads.clone(),
        timed: differences(run.timed.iter().copied(), before.timed.iter().copied()),
        self_ticks: differences(
            run.self_ticks.iter().map(|ticks| ticks.0),
            before.self_ticks.iter().map(|ticks| ticks.0),
        ),
        counted: differences(run.counted.iter().copied(), before.counted.iter().copied()),
        count_records: differences(
            run.count_records.iter().copied(),
            before.count_records.iter().copied(),
        ),
        unflushed: differences(run.unflushed.iter().copied(), before.unflushed.iter().copied()),
        throws: differences(run.throws.iter().copied(), before.throws.iter().copied()),
    };
    runs.iter().zip(before).map(pack).collect()
}

/// Differences to runs.
pub(crate) fn unpack(stored: Vec<StoredRun>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::with_capacity(stored.len());
    for stored in stored {
        let StoredRun { info, methods, threads, .. } = stored;
        let StoredRun { timed, self_ticks, counted, count_records, unflushed, throws, .. } = stored;
        let none = Run::default();
        let before = runs.last().unwrap_or(&none);
        let timed = sums(&timed, before.timed.iter().copied()).collect();
        let self_ticks =
            sums(&self_ticks, before.self_ticks.iter().map(|ticks| ticks.0)).map(Ticks).collect();
        let counted = sums(&counted, before.counted.iter().copied()).collect();
        let count_records = sums(&count_records, before.count_records.iter().copied()).collect();
        let unflushed = sums(&unflushed, before.unflushed.iter().copied()).collect();
        let throws = sums(&throws, before.throws.iter().copied()).collect();
        runs.push(Run {
            info,
            methods,
            threads,
            timed,
            self_ticks,
            counted,
            count_records,
            unflushed,
            throws,
            // It is another part of the file.
            split: RunSplit::default(),
        });
    }
    runs
}

fn differences(column: impl Iterator<Item = u64>, before: impl Iterator<Item = u64>) -> Vec<i64> {
    let before = before.chain(std::iter::repeat(0));
    column.zip(before).map(|(value, before)| value.wrapping_sub(before).cast_signed()).collect()
}

fn sums(differences: &[i64], before: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    let before = before.chain(std::iter::repeat(0));
    differences
        .iter()
        .zip(before)
        .map(|(difference, before)| before.wrapping_add(difference.cast_unsigned()))
}
