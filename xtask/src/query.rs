//! `jfathom-query`, which has a workspace of its own: its SQL engine is larger than all of jfathom.

use crate::shell;
use anyhow::{Context, Result};
use std::{fs, path::PathBuf};

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

fn cargo(words: &[&str]) -> Result<()> {
    let mut command = shell::cargo();
    command.current_dir(shell::root().join("query")).args(words);
    shell::run(command.env("CARGO_TARGET_DIR", target()))
}

/// A target folder of its own: the features of what both have differ.
fn target() -> PathBuf {
    shell::target().join("query")
}
