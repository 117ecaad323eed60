//! How often the interval that is printed around a root holds the time of uninstrumented runs.
//!
//! Runs are kept in a file, so that the job can be cut and goes on where it was. Each run has a
//! plain one beside it; the truth is the median of their times.

use super::calibration::{Bench, Mode, WORKLOADS};
use crate::bench::measure::median;
use crate::{java, shell};
use anyhow::{Context, Result, bail};
use std::{
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::Write as _,
    path::PathBuf,
    time::{Duration, Instant},
};

const USAGE: &str = "bench coverage [--runs N] [--for SECONDS] [PROGRAM…]";
/// Runs whose thread was off the processor for longer, in milliseconds, are not counted.
const WAITED: f64 = 40.0;

/// Makes the runs that are missing, for as long as it may take, and prints what there is.
pub fn run(rest: &[&str]) -> Result<()> {
    let (mut runs, mut time, mut names) = (100, Duration::MAX, Vec::new());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--runs" => runs = rest.next().context(USAGE)?.parse().context(USAGE)?,
            "--for" => {
                time = Duration::from_secs(rest.next().context(USAGE)?.parse().context(USAGE)?)
            }
            name if WORKLOADS.iter().any(|(known, _)| *known == name) => names.push(name),
            other => bail!("{other}? {USAGE}"),
        }
    }
    if names.is_empty() {
        names = vec!["Layer", "Strs", "Exc"];
    }
    let store = Store::open()?;
    let begun = Instant::now();
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let jdks = java::main_and_25()?;
    let missing = |store: &Store| -> Result<Vec<(usize, &str)>> {
        let mut missing = Vec::new();
        for (at, jdk) in jdks.iter().enumerate() {
            for name in &names {
                let key = format!("{} {name}", jdk.version);
                missing.extend((store.of(&key)?.1.len() < runs).then_some((at, *name)));
            }
        }
        Ok(missing)
    };
    if time > Duration::ZERO && !missing(&store)?.is_empty() {
        let bench = Bench::small_programs(folder.path(), &[])?;
        while begun.elapsed() < time {
            let round = missing(&store)?;
            if round.is_empty() {
                break;
            }
            for (at, name) in round {
                if begun.elapsed() >= time {
                    break;
                }
                let arguments = WORKLOADS
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map_or(&[][..], |(_, arguments)| arguments);
                let plain = bench.plain(&jdks[at], name, arguments)?;
                let (found, waited) = bench.recorded(&jdks[at], name, arguments, Mode::Demoted)?;
                if waited < WAITED {
                    let (nanos, bar) = found.corrected;
                    store.add(&format!("{} {name} {plain} {nanos} {bar}", jdks[at].version))?;
                }
            }
        }
    }
    println!(
        "| program | JVM | runs | truth ms | inside | median error | median bar |\n|---|---|---|---|---|---|---|"
    );
    for jdk in &jdks {
        for name in &names {
            let (truth, found) = store.of(&format!("{} {name}", jdk.version))?;
            let inside = found.iter().filter(|(nanos, bar)| (nanos - truth).abs() <= *bar).count();
            let part = |of: &dyn Fn(&(f64, f64)) -> f64| {
                median(found.iter().map(of).collect()) * 100.0 / truth
            };
            println!(
                "| {name} | {} | {} | {truth:.1} | {inside} | {:+.0} % | {:.0} % |",
                jdk.version,
                found.len(),
                part(&|corrected| corrected.0 - truth),
                part(&|corrected| corrected.1)
            );
        }
    }
    Ok(())
}

/// The runs so far: lines of JVM, program, plain time, corrected time and its half width, in
/// milliseconds.
struct Store(PathBuf);

impl Store {
    fn open() -> Result<Self> {
        let folder = shell::root().join("target/bench");
        fs::create_dir_all(&folder)?;
        let mut name = String::from("coverage");
        if let Ok(which) = std::env::var("JFATHOM_BENCH_SET") {
            write!(name, "-{which}")?;
        }
        Ok(Self(folder.join(name)))
    }

    fn add(&self, line: &str) -> Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.0)?;
        Ok(writeln!(file, "{line}")?)
    }

    /// The truth, and the recordings.
    fn of(&self, key: &str) -> Result<(f64, Vec<(f64, f64)>)> {
        let text = if self.0.exists() { fs::read_to_string(&self.0)? } else { String::new() };
        let lines = text.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        let (mut plain, mut found) = (Vec::new(), Vec::new());
        for line in lines {
            let numbers: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
            if let [one, nanos, bar] = numbers[..] {
                plain.push(one);
                found.push((nanos, bar));
            }
        }
        Ok((median(plain), found))
    }
}
