//! `cargo xtask tidy`: what the compiler does not hold and the eye forgets.

mod circles;
mod crates;
mod draw;
mod edges;
mod finding;
mod imports;
mod layout;
mod pages;
mod text;
mod width;
mod words;

use crate::{shell, tidy::finding::Finding};
use anyhow::{Result, bail};
use std::{collections::BTreeSet, path::PathBuf, process::Command};

/// The findings in these files, whose paths are relative to the workspace.
type Check = fn(&[PathBuf]) -> Vec<Finding>;

/// Runs all checks, prints every finding, and fails where there is one.
pub fn run() -> Result<()> {
    let files = tracked_files()?;
    let mut findings = edges::check()?;
    findings.extend(text::check(&files));
    findings.extend(crates::check(&files));
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

/// What is on its way into `run`: circles, words, widths, pages; all of them, or one by its name.
pub fn style(name: &str) -> Result<()> {
    let files = tracked_files()?;
    let checks: [(&str, Check); 4] = [
        ("circles", circles::check),
        ("words", words::check),
        ("width", width::check),
        ("pages", pages::check),
    ];
    let mut count = 0;
    for (_, check) in checks.iter().filter(|(own, _)| name == "style" || name == *own) {
        for finding in check(&files) {
            eprintln!("{}: {}", finding.place, finding.what);
            count += 1;
        }
    }
    if count > 0 {
        bail!("{count} findings");
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
