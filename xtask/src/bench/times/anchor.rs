//! Root times of roots-only runs, by which `--anchor` corrects, beside those of uninstrumented
//! runs.
//!
//! The runs are interleaved, each in a fresh JVM, with the root's cold start; wall times.

use super::calibration::{Bench, Mode, WORKLOADS, millis};
use crate::bench::{
    comparison::gate::{SUBJECTS, Subject},
    measure::median,
};
use crate::java::{self, Jdk};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

const USAGE: &str = "bench anchor [--runs N] [PROGRAM…]";

/// Prints the table.
pub fn run(rest: &[&str]) -> Result<()> {
    let (mut runs, mut names) = (11, Vec::new());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--runs" => runs = rest.next().context(USAGE)?.parse().context(USAGE)?,
            name if WORKLOADS.iter().any(|(known, _)| *known == name)
                || SUBJECTS.iter().any(|subject| subject.name == name) =>
            {
                names.push(name);
            }
            other => bail!("{other}? {USAGE}"),
        }
    }
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let wanted = |name: &str| names.is_empty() || names.contains(&name);
    let bench = match WORKLOADS.iter().any(|(name, _)| wanted(name)) {
        true => Bench::small_programs(folder.path(), &[])?,
        false => Bench::without_programs(folder.path())?,
    };
    let mut subjects: BTreeMap<&str, [Vec<PathBuf>; 2]> = BTreeMap::new();
    println!(
        "| program | JVM | plain ms | middle half | roots-only ms | middle half | difference |\n|---|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        for (name, arguments) in WORKLOADS.iter().filter(|(name, _)| wanted(name)) {
            let round = || {
                Ok([
                    bench.plain(&jdk, name, arguments)?,
                    root_alone(&bench, &jdk, name, arguments)?,
                ])
            };
            rounds(name, &jdk, runs, round)?;
        }
        let is_wanted = |subject: &&Subject| match names.is_empty() {
            true => subject.name == subject.program,
            false => wanted(subject.name),
        };
        for subject in SUBJECTS.iter().filter(is_wanted) {
            if !subjects.contains_key(subject.name) {
                let plain = subject.class_path(folder.path())?;
                let rewritten = subject.rewrite(&plain, folder.path())?;
                subjects.insert(subject.name, [plain, rewritten]);
            }
            let class_paths = &subjects[subject.name];
            rounds(subject.name, &jdk, runs, || {
                both(&bench, subject, &jdk, class_paths, folder.path())
            })?;
        }
    }
    Ok(())
}

fn root_alone(bench: &Bench, jdk: &Jdk, name: &str, arguments: &[&str]) -> Result<f64> {
    Ok(bench.recorded(jdk, name, arguments, Mode::RootAlone)?.0.corrected.0)
}

fn both(
    bench: &Bench,
    subject: &Subject,
    jdk: &Jdk,
    [plain, rewritten]: &[Vec<PathBuf>; 2],
    folder: &Path,
) -> Result<[f64; 2]> {
    let text = subject.program(&mut Command::new(jdk.tool("java")), plain, folder)?;
    let mut record = bench.record(Mode::RootAlone);
    record.arg(jdk.tool("java"));
    subject.program(&mut record, rewritten, folder)?;
    Ok([millis(&text, "ROOT_NS")?, bench.found()?.corrected.0])
}

fn rounds(name: &str, jdk: &Jdk, runs: usize, round: impl Fn() -> Result<[f64; 2]>) -> Result<()> {
    let all = (0..runs).map(|_| round()).collect::<Result<Vec<_>>>()?;
    let side = |at: usize| {
        let mut times: Vec<f64> = all.iter().map(|times| times[at]).collect();
        times.sort_by(f64::total_cmp);
        let quarter = times.len() / 4;
        (
            median(times.clone()),
            times
                .iter()
                .rev()
                .nth(quarter)
                .zip(times.get(quarter))
                .map_or(0.0, |(high, low)| high - low),
        )
    };
    let ((plain, plain_spread), (alone, alone_spread)) = (side(0), side(1));
    let part = |of: f64| of * 100.0 / plain;
    println!(
        "| {name} | {} | {plain:.1} | {:.1} % | {alone:.1} | {:.1} % | {:+.1} % |",
        jdk.version,
        part(plain_spread),
        part(alone_spread),
        part(alone - plain)
    );
    Ok(())
}
