//! `cargo xtask bench NAME`: the figures of `docs/lab`, each as a table beside its goal.
//!
//! Peers and programs are not part of the repository; environment variables name them:
//! `JFATHOM_ASM_PEER`, a folder whose `run.sh` does the same rewriting with ASM (`bench JAR…`,
//! `cold IN OUT`); `JFATHOM_WORKLOADS`, a folder of small Java programs that print `ROOT_NS n
//! CPU_NS n`; `JFATHOM_CORPUS`, as for `cargo xtask corpus`.

mod anchor;
mod calibration;
mod coverage;
mod gate;
mod jar;
mod live;
mod programs;
mod rewriting;
mod shares;
mod slowdown;

use crate::shell;
use anyhow::{Result, bail};
use std::process::Command;

/// Runs one benchmark.
pub fn run(name: &str, rest: &[&str]) -> Result<()> {
    match name {
        "rewriting" => rewriting::run(),
        "jar" => jar::run(),
        "identity" => rewriting::identity(rest),
        "slowdown" => slowdown::run(),
        "ecj" => slowdown::ecj(),
        "live" => live::run(),
        "cycles" => live::cycles(rest),
        "calibration" => calibration::run(rest),
        "anchor" => anchor::run(rest),
        "coverage" => coverage::run(rest),
        "shares" => shares::run(rest),
        "gate" => gate::run(rest),
        "probe" => shell::run(example("jfathom-runtime-java", "probe_cost").args(rest)),
        "consumer" => shell::run(example("jfathom-profile", "consume_bench").args(rest)),
        _ => bail!(
            "no benchmark {name}: rewriting, jar, identity, slowdown, ecj, live, cycles, calibration, anchor, coverage, shares, gate, probe, consumer"
        ),
    }
}

/// An example of a room, in release mode, ready for its arguments.
pub fn example(package: &str, name: &str) -> Command {
    let mut command = shell::cargo();
    command.args(["run", "--release", "--quiet", "-p", package, "--example", name, "--"]);
    command
}

/// The middle one of an odd number of runs.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The geometric mean.
fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
