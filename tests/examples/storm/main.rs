//! `storm [--rounds N] [--seed S] [--one K] [--again]`: records a program that states its own
//! truth, attacks one side while it runs, and holds what is left against the truth.
//!
//! Everything of a round is drawn from the seed and the round's number, so that one line shows a
//! failure again. `JFATHOM_BIN` is the command under test. Rounds that were run before with the
//! same seed are passed over until `--again` is given: their outcomes are in `storm/SEED/journal.
//! tsv` of the target folder, and the table at the end is of all of them. Exit code 1 where a round
//! failed.
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

use journal::{Journal, Line, Verdict};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

/// Errors of the storm itself, not of what it tests.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Arguments {
    rounds: u64,
    seed: u64,
    one: Option<u64>,
    again: bool,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| storm(&arguments)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("storm: {error}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments { rounds: 100, seed: 1, one: None, again: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64> {
            Ok(words.next().ok_or(format!("{word} needs a number"))?.parse()?)
        };
        match word.as_str() {
            "--rounds" => arguments.rounds = number()?,
            "--seed" => arguments.seed = number()?,
            "--one" => arguments.one = Some(number()?),
            "--again" => arguments.again = true,
            _ => {
                return Err(
                    format!("no option {word}: --rounds N, --seed S, --one K, --again").into()
                );
            }
        }
    }
    Ok(arguments)
}

/// Runs the rounds; the number of those that failed.
fn storm(arguments: &Arguments) -> Result<usize> {
    let jfathom =
        PathBuf::from(std::env::var_os("JFATHOM_BIN").ok_or("JFATHOM_BIN names no command")?);
    let place = jfathom
        .parent()
        .and_then(Path::parent)
        .ok_or("JFATHOM_BIN has no target folder")?
        .join("storm");
    // Storms of other seeds may run beside this one.
    let place = place.join(arguments.seed.to_string());
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
            println!("  again: cargo xtask storm --seed {} --one {number}", arguments.seed);
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
