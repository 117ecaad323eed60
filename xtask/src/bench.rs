//! `cargo xtask bench NAME`: the figures of `docs/lab`, each as a table beside its goal.
//!
//! Peers and programs are not part of the repository; environment variables name them:
//! `JFATHOM_ASM_PEER`, a folder whose `run.sh` does equal work with ASM (`bench JAR…` with a line
//! `asm-eq`, `cold IN OUT` with `MODE=asm-eq`); `JFATHOM_JFLUID_PEER`, a folder whose
//! `run.sh 1 CASE` runs a small program under JFluid; `JFATHOM_WORKLOADS`, a folder of small Java
//! programs that print `ROOT_NS n CPU_NS n`; `JFATHOM_CORPUS`, as for `cargo xtask corpus`. Peers
//! run in the same run as jfathom.

mod busy;
pub mod comparison;
mod conditions;
mod cost;
mod generator;
mod measure;
mod programs;
mod rewriting;
mod times;

use crate::shell;
use anyhow::{Result, bail};
pub use measure::example;

/// Runs one benchmark.
pub fn run(name: &str, rest: &[&str]) -> Result<()> {
    println!("{}\n", conditions::text()?);
    match name {
        "rewriting" => rewriting::speed::run(),
        "jar" => rewriting::jar::run(),
        "identity" => rewriting::speed::identity(rest),
        "slowdown" => cost::slowdown::run(rest),
        "ecj" => cost::slowdown::ecj(),
        "steady" => cost::steady::run(rest),
        "live" => cost::live::run(),
        "overhead" => cost::overhead::run(rest),
        "columns" => cost::columns::run(rest),
        "cycles" => cost::live::cycles(rest),
        "calibration" => times::calibration::run(rest),
        "calibration-noise" => times::calibration_noise::run(rest),
        "anchor" => times::anchor::run(rest),
        "coverage" => match rest {
            ["--generated", rest @ ..] => times::generated::run(rest),
            _ => times::coverage::run(rest),
        },
        "shares" => times::shares::run(rest),
        "trust" => times::trust::run(rest),
        "gate" => comparison::gate::run(rest),
        "probe" => shell::run(example("jfathom-runtime-java", "probe_cost").args(rest)),
        "consumer" => shell::run(example("jfathom-profile", "consume_bench").args(rest)),
        _ => bail!(
            "no benchmark {name}: rewriting, jar, identity, slowdown, ecj, steady, overhead, columns, live, cycles, calibration, calibration-noise, anchor, coverage, shares, trust, gate, probe, consumer"
        ),
    }
}
