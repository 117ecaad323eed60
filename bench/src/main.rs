//! `cargo xtask bench JOB`: the figures of `docs/lab`, each as a table beside its goal, and what
//! runs for hours with real JVMs and programs.
//!
//! Peers and programs are not part of the repository; environment variables name them:
//! `JFATHOM_ASM_PEER`, a folder whose `run.sh` does equal work with ASM (`bench JAR…` with a line
//! `asm-eq`, `cold IN OUT` with `MODE=asm-eq`); `JFATHOM_JFLUID_PEER`, a folder whose
//! `run.sh 1 CASE` runs a small program under JFluid; `JFATHOM_WORKLOADS`, a folder of small Java
//! programs that print `ROOT_NS n CPU_NS n`; `JFATHOM_CORPUS`, real programs; and
//! `JFATHOM_LOGGING_SOURCES`, the sources of java.logging. Peers run in the same run as jfathom.
#![forbid(unsafe_code)]

mod anchor;
mod answer;
mod busy;
mod calibration;
mod clock;
mod columns;
mod conditions;
mod consumer;
mod corpus;
mod corrected;
mod coverage;
mod drain_log;
mod ecj;
mod gate;
mod generator;
mod given;
mod jfathom;
mod kept;
mod live;
mod noise;
mod overhead;
mod query;
mod recall;
mod replay;
mod rewriting;
mod server;
#[path = "../../xtask/src/shell.rs"]
mod shell;
mod slowdown;
mod small;
mod spent;
mod statistics;
mod storm;
mod subject;
mod table;
mod totals;
mod trust;

use anyhow::Result;
use clap::Parser;
use std::path::PathBuf;

/// The figures of docs/lab, and jobs of hours; first: cargo build --release
#[derive(Parser)]
#[command(name = "cargo xtask bench", max_term_width = 100)]
enum Job {
    /// Rewriting classes, beside ASM
    Rewriting,
    /// Rewriting jars, beside ASM
    Jar,
    /// An empty plan changes no byte
    Identity { paths: Vec<PathBuf> },
    /// Small programs with all methods timed, beside JFluid
    Slowdown {
        #[arg(long, default_value_t = 3)]
        rounds: usize,
    },
    /// ECJ, cold
    Ecj {
        #[arg(long, default_value_t = 3)]
        rounds: usize,
    },
    /// The CPU time of recordings of real programs
    Overhead(overhead::Options),
    /// What each column adds to recordings of real programs
    Columns(columns::Options),
    /// How soon a root is live, and what a live recording costs and leaves
    Live,
    /// What attachments to one JVM leave
    Cycles {
        #[arg(default_value_t = 100)]
        cycles: usize,
    },
    /// A server under load
    ServerLoad(server::Options),
    /// Corrected root times beside uninstrumented runs
    Calibration(calibration::Options),
    /// Calibrations beside busy loops
    CalibrationNoise(noise::Options),
    /// Roots-only runs beside uninstrumented runs
    Anchor(anchor::Options),
    /// Error bars of programs that a seed draws
    Coverage(coverage::Options),
    /// `trust` beside further sampled runs
    Trust {
        #[arg(default_values = ["ecj", "h2", "lucene", "closure"])]
        programs: Vec<String>,
    },
    /// Equal and slower builds before the gate
    Gate(gate::Options),
    /// Records a second, of logs or of made records
    Consumer { logs: Vec<PathBuf> },
    /// Keep the records of a command's JVMs
    DrainLog(drain_log::Options),
    /// What a method can call
    Answer(answer::Options),
    /// Plans beside what a JVM really calls
    Recall(recall::Options),
    /// Expansion on a log of `recall`
    Replay(replay::Options),
    /// Real programs print the same with jfathom
    Corpus(corpus::same::Options),
    /// Recordings that are killed, stopped and starved, held against what the program did
    Storm(storm::Options),
    /// 200 recordings of real programs, and their tables
    QueryProfiles { folder: PathBuf },
    /// The same queries in jfathom-query, DuckDB and Spark
    QueryCompare {
        tables: PathBuf,
        /// And in Ballista, which takes half an hour to build
        #[arg(long)]
        ballista: bool,
    },
}

fn main() -> Result<()> {
    let job = Job::parse();
    if server::is_side() {
        return run(job);
    }
    println!("{}\n", conditions::text()?);
    let done = run(job);
    println!("\n{}", conditions::load("after")?);
    done
}

fn run(job: Job) -> Result<()> {
    match job {
        Job::Rewriting => rewriting::run(),
        Job::Jar => rewriting::jar::run(),
        Job::Identity { paths } => rewriting::identity(&paths),
        Job::Slowdown { rounds } => slowdown::run(rounds),
        Job::Ecj { rounds } => slowdown::ecj(rounds),
        Job::Overhead(options) => overhead::run(&options),
        Job::Columns(options) => columns::run(&options),
        Job::Live => live::run(),
        Job::Cycles { cycles } => live::cycles::run(cycles),
        Job::ServerLoad(options) => server::run(&options),
        Job::Calibration(options) => calibration::run(&options),
        Job::CalibrationNoise(options) => noise::run(&options),
        Job::Anchor(options) => anchor::run(&options),
        Job::Coverage(options) => coverage::run(&options),
        Job::Trust { programs } => trust::run(&programs),
        Job::Gate(options) => gate::run(&options),
        Job::Consumer { logs } => consumer::run(&logs),
        Job::DrainLog(options) => drain_log::run(&options),
        Job::Answer(options) => answer::run(options),
        Job::Recall(options) => recall::run(&options),
        Job::Replay(options) => {
            replay::run(&options);
            Ok(())
        }
        Job::Corpus(options) => corpus::same::run(options),
        Job::Storm(options) => storm::run(&options),
        Job::QueryProfiles { folder } => query::profiles(&folder),
        Job::QueryCompare { tables, ballista } => query::compare(&tables, ballista),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_line_is_consistent() {
        <super::Job as clap::CommandFactory>::command().debug_assert();
    }
}
