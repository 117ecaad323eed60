//! What a recording with the default options costs a real program: CPU time of JVM and collector.

use crate::{
    bench::measure::{geometric_mean, median},
    corpus::{Corpus, live, output},
    java::{self, Jdk},
};
use anyhow::{Context, Result, ensure};
use std::{path::Path, process::Command};

const PROGRAMS: [&str; 8] =
    ["ecj", "h2", "lucene", "sat4j", "closure", "groovy", "fop", "proguard"];
const ROUNDS: usize = 5;

/// How a program is run.
const WAYS: [&str; 5] =
    ["plain", "rewritten", "rewritten, all counted", "rewritten, recorded", "live, scheme total"];

/// Prints a table of the programs, or of those named; `--rounds N` before them.
pub fn run(rest: &[&str]) -> Result<()> {
    let (rounds, names) = match rest {
        ["--rounds", rounds, names @ ..] => (rounds.parse().context("--rounds")?, names),
        names => (ROUNDS, names),
    };
    let names = if names.is_empty() { &PROGRAMS } else { names };
    let corpus = Corpus::find()?;
    println!("CPU time, medians of {rounds} interleaved rounds\n");
    println!("| program | JVM | {} s | {} | wall |", WAYS[0], WAYS[1..].join(" × | "));
    println!("|---|---|---|{}---|", "---|".repeat(WAYS.len() - 1));
    let mut failed = Vec::new();
    for jdk in java::main_and_25()? {
        let mut ratios: [Vec<f64>; WAYS.len() - 1] = Default::default();
        for name in names {
            corpus.fetch(name)?;
            let row = row(&corpus, name, &jdk, rounds)
                .with_context(|| format!("{name} on {}", jdk.version));
            let row = match row {
                Ok(row) => row,
                Err(error) => {
                    println!("| {name} | {} | | | | | | {error:#} |", jdk.version);
                    failed.push(*name);
                    continue;
                }
            };
            let [plain, others @ ..] = row.cpu;
            let others = others.map(|cpu| cpu / plain);
            ratios.iter_mut().zip(others).for_each(|(all, ratio)| all.push(ratio));
            let others = others.map(|ratio| format!("{ratio:.2}"));
            let walls = row.wall.map(|wall| format!("{wall:.1}"));
            println!(
                "| {name} | {} | {plain:.1} | {} | {} |",
                jdk.version,
                others.join(" | "),
                walls.join(" / ")
            );
        }
        let means = ratios.map(|ratios| format!("{:.2}", geometric_mean(&ratios)));
        println!("| geometric mean | {} | | {} | |", jdk.version, means.join(" | "));
    }
    ensure!(failed.is_empty(), "could not be measured: {}", failed.join(", "));
    Ok(())
}

/// Medians in seconds, by way.
struct Row {
    cpu: [f64; WAYS.len()],
    wall: [f64; WAYS.len()],
}

fn row(corpus: &Corpus, name: &str, jdk: &Jdk, rounds: usize) -> Result<Row> {
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let change = corpus.rewrite(name, jdk, folder.path())?;
    let mut all: [(Vec<f64>, Vec<f64>); WAYS.len()] = Default::default();
    let mut printed: Option<String> = None;
    for round in 0..rounds {
        for (way, (cpu, wall)) in all.iter_mut().enumerate() {
            let profile = folder.path().join(format!("{round}-{way}.jfp"));
            let mut command = command(corpus, name, jdk, folder.path(), &profile, way, &change)?;
            let (cost, sum) = corpus.cost(&mut command)?;
            let expected = printed.get_or_insert_with(|| sum.clone());
            ensure!(*expected == sum, "{}: the output differs", WAYS[way]);
            cpu.push(cost.cpu.as_secs_f64());
            wall.push(cost.wall.as_secs_f64());
            // Only a recording has written one.
            let _ = std::fs::remove_file(profile);
        }
    }
    let (cpu, wall): (Vec<f64>, Vec<f64>) =
        all.into_iter().map(|(cpu, wall)| (median(cpu), median(wall))).unzip();
    let row = |values: Vec<f64>| values.try_into().ok().context("a median for each way");
    Ok(Row { cpu: row(cpu)?, wall: row(wall)? })
}

fn command(
    corpus: &Corpus,
    name: &str,
    jdk: &Jdk,
    folder: &Path,
    profile: &Path,
    way: usize,
    change: &(&'static str, std::ffi::OsString),
) -> Result<Command> {
    let mut plain = corpus.script(jdk);
    plain.arg(name);
    Ok(match way {
        0 => plain,
        1 => {
            plain.env(change.0, &change.1);
            plain
        }
        2 | 3 => {
            let mut record = corpus.record(name, jdk, profile, &[]);
            if way == 2 {
                let out = output(folder);
                record = corpus.record(
                    name,
                    jdk,
                    profile,
                    &["--rewritten", &out.to_string_lossy(), "--probe", "**=count"],
                );
            }
            record.env(change.0, &change.1);
            // The programs start behind a script, where `record` sees no `java` to add flags to.
            // The clock library needs this one (JEP 472).
            if jdk.version >= 24 {
                record.env("JAVA_OPTS", "--enable-native-access=ALL-UNNAMED");
            }
            record
        }
        _ => corpus.record(name, jdk, profile, &live::options(name, "total")?),
    })
}
