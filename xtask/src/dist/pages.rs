//! Completions and man pages, as the binary writes them.

use super::release::Release;
use crate::shell;
use anyhow::Result;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Shells, with the file names that they look for.
const SHELLS: [(&str, &str); 3] =
    [("bash", "jfathom"), ("zsh", "_jfathom"), ("fish", "jfathom.fish")];

/// What a shell and `man` read.
pub struct Pages {
    /// Man pages, sorted by name.
    pub manual: Vec<PathBuf>,
    /// Completions: the shell, and its file.
    pub completions: Vec<(&'static str, PathBuf)>,
}

impl Pages {
    /// Lets the binary write them.
    pub fn generate(release: &Release, binary: &Path) -> Result<Self> {
        let folder = release.folder.join("pages");
        let manual = folder.join("man1");
        shell::run(Command::new(binary).arg("man").arg(&manual))?;
        let entries = fs::read_dir(&manual)?.map(|entry| entry.map(|entry| entry.path()));
        let mut manual = entries.collect::<Result<Vec<_>, _>>()?;
        manual.sort();
        let mut completions = Vec::new();
        for (shell, name) in SHELLS {
            let file = folder.join("completions").join(shell).join(name);
            fs::create_dir_all(file.parent().unwrap_or(&file))?;
            fs::write(&file, shell::output(Command::new(binary).args(["completions", shell]))?)?;
            completions.push((shell, file));
        }
        Ok(Self { manual, completions })
    }
}
