//! Runs in the form that postcard serialises: each column as its differences to the previous run,
//! which are small if runs are alike.

use serde::{Deserialize, Serialize};

use crate::model::packed_numbers::PackedNumbers;
use crate::model::runs::{MethodCounts, Run, RunInfo, ThreadTimes};
use crate::{Cpu, Metric, PerMetric};

/// One run.
#[derive(Serialize, Deserialize)]
pub(crate) struct StoredRun {
    info: RunInfo,
    methods: Vec<MethodCounts>,
    threads: Vec<ThreadTimes>,
    cpu: Cpu,
    /// By [`crate::model::metric::MetricInfo::key`]: the differences, which wrap around, so any two
    /// numbers have one. Metrics that are all zero in the run are left out.
    numbers: Vec<(String, Vec<i64>)>,
}

/// Runs to differences.
pub(crate) fn pack(runs: &[Run]) -> Vec<StoredRun> {
    let none = Run::default();
    let before = std::iter::once(&none).chain(runs);
    let pack = |(run, before): (&Run, &Run)| {
        let numbers = run.numbers.iter().filter(|(_, column)| !column.is_empty());
        let numbers = numbers.map(|(metric, column)| {
            (metric.info().key.to_owned(), differences(column, &before.numbers[metric]))
        });
        StoredRun {
            info: run.info.clone(),
            methods: run.methods.clone(),
            threads: run.threads.clone(),
            cpu: run.cpu,
            numbers: numbers.collect(),
        }
    };
    runs.iter().zip(before).map(pack).collect()
}

/// Differences to runs. Metrics that are not known are left out.
pub(crate) fn unpack(stored: Vec<StoredRun>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::with_capacity(stored.len());
    for StoredRun { info, methods, threads, cpu, numbers } in stored {
        let none = PerMetric::default();
        let before = runs.last().map_or(&none, |run| &run.numbers);
        // As long as the differences that the file has, whatever the run before has.
        let mut all = PerMetric::default();
        for (key, differences) in numbers {
            if let Some(metric) = Metric::of_key(&key) {
                all[metric] = sums(&differences, &before[metric]);
            }
        }
        runs.push(Run { info, methods, threads, numbers: all, cpu });
    }
    runs
}

fn differences(column: &PackedNumbers, before: &PackedNumbers) -> Vec<i64> {
    let number = |column: &PackedNumbers, at| column.get(at).unwrap_or(0);
    let difference = |at| number(column, at).wrapping_sub(number(before, at)).cast_signed();
    (0..column.len()).map(difference).collect()
}

fn sums(differences: &[i64], before: &PackedNumbers) -> PackedNumbers {
    let sum = |(at, difference): (usize, &i64)| {
        before.get(at).unwrap_or(0).wrapping_add(difference.cast_unsigned())
    };
    differences.iter().enumerate().map(sum).collect()
}
