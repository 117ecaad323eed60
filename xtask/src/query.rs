//! `jfathom-query`, which has a workspace of its own: its SQL engine is larger than all of jfathom.

use crate::{
    bench::comparison::gate::{SUBJECTS, Subject},
    java, shell,
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Builds it and puts it beside `jfathom`, into `release` of the target folder. With `check`: its
/// format, lints and tests instead.
pub fn run(is_check: bool) -> Result<()> {
    if is_check {
        cargo(&["fmt", "--check"])?;
        cargo(&["clippy", "--all-targets", "--", "-D", "warnings"])?;
        return cargo(&["test"]);
    }
    cargo(&["build", "--release"])?;
    let made = target().join("release/jfathom-query");
    let folder = shell::target().join("release");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let place = folder.join("jfathom-query");
    fs::copy(&made, &place)
        .with_context(|| format!("{} to {}", made.display(), place.display()))?;
    eprintln!("query: {}", place.display());
    Ok(())
}

/// Profiles that [`profiles`] records, and over how many days they are spread.
const PROFILES: usize = 200;
const DAYS: usize = 10;

/// Records real programs with small inputs into DIR/profiles, labelled as builds of three services
/// on ten days, and exports them to DIR/tables, partitioned by day and service. Goes on where it
/// was.
pub fn profiles(place: &str) -> Result<()> {
    let place = std::path::absolute(place)?;
    let (profiles, tables) = (place.join("profiles"), place.join("tables"));
    fs::create_dir_all(&profiles)?;
    let folder = tempfile::tempdir()?;
    let subjects: Vec<&Subject> =
        SUBJECTS.iter().filter(|subject| subject.name.ends_with("-short")).collect();
    let mut rewritten = Vec::new();
    for subject in &subjects {
        let place = folder.path().join(subject.name);
        fs::create_dir_all(&place)?;
        rewritten.push(subject.rewrite(&subject.class_path(&place)?, &place)?);
    }
    for number in 0..PROFILES {
        let which = number % subjects.len();
        let profile = profiles.join(format!("{number:03}.jfp"));
        if profile.is_file() {
            continue;
        }
        let mut java = Command::new(java::main()?.tool("java"));
        subjects[which].arguments(&mut java, &rewritten[which], folder.path())?;
        let mut record = Command::new(shell::jfathom()?);
        // It gets its name when its tables are there.
        let part = profile.with_extension("part");
        record.args(["record", "--force", "-q", "-o"]).arg(&part);
        for label in [
            format!("day=2026-11-{:02}", 1 + number / (PROFILES / DAYS)),
            format!("service={}", subjects[which].name),
            "branch=main".to_owned(),
            format!("commit={number:04x}"),
        ] {
            record.args(["--label", &label]);
        }
        shell::output(record.arg("--").arg(java.get_program()).args(java.get_args()))?;
        let mut export = Command::new(shell::jfathom()?);
        export.arg("export").arg(&part).args(["--to", "parquet", "--partition", "day,service"]);
        shell::output(export.arg("-o").arg(&tables))?;
        fs::rename(&part, &profile)?;
    }
    eprintln!("query: {PROFILES} profiles in {}", place.display());
    Ok(())
}

/// Ballista's programs, and the features that they need here.
const BALLISTA: &[(&str, &[&str])] = &[
    ("ballista-scheduler", &[]),
    ("ballista-executor", &[]),
    ("ballista-cli", &["--no-default-features", "--features", "cli"]),
];

/// Installs Ballista's programs into the target folder, not optimised. Returns where they are.
/// Some 480 crates: half an hour on two processors.
fn ballista() -> Result<PathBuf> {
    let folder = target().join("ballista");
    for (program, features) in BALLISTA {
        if folder.join("bin").join(program).is_file() {
            continue;
        }
        let mut install = shell::cargo();
        install.args(["install", "--locked", "--debug", program, "--version", "55.0.0"]);
        install.args(*features).arg("--root").arg(&folder);
        install.env("CARGO_TARGET_DIR", folder.join("build"));
        install.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        shell::run(&mut install)?;
    }
    Ok(folder.join("bin"))
}

/// The same queries over a directory of tables in jfathom-query, DuckDB and Spark, and with
/// `has_ballista` in Ballista. What is missing is installed into the target folder.
pub fn compare(tables: &str, has_ballista: bool) -> Result<()> {
    let program = program()?;
    let python = target().join("python");
    shell::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    shell::run(Command::new(python.join("bin/pip")).args(["install", "-q", "duckdb", "pyspark"]))?;
    let mut compare = Command::new(python.join("bin/python"));
    compare.arg(shell::root().join("query/compare/compare.py")).arg(program).arg(tables);
    compare.arg("--spark");
    if has_ballista {
        compare.arg("--ballista").arg(ballista()?);
    }
    shell::run(&mut compare)
}

/// The program: the released one, else the one for development.
fn program() -> Result<PathBuf> {
    let places = ["release", "debug"].map(|kind| target().join(kind).join("jfathom-query"));
    let found = places.into_iter().find(|place: &PathBuf| Path::is_file(place));
    found.context("no jfathom-query: cargo xtask query")
}

fn cargo(words: &[&str]) -> Result<()> {
    let mut command = shell::cargo();
    command.current_dir(shell::root().join("query")).args(words);
    shell::run(command.env("CARGO_TARGET_DIR", target()))
}

/// A target folder of its own: the features of what both have differ.
fn target() -> PathBuf {
    shell::target().join("query")
}
