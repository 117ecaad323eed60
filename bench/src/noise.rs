//! Short recordings beside busy loops: is any calibration useless?
//!
//! A calibration is useless if the cost of a call that the report uses is more than 30 % off the
//! last good one of this machine and the profile does not say so.

use crate::{
    busy::Load,
    jfathom::Jfathom,
    kept::{self, Kept},
    small::{Small, Smalls},
    statistics::{least, median, most},
    table,
};
use anyhow::{Context, Result};
use jfathom_testkit::jdk;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    /// Busy loops
    #[arg(long, default_value_t = 3)]
    load: usize,
    #[arg(long, default_value_t = 20)]
    recordings: usize,
    /// For how many seconds
    #[arg(long = "for", default_value_t = u64::MAX)]
    seconds: u64,
}

/// The program: a short one.
const PROGRAM: Small = ("Micro", &["2000", "1"]);
/// A cost that is further from the last good one, as a share of it, is named by the report: it is
/// used only where code without probes was slower by as much.
const OFF: f64 = 0.3;

/// Records until there are as many recordings as wanted, and prints what there is.
pub fn run(options: &Options) -> Result<()> {
    let begun = Instant::now();
    let folder = tempfile::tempdir()?;
    // What is good is learnt without the load, once.
    let jfathom = Jfathom::find()?.with_cache(&kept::folder().join("noise-cache"));
    let smalls = Smalls::own(&jfathom, folder.path())?;
    let kept = Kept::open(&format!("noise-{}", options.load))?;
    if kept.lines()?.is_empty() {
        for _ in 0..3 {
            record(&jfathom, &smalls)?;
        }
    }
    let load = Load::start(options.load)?;
    while kept.lines()?.len() < options.recordings
        && begun.elapsed() < Duration::from_secs(options.seconds)
    {
        kept.add(&record(&jfathom, &smalls)?)?;
    }
    drop(load);
    print(options.load, &kept.lines()?);
    Ok(())
}

/// Records once: the cost of a call that the report uses, the known one or `-`, and whether that
/// was used.
fn record(jfathom: &Jfathom, smalls: &Smalls) -> Result<String> {
    smalls.recorded(jdk::main(), PROGRAM, &[])?;
    let report = jfathom.report(&smalls.profile())?;
    let costs = &report["times"]["costs"][0];
    let part = |name: &str| costs[name]["nanos"].as_f64().context("no calibration");
    let known = &report["jvms"][0]["knownCalibration"];
    let nanos = known["callNanos"].as_f64().map_or("-".to_owned(), |nanos| format!("{nanos:.1}"));
    Ok(format!("{:.1} {nanos} {}", part("inner")? + part("outer")?, known["used"] == true))
}

fn print(load: usize, lines: &[String]) {
    let (mut costs, mut useless, mut unknown) = (Vec::new(), 0, 0);
    for line in lines {
        let mut numbers = line.split(' ').map(|word| word.parse::<f64>().ok());
        let (Some(Some(used)), known) = (numbers.next(), numbers.next().flatten()) else {
            continue;
        };
        costs.push(used);
        match known {
            Some(known) => useless += usize::from((used / known - 1.0).abs() > OFF),
            None => unknown += 1,
        }
    }
    table::head(
        "load | recordings | cost used: least, median, most (ns) | replaced | nothing known | far off, and named",
    );
    println!(
        "| {load} | {} | {:.1}, {:.1}, {:.1} | {} | {unknown} | {useless} |",
        lines.len(),
        least(&costs),
        median(costs.clone()),
        most(&costs),
        lines.iter().filter(|line| line.ends_with("true")).count(),
    );
}
