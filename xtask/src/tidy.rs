//! `cargo xtask tidy`: what the compiler does not hold and the eye forgets.

mod circles;
mod crates;
mod draw;
mod edges;
mod finding;
mod imports;
mod layout;
mod literals;
mod pages;
mod runtime;
mod text;
mod width;
mod words;

use crate::shell;
use anyhow::{Result, bail};
use std::{collections::BTreeSet, path::PathBuf, process::Command};

/// Runs all checks, prints every finding, and fails where there is one.
pub fn run() -> Result<()> {
    let files = tracked_files()?;
    let mut findings = edges::check()?;
    findings.extend(circles::check(&files));
    findings.extend(words::check(&files));
    findings.extend(pages::check(&files));
    findings.extend(text::check(&files));
    findings.extend(width::check(&files));
    findings.extend(crates::check(&files));
    findings.extend(runtime::check(&files));
    findings.extend(layout::check());
    findings.extend(draw::check());
    for finding in &findings {
        eprintln!("{}: {}", finding.place, finding.what);
    }
    if !findings.is_empty() {
        bail!("tidy: {} findings", findings.len());
    }
    eprintln!("tidy: {} files and all edges fine", files.len());
    Ok(())
}

/// Draws the picture of the crates.
pub fn draw() -> Result<()> {
    draw::write()
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
