//! Root times of roots-only runs, by which `--anchor` corrects, beside those of uninstrumented
//! runs.
//!
//! The runs are interleaved, each in a fresh JVM, with the root's cold start; wall times.

use crate::{
    corpus::Corpus,
    corrected::Corrected,
    jfathom::Jfathom,
    shell,
    small::{self, Smalls, millis},
    statistics::median,
    subject::{self, Subject},
    table,
};
use anyhow::Result;
use jfathom_testkit::{Jdk, jdk};
use std::{path::Path, process::Command};

#[derive(clap::Args)]
pub struct Options {
    /// Pairs
    #[arg(long, default_value_t = 11)]
    runs: usize,
    /// Small programs, or subjects of the gate; all without
    names: Vec<String>,
}

const ROOTS_ONLY: &[&str] = &["--probe=**=off"];

/// Prints the table.
pub fn run(options: &Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let jfathom = Jfathom::find()?;
    table::head(
        "program | JVM | plain ms | middle half | roots-only ms | middle half | difference",
    );
    let smalls: Vec<_> = small::chosen(&options.names).collect();
    if !smalls.is_empty() {
        let programs = Smalls::all(&jfathom, folder.path(), true)?;
        for jdk in jdk::main_and_25("anchor") {
            for program in &smalls {
                rounds(program.0, jdk, options.runs, || {
                    let plain = programs.plain(jdk, *program)?.wall;
                    programs.recorded(jdk, *program, ROOTS_ONLY)?;
                    Ok([plain, Corrected::read(&programs.profile())?.time])
                })?;
            }
        }
    }
    for subject in subject::chosen(&options.names) {
        let corpus = Corpus::find()?;
        let plain = subject.class_path(&corpus, folder.path())?;
        let rewritten = subject.rewrite(&jfathom, &plain, folder.path())?;
        for jdk in jdk::main_and_25("anchor") {
            rounds(subject.name, jdk, options.runs, || {
                both(&corpus, subject, jdk, [&plain, &rewritten], folder.path())
            })?;
        }
    }
    Ok(())
}

fn both(
    corpus: &Corpus,
    subject: &Subject,
    jdk: &Jdk,
    [plain, rewritten]: [&subject::ClassPath; 2],
    folder: &Path,
) -> Result<[f64; 2]> {
    let mut java = Command::new(jdk.java());
    let text = shell::output(subject.arguments(corpus, &mut java, plain, folder)?)?;
    let profile = folder.join("anchor.jfp");
    let mut record = corpus.jfathom.record(&profile, ROOTS_ONLY);
    record.arg(jdk.java());
    shell::output(subject.arguments(corpus, &mut record, rewritten, folder)?)?;
    Ok([millis(&text, "ROOT_NS")?, Corrected::read(&profile)?.time])
}

fn rounds(name: &str, jdk: &Jdk, runs: usize, round: impl Fn() -> Result<[f64; 2]>) -> Result<()> {
    let all = (0..runs).map(|_| round()).collect::<Result<Vec<_>>>()?;
    let sides = [0, 1].map(|side| {
        let mut times: Vec<f64> = all.iter().map(|times| times[side]).collect();
        times.sort_by(f64::total_cmp);
        let quarter = times.len() / 4;
        let ends = times.iter().rev().nth(quarter).zip(times.get(quarter));
        let middle_half = ends.map_or(0.0, |(high, low)| high - low);
        (median(times), middle_half)
    });
    let [(plain, plain_spread), (roots_only, spread)] = sides;
    let percent = |value: f64| value * 100.0 / plain;
    println!(
        "| {name} | {} | {plain:.1} | {:.1} % | {roots_only:.1} | {:.1} % | {:+.1} % |",
        jdk.version,
        percent(plain_spread),
        percent(spread),
        percent(roots_only - plain)
    );
    Ok(())
}
