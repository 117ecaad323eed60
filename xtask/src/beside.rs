//! Workspaces beside the main one: `bench` and `fuzz`. They take its versions of everything.

use crate::shell;
use anyhow::{Context, Result};
use std::fs;

/// Both compile.
pub fn check() -> Result<()> {
    for name in ["fuzz", "bench"] {
        take_versions(name)?;
        let mut check = shell::cargo();
        check.args(["check", "--bins", "--manifest-path"]).arg(format!("{name}/Cargo.toml"));
        shell::run(check.arg("--target-dir").arg(shell::target()))?;
    }
    Ok(())
}

/// Builds the benchmarks as the product is built, and runs a job of theirs. Their target folder is
/// their own: the features of what both have differ.
pub fn bench(words: &[&str]) -> Result<()> {
    take_versions("bench")?;
    let mut run = shell::cargo();
    run.args(["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml"]);
    run.arg("--target-dir").arg(shell::target().join("bench")).arg("--").args(words);
    shell::run(&mut run)
}

/// Gives a workspace the main one's lock file.
pub fn take_versions(name: &str) -> Result<()> {
    let (from, to) = ("Cargo.lock", format!("{name}/Cargo.lock"));
    fs::copy(shell::root().join(from), shell::root().join(&to)).context(to).map(drop)
}
