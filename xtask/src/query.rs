//! `jfathom-query`, which has a workspace of its own: its SQL engine is larger than all of jfathom.

use crate::shell;
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

/// Ballista's programs, and the features that they need here.
const BALLISTA: &[(&str, &[&str])] = &[
    ("ballista-scheduler", &[]),
    ("ballista-executor", &[]),
    ("ballista-cli", &["--no-default-features", "--features", "cli"]),
];

/// The same queries over a directory of tables in jfathom-query, DuckDB, Spark and Ballista. What
/// is missing is installed into the target folder: two packages of Python's, three of Rust's.
pub fn compare(tables: &str) -> Result<()> {
    let program = program()?;
    let python = target().join("python");
    shell::run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    shell::run(Command::new(python.join("bin/pip")).args(["install", "-q", "duckdb", "pyspark"]))?;
    let ballista = target().join("ballista");
    for (program, features) in BALLISTA {
        if ballista.join("bin").join(program).is_file() {
            continue;
        }
        let mut install = shell::cargo();
        install.args(["install", "--locked", "--debug", program, "--version", "55.0.0"]);
        install.args(*features).arg("--root").arg(&ballista);
        install.env("CARGO_TARGET_DIR", ballista.join("build"));
        install.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
        shell::run(&mut install)?;
    }
    let mut compare = Command::new(python.join("bin/python"));
    compare.arg(shell::root().join("query/compare/compare.py")).arg(program).arg(tables);
    shell::run(compare.arg("--spark").arg("--ballista").arg(ballista.join("bin")))
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
