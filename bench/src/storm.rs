//! `storm`: records a program that states its own
//! truth, attacks one side while it runs, and holds what is left against the truth.
//!
//! Everything of a round is drawn from the seed and the round's number, so that one line shows a
//! failure again. Rounds that were run before with the
//! same seed are passed over until `--again` is given: their outcomes are in `storm/SEED/journal.
//! tsv` of the target folder, and the table at the end is of all of them.
//!
//! Draws that need another mount or process namespace are made only as root; elsewhere they are
//! counted as skipped. `JFATHOM_JDK25`, `JFATHOM_JRE11` and `JFATHOM_JRE21` add JVMs.

mod attack;
mod check;
mod draw;
mod ground;
mod journal;
mod patience;
mod processes;
mod program;
mod recorded;
mod round;
mod truth;

use crate::shell;
use anyhow::{Result, ensure};
use journal::{Journal, Line, Verdict};
use std::time::Instant;

#[derive(clap::Args)]
pub struct Options {
    #[arg(long, default_value_t = 100)]
    rounds: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// This round only
    #[arg(long)]
    one: Option<u64>,
    /// Forget earlier rounds
    #[arg(long)]
    again: bool,
}

/// Builds the command as tests are built, with its assertions, and runs the rounds.
pub fn run(options: &Options) -> Result<()> {
    shell::run(shell::cargo().args(["build", "-p", "jfathom-cli", "--bin", "jfathom"]))?;
    let failed = storm(options)?;
    ensure!(failed == 0, "{failed} rounds failed");
    Ok(())
}

/// Runs the rounds; the number of those that failed.
fn storm(arguments: &Options) -> Result<usize> {
    let jfathom = shell::target().join("debug/jfathom");
    // Storms of other seeds may run beside this one.
    let place = shell::target().join("storm").join(arguments.seed.to_string());
    std::fs::create_dir_all(&place)?;
    let mut journal = Journal::open(&place.join("journal.tsv"), arguments.again)?;
    let program = program::Program::make(&jfathom, &place)?;
    let numbers = match arguments.one {
        Some(one) => one..one + 1,
        None => 0..arguments.rounds,
    };
    for number in numbers {
        if arguments.one.is_none() && journal.has(number) {
            continue;
        }
        let draw = draw::Draw::new(arguments.seed, number, program.jvms.len());
        let begun = Instant::now();
        let verdict = if draw.needs_root() && !rustix::process::geteuid().is_root() {
            Verdict::Skipped
        } else {
            match round::run(&program, &draw, &place.join(format!("round-{number}"))) {
                Ok(verdict) => verdict,
                Err(error) => Verdict::Failed(vec![format!("the storm itself: {error}")]),
            }
        };
        let line = Line {
            number,
            verdict,
            draw: draw.to_string(),
            seconds: begun.elapsed().as_secs_f64(),
        };
        println!("{line}");
        if matches!(line.verdict, Verdict::Failed(_)) {
            println!("  again: cargo xtask bench storm --seed {} --one {number}", arguments.seed);
        }
        if arguments.one.is_none() {
            journal.add(line)?;
        } else if matches!(line.verdict, Verdict::Failed(_)) {
            return Ok(1);
        }
    }
    if arguments.one.is_none() {
        print!("{}", journal.table());
    }
    Ok(journal.failed())
}
