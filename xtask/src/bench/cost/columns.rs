//! What each column adds to a recording of a real program, ahead of time: CPU time of JVM and
//! collector, in runs by turns.

use crate::{
    bench::{conditions, measure::median},
    corpus::Corpus,
    java::{self, Jdk},
};
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;

const PROGRAMS: [&str; 2] = ["ecj", "h2"];
const ROUNDS: usize = 5;

/// Names of the ways to record, and their options; the first one has no column.
const WAYS: [(&str, &[&str]); 7] = [
    ("no column", &[]),
    ("alloc", &["--metrics", "alloc"]),
    ("cpu", &["--metrics", "cpu", "--cpu-source", "switches"]),
    ("cpu by threads' clocks", &["--metrics", "cpu", "--cpu-source", "thread-clock"]),
    ("waits", &["--metrics", "waits"]),
    ("stack samples", &["--stack-samples"]),
    ("all", &["--metrics", "alloc,cpu,waits,exceptions", "--stack-samples"]),
];

/// Prints a table of the programs, or of those named; `--rounds N` before them. What follows `--`
/// is given to each recording: with `--budget none` all do the same work.
pub fn run(rest: &[&str]) -> Result<()> {
    let (rest, options) = match rest.iter().position(|word| *word == "--") {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, [].as_slice()),
    };
    let (rounds, names) = match rest {
        ["--rounds", rounds, names @ ..] => (rounds.parse().context("--rounds")?, names),
        names => (ROUNDS, names),
    };
    let names = if names.is_empty() { &PROGRAMS } else { names };
    let corpus = Corpus::find()?;
    println!("CPU time of JVM and collector, {rounds} rounds by turns; {}\n", options.join(" "));
    println!("| program | column | median, s | ÷ no column (least–most) | wall, median s |");
    println!("|---|---|---|---|---|");
    let jdk = java::main_and_25()?.into_iter().next().context("there is no JDK")?;
    for name in names {
        corpus.fetch(name)?;
        rows(&corpus, name, &jdk, rounds, options).with_context(|| name.to_string())?;
    }
    println!("\n{}", conditions::load("after")?);
    Ok(())
}

/// Prints what one program costs in each way.
fn rows(corpus: &Corpus, name: &str, jdk: &Jdk, rounds: usize, options: &[&str]) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let change = corpus.rewrite(name, jdk, folder.path())?;
    let mut all: [(Vec<f64>, Vec<f64>); WAYS.len()] = Default::default();
    let mut printed: Option<String> = None;
    for _ in 0..rounds {
        for ((way, columns), (cpu, wall)) in WAYS.iter().zip(&mut all) {
            let (seconds, took, sum) = record(
                corpus,
                name,
                jdk,
                &folder.path().join("p.jfp"),
                &change,
                &[columns, options],
            )
            .with_context(|| way.to_string())?;
            let expected = printed.get_or_insert_with(|| sum.clone());
            ensure!(*expected == sum, "{way}: the output differs");
            cpu.push(seconds);
            wall.push(took);
        }
    }
    let base = all[0].0.clone();
    for ((way, _), (cpu, wall)) in WAYS.iter().zip(all) {
        let ratio = ratio(&base, &cpu);
        println!("| {name} | {way} | {:.1} | {ratio} | {:.1} |", median(cpu), median(wall));
    }
    Ok(())
}

/// One recording: seconds of CPU, seconds of wall time, and the checksum of the output.
fn record(
    corpus: &Corpus,
    name: &str,
    jdk: &Jdk,
    profile: &std::path::Path,
    change: &(&'static str, OsString),
    options: &[&[&str]],
) -> Result<(f64, f64, String)> {
    let mut all = vec!["--force", "--use-java-tool-options"];
    all.extend(options.iter().copied().flatten());
    let mut record = corpus.record(name, jdk, profile, &all);
    record.env(change.0, &change.1);
    let (cost, sum) = corpus.cost(&mut record)?;
    Ok((cost.cpu.as_secs_f64(), cost.wall.as_secs_f64(), sum))
}

/// The paired ratios: the middle one, the least, and the most.
fn ratio(base: &[f64], with: &[f64]) -> String {
    let ratios: Vec<f64> = base.iter().zip(with).map(|(base, with)| with / base).collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    format!("{:.3} ({least:.3}–{most:.3})", median(ratios))
}
