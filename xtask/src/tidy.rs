//! `cargo xtask tidy`: what the compiler does not hold and the eye forgets.

mod circles;
mod edges;
mod imports;
mod layout;
mod rooms;
mod text;

use crate::shell;
use anyhow::{Result, bail};
use std::{collections::BTreeSet, path::PathBuf, process::Command};

/// Something that is not as it should be.
pub struct Finding {
    /// Where: a path in the workspace, with a line where there is one.
    pub place: String,
    /// What, and what to do.
    pub what: String,
}

impl Finding {
    fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.into() }
    }
}

/// Runs all checks, prints every finding, and fails where there is one.
pub fn run() -> Result<()> {
    let files = tracked_files()?;
    let mut findings = edges::check()?;
    findings.extend(circles::check(&files));
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
