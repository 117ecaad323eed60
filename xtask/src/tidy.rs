//! `cargo xtask tidy`: what the compiler does not hold and the eye forgets.

mod circles;
mod edges;
mod finding;
mod imports;
mod layout;
mod rooms;
mod text;

use crate::shell;
use anyhow::{Result, bail};
use std::{collections::BTreeSet, path::PathBuf, process::Command};

/// Runs all checks, prints every finding, and fails where there is one.
pub fn run() -> Result<()> {
    let files = tracked_files()?;
    let mut findings = edges::check()?;
    findings.extend(text::check(&files));
    findings.extend(rooms::check(&files));
    findings.extend(layout::check());
    for finding in &findings {
        eprintln!("{}: {}", finding.place, finding.what);
    }
    if !findings.is_empty() {
        bail!("tidy: {} findings", findings.len());
    }
    eprintln!("tidy: {} files and all edges fine", files.len());
    Ok(())
}

/// Circles of files alone.
pub fn circles() -> Result<()> {
    let findings = circles::check(&tracked_files()?);
    for finding in &findings {
        eprintln!("{}: {}", finding.place, finding.what);
    }
    if !findings.is_empty() {
        bail!("{} circles of files", findings.len());
    }
    Ok(())
}

/// What git tracks or would track, as paths relative to the workspace.
fn tracked_files() -> Result<Vec<PathBuf>> {
    let list = shell::output(
        Command::new("git")
            .args(["ls-files", "--cached", "--others", "--exclude-standard"])
            .current_dir(shell::root()),
    )?;
    let files: BTreeSet<PathBuf> =
        list.lines().map(PathBuf::from).filter(|path| shell::root().join(path).is_file()).collect();
    Ok(files.into_iter().collect())
}
