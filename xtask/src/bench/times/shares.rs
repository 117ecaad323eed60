//! The share of each method of Layer in its self time, beside the truth that the program prints.
//!
//! JDK 17 only: the optimising compiler of later ones folds the loops that the truth is stated in.

use super::calibration::{Bench, Mode, WORKLOADS};
use crate::bench::measure::median;
use crate::java;
use anyhow::{Context, Result};
use std::collections::BTreeMap;

const PROGRAM: &str = "Layer";
const USAGE: &str = "bench shares [RUNS]";

/// Prints the table.
pub fn run(rest: &[&str]) -> Result<()> {
    let runs: usize = rest.first().map_or(Ok(11), |runs| runs.parse()).context(USAGE)?;
    let jdk = java::main()?;
    let arguments = WORKLOADS
        .iter()
        .find(|(name, _)| *name == PROGRAM)
        .map_or(&[][..], |(_, arguments)| arguments);
    println!(
        "| methods | runs | worst, median | worst, most | mean, median |\n|---|---|---|---|---|"
    );
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let bench = Bench::small_programs(folder.path(), &[])?;
    for (name, mode) in [("all timed", Mode::AllTimed), ("demoted", Mode::Demoted)] {
        let (mut worst, mut mean) = (Vec::new(), Vec::new());
        for _ in 0..runs {
            let text = bench.recorded_text(&jdk, PROGRAM, arguments, mode)?;
            let off = points_off(&truth(&text)?, &bench.self_times()?)?;
            worst.push(off.iter().copied().fold(0.0, f64::max));
            mean.push(off.iter().sum::<f64>() / off.len() as f64);
        }
        let most = worst.iter().copied().fold(0.0, f64::max);
        println!("| {name} | {runs} | {:.1} | {most:.1} | {:.1} |", median(worst), median(mean));
    }
    Ok(())
}

/// Method and share, from lines `TRUTH tiny calls 13 share 0.2`.
fn truth(text: &str) -> Result<BTreeMap<String, f64>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("TRUTH "));
    let of = |line: &str| -> Result<(String, f64)> {
        let (name, share) = (line.split(' ').next(), line.rsplit(' ').next());
        Ok((
            name.context("a name")?.to_owned(),
            share.context("a share")?.replace(',', ".").parse()?,
        ))
    };
    lines.map(of).collect()
}

/// By how many percentage points each method's share is off.
fn points_off(truth: &BTreeMap<String, f64>, found: &BTreeMap<String, f64>) -> Result<Vec<f64>> {
    let of = |name: &String| {
        found.get(name).copied().with_context(|| format!("{name} is not in the profile"))
    };
    let sum: f64 = truth.keys().map(of).sum::<Result<f64>>()?;
    truth.iter().map(|(name, share)| Ok((of(name)? / sum - share).abs() * 100.0)).collect()
}
