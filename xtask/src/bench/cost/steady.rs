//! ECJ in the steady state under two builds of jfathom, and without either.
//!
//! A JVM compiles the same sources again and again on one thread. What counts is the thread's CPU
//! time in the last rounds. The sides run one after the other, A B C A B C, so that each ratio is
//! of JVMs that ran side by side.

use crate::{
    bench::{measure::median, programs},
    java::{self, Jdk},
    shell,
};
use anyhow::{Context, Result, bail, ensure};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

const USAGE: &str = "bench steady [--against JFATHOM] [--pairs N] [--args 'RECORD OPTIONS']…";
/// Rounds of a JVM.
const ROUNDS: usize = 12;
/// The rounds that count, at the end.
const LAST: usize = 4;

/// A way to run the program.
struct Side {
    name: String,
    /// None runs it uninstrumented.
    jfathom: Option<PathBuf>,
    options: Vec<String>,
    class_path: std::ffi::OsString,
}

/// Prints for each side the steady CPU time, and its ratio to each side before it.
pub fn run(rest: &[&str]) -> Result<()> {
    let (mut pairs, mut other, mut more) = (40_usize, None, Vec::new());
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let value = rest.next().context(USAGE)?;
        match *word {
            "--pairs" => pairs = value.parse().context(USAGE)?,
            "--against" => other = Some(PathBuf::from(value)),
            "--args" => more.push(value.split_whitespace().map(str::to_owned).collect()),
            other => bail!("{other}? {USAGE}"),
        }
    }
    let sources = shell::folder("JFATHOM_LOGGING_SOURCES", "java.logging's sources")?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let sides = sides(other, more, folder.path())?;
    for jdk in java::main_and_25()? {
        let mut all: Vec<Vec<f64>> = vec![Vec::new(); sides.len()];
        for _ in 0..pairs {
            for (side, seconds) in sides.iter().zip(&mut all) {
                seconds.push(side.run(&jdk, &sources, folder.path())?);
            }
        }
        print(&jdk, &sides, &all);
    }
    Ok(())
}

fn sides(other: Option<PathBuf>, more: Vec<Vec<String>>, folder: &Path) -> Result<Vec<Side>> {
    let ecj = programs::jars()?.into_iter().find(|program| program.name == "ecj");
    let ecj = ecj.context("no ecj")?.path;
    let driver = folder.join("driver");
    let source = shell::root().join("xtask/src/bench/java/CompileRounds.java");
    shell::output(
        Command::new(java::main()?.tool("javac"))
            .args(["-nowarn", "--release", "17", "-cp"])
            .arg(&ecj)
            .arg("-d")
            .arg(&driver)
            .arg(source),
    )?;
    let this = shell::jfathom()?;
    let mut ways = vec![("uninstrumented".to_owned(), None, Vec::new())];
    ways.extend(other.map(|other| (other.display().to_string(), Some(other), Vec::new())));
    ways.push(("this build".to_owned(), Some(this.clone()), Vec::new()));
    for options in more {
        ways.push((format!("this build {}", options.join(" ")), Some(this.clone()), options));
    }
    let side = |(at, (name, jfathom, options)): (usize, (String, Option<PathBuf>, Vec<String>))| {
        let jar = match &jfathom {
            None => ecj.clone(),
            Some(jfathom) => rewritten(jfathom, &ecj, &folder.join(format!("{at}")))?,
        };
        let class_path = std::env::join_paths([&driver, &jar])?;
        Ok(Side { name, jfathom, options, class_path })
    };
    ways.into_iter().enumerate().map(side).collect()
}

fn rewritten(jfathom: &Path, jar: &Path, out: &Path) -> Result<PathBuf> {
    let mut rewrite = Command::new(jfathom);
    rewrite.arg("rewrite").arg(jar).args(["--libraries=off", "-q", "-o"]).arg(out);
    shell::output(&mut rewrite)?;
    Ok(out.join(jar.file_name().unwrap_or_default()))
}

impl Side {
    /// CPU seconds of a steady round.
    fn run(&self, jdk: &Jdk, sources: &Path, folder: &Path) -> Result<f64> {
        let mut command = match &self.jfathom {
            None => Command::new(jdk.tool("java")),
            Some(jfathom) => {
                let mut record = Command::new(jfathom);
                record.args(["record", "--force", "-q", "-o"]).arg(folder.join("steady.jfp"));
                record.args(&self.options).arg("--").arg(jdk.tool("java"));
                record
            }
        };
        command.arg("-cp").arg(&self.class_path).arg("CompileRounds").arg(ROUNDS.to_string());
        command.args(["-17", "-nowarn", "-proc:none", "-d"]).arg(folder.join("classes"));
        let text = shell::output(command.arg(sources))?;
        let rounds: Vec<f64> = text.lines().filter_map(cpu_seconds).collect();
        ensure!(rounds.len() == ROUNDS, "{}: {} rounds", self.name, rounds.len());
        let last = rounds.iter().rev().take(LAST);
        Ok(last.sum::<f64>() / LAST as f64)
    }
}

/// `ROOT_NS n CPU_NS n …`.
fn cpu_seconds(line: &str) -> Option<f64> {
    let nanos = line.strip_prefix("ROOT_NS ")?.split(' ').nth(2)?;
    Some(nanos.parse::<f64>().ok()? / 1e9)
}

fn print(jdk: &Jdk, sides: &[Side], all: &[Vec<f64>]) {
    println!("| JVM | side | CPU s of a round, median (range) | ratios, 95 % interval |");
    println!("|---|---|---|---|");
    for (at, (side, seconds)) in sides.iter().zip(all).enumerate() {
        let ratios = sides.iter().zip(all).take(at).map(|(before, theirs)| {
            let (mean, low, high) = ratio(seconds, theirs);
            format!("{mean:.3} ({low:.3} to {high:.3}) of {}", before.name)
        });
        let ratios: Vec<String> = ratios.collect();
        let (low, high) = range(seconds);
        println!(
            "| {} | {} | {:.3} ({low:.3} to {high:.3}), n = {} | {} |",
            jdk.version,
            side.name,
            median(seconds.clone()),
            seconds.len(),
            ratios.join("; ")
        );
    }
    println!();
}

fn range(values: &[f64]) -> (f64, f64) {
    let fold = |start: f64, pick: fn(f64, f64) -> f64| values.iter().copied().fold(start, pick);
    (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max))
}

/// The geometric mean of the pairs' ratios, and 1.96 standard errors of its logarithm either side.
fn ratio(ours: &[f64], theirs: &[f64]) -> (f64, f64, f64) {
    let logs: Vec<f64> = ours.iter().zip(theirs).map(|(our, their)| (our / their).ln()).collect();
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let square = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let error = 1.96 * (square / n).sqrt();
    (mean.exp(), (mean - error).exp(), (mean + error).exp())
}
