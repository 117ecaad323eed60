//! Short recordings beside busy loops: is any calibration useless?
//!
//! A calibration is useless if the cost of a call that the report uses is more than 30 % off the
//! last good one of this machine and the profile does not say so. Outcomes are kept in a file, so
//! the job can be cut and goes on where it was.

use super::calibration::Bench;
use crate::{bench::busy::Load, java, shell};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

const USAGE: &str = "bench calibration-noise [--load N] [--recordings N] [--for SECONDS]";
/// The program: a short one.
const PROGRAM: (&str, &[&str]) = ("Micro", &["2000", "1"]);
/// A cost that is further from the last good one, as a share of it, is named by the report: it is
/// used only where code without probes was slower by as much.
const OFF: f64 = 0.3;

/// What a recording's report says.
struct Outcome {
    used: f64,
    /// None without an earlier calibration.
    known: Option<f64>,
    replaced: bool,
}

/// Records until there are as many recordings as wanted, and prints what there is.
pub fn run(rest: &[&str]) -> Result<()> {
    let (mut load, mut recordings, mut time) = (3_usize, 20_usize, Duration::MAX);
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let value: u64 = rest.next().context(USAGE)?.parse().context(USAGE)?;
        match *word {
            "--load" => load = value as usize,
            "--recordings" => recordings = value as usize,
            "--for" => time = Duration::from_secs(value),
            other => bail!("{other}? {USAGE}"),
        }
    }
    let begun = Instant::now();
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let store = shell::root().join(format!("target/bench/calibration-noise-{load}"));
    fs::create_dir_all(store.parent().unwrap_or(Path::new(".")))?;
    Bench::own_programs(folder.path())?;
    // What is good is learnt without the load, once.
    let cache = shell::root().join("target/bench/calibration-cache");
    if lines(&store)?.is_empty() {
        for _ in 0..3 {
            record(folder.path(), &cache)?;
        }
    }
    let loops = Load::start(load)?;
    while lines(&store)?.len() < recordings && begun.elapsed() < time {
        let Outcome { used, known, replaced } = record(folder.path(), &cache)?;
        let known = known.map_or("-".to_owned(), |nanos| format!("{nanos:.1}"));
        let mut file = OpenOptions::new().create(true).append(true).open(&store)?;
        writeln!(file, "{used:.1} {known} {replaced}")?;
    }
    drop(loops);
    print(load, &lines(&store)?);
    Ok(())
}

fn lines(store: &Path) -> Result<Vec<String>> {
    let text = if store.exists() { fs::read_to_string(store)? } else { String::new() };
    Ok(text.lines().map(str::to_owned).collect())
}

fn record(folder: &Path, cache: &Path) -> Result<Outcome> {
    let profile = folder.join("noise.jfp");
    let (program, arguments) = PROGRAM;
    let mut record = Command::new(shell::jfathom()?);
    record.args(["record", "--force", "-q", "-o"]).arg(&profile).arg("--");
    record.arg(java::main()?.tool("java")).arg("-cp").arg(folder.join("out/plain"));
    shell::output(record.arg(program).args(arguments).env("XDG_CACHE_HOME", cache))?;
    let text =
        shell::output(Command::new(shell::jfathom()?).args(["report", "--json"]).arg(profile))?;
    let report: Value = serde_json::from_str(&text)?;
    let costs = &report["times"]["costs"][0];
    let part = |name: &str| costs[name]["nanos"].as_f64().context("no calibration");
    let known = &report["jvms"][0]["knownCalibration"];
    Ok(Outcome {
        used: part("inner")? + part("outer")?,
        known: known["callNanos"].as_f64(),
        replaced: known["used"].as_bool() == Some(true),
    })
}

fn print(load: usize, lines: &[String]) {
    let mut useless = 0;
    let (mut replaced, mut alone) = (0, 0);
    let mut costs = Vec::new();
    for line in lines {
        let mut words = line.split(' ');
        let mut number = || words.next().and_then(|word| word.parse::<f64>().ok());
        let (Some(used), known) = (number(), number()) else { continue };
        costs.push(used);
        replaced += usize::from(line.ends_with("true"));
        match known {
            Some(known) => useless += usize::from((used / known - 1.0).abs() > OFF),
            None => alone += 1,
        }
    }
    costs.sort_by(f64::total_cmp);
    let at = |share: f64| {
        costs.get(((costs.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.0)
    };
    println!(
        "| load | recordings | cost used: least, median, most (ns) | replaced | nothing known | far off, and named |"
    );
    println!("|---|---|---|---|---|---|");
    println!(
        "| {load} | {} | {:.1}, {:.1}, {:.1} | {replaced} | {alone} | {useless} |",
        lines.len(),
        at(0.0),
        at(0.5),
        at(1.0)
    );
}
