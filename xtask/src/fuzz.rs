//! The fuzz targets: run on seeded mutations where there is no libFuzzer, and run under
//! it.

mod compiler;
mod slices;

use crate::{beside, shell};
use anyhow::{Context, Result, bail};
use slices::Slice;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// An input that takes longer, in seconds, is a fault.
const SLOW: u32 = 20;
/// An input that needs more memory, in MB, is a fault.
const MEMORY: u32 = 3_000;

/// The same functions on seeds and their mutations, as an ordinary test.
pub fn smoke() -> Result<()> {
    shell::run(&mut smoke_command())
}

fn smoke_command() -> Command {
    let mut command = shell::cargo();
    command.args(["test", "-p", "jfathom-tests", "--test", "all", "fuzz::"]);
    command
}

/// `cargo xtask fuzz [TARGET…] [--minutes N] [--table]`: each target under libFuzzer for N minutes
/// (5), one after the other, from the seeds of the smoke test and what earlier runs have found.
/// Corpora, crashes and logs are kept in `fuzz` of the target folder; the table is of all runs
/// so far, and with `--table` nothing is run. Needs cargo-fuzz and a C++ compiler; a nightly
/// compiler is used if it is installed.
pub fn run(arguments: &[&str]) -> Result<()> {
    let all = targets()?;
    let (mut minutes, mut only_table, mut chosen) = (5, false, Vec::new());
    let mut words = arguments.iter();
    while let Some(&word) = words.next() {
        match word {
            "--minutes" => minutes = words.next().context("--minutes needs a number")?.parse()?,
            "--table" => only_table = true,
            _ if all.iter().any(|target| target == word) => chosen.push(word.to_owned()),
            _ => bail!("no fuzz target {word}: {}", all.join(", ")),
        }
    }
    let place = shell::target().join("fuzz");
    if !only_table {
        let programs = build(&place)?;
        let chosen = if chosen.is_empty() { &all } else { &chosen };
        make_seeds(&programs, &place.join("seeds"), chosen)?;
        for target in chosen {
            slice(&programs.join(target), &place, target, minutes)?;
        }
    }
    print!("{}", slices::table(&place, &all)?);
    let crashes: usize = all.iter().map(|target| slices::crashes(&place, target)).sum();
    if crashes > 0 {
        bail!(
            "{crashes} inputs crash, take too long or too much memory: {}",
            place.join("artifacts").display()
        );
    }
    Ok(())
}

/// The targets' names, sorted.
fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(shell::root().join("fuzz/fuzz_targets"))? {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// The folder of the targets' programs. Almost all code is safe: without a sanitizer more inputs
/// are tried in the same time; assertions and overflow checks are on.
fn build(place: &Path) -> Result<PathBuf> {
    beside::take_versions("fuzz")?;
    let out = place.join("build");
    let mut cargo = compiler::cargo();
    cargo.args(["fuzz", "build", "--sanitizer", "none", "--target-dir"]).arg(&out);
    shell::run(cargo.current_dir(shell::root())).context("cargo install cargo-fuzz")?;
    let release = fs::read_dir(&out)?
        .flatten()
        .map(|entry| entry.path().join("release"))
        .find(|path| path.join("records").is_file());
    release.with_context(|| format!("cargo fuzz has made no programs in {}", out.display()))
}

/// Writes the seeds of the smoke test, if a target's program is newer than its seeds: a changed
/// format has other seeds.
fn make_seeds(programs: &Path, seeds: &Path, chosen: &[String]) -> Result<()> {
    let time = |path: PathBuf| fs::metadata(path)?.modified();
    let is_current = |target: &String| match time(seeds.join(target).join("seed-0")) {
        Ok(seed) => time(programs.join(target)).is_ok_and(|program| program < seed),
        Err(_) => false,
    };
    if chosen.iter().all(is_current) {
        return Ok(());
    }
    shell::run(smoke_command().env("JFATHOM_FUZZ_SEEDS", seeds))
}

/// Runs one target for a while, and puts down what came of it.
fn slice(program: &Path, place: &Path, target: &str, minutes: u32) -> Result<()> {
    let [corpus, seeds, artifacts] =
        ["corpus", "seeds", "artifacts"].map(|folder| place.join(folder).join(target));
    for folder in [&corpus, &seeds, &artifacts] {
        fs::create_dir_all(folder)?;
    }
    let log = place.join(format!("{target}.log"));
    // Targets that need files on disk make them in a folder that goes away even after a crash.
    let temporary = tempfile::tempdir_in(place)?;
    let mut command = Command::new(program);
    command.args([&corpus, &seeds]).arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.arg(format!("-max_total_time={}", minutes * 60)).arg(format!("-timeout={SLOW}"));
    command.arg(format!("-rss_limit_mb={MEMORY}")).arg("-print_final_stats=1");
    command.env("TMPDIR", temporary.path()).stdout(Stdio::null()).stderr(fs::File::create(&log)?);
    eprintln!("+ {target}, {minutes} minutes");
    let before = shell::children_cpu()?;
    let status = command.status()?;
    let cpu = shell::children_cpu()?.saturating_sub(before);
    let said = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    slices::add(place, target, &Slice::of(&said, cpu))?;
    if !status.success() {
        eprintln!("{target} ended with {status}: {}", log.display());
    }
    Ok(())
}
