//! Lines that a job keeps, so that it can be cut and goes on where it was.

use crate::shell;
use anyhow::{Context, Result};
use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::PathBuf,
};

/// A file below `target/bench`.
pub struct Kept(PathBuf);

impl Kept {
    /// The file of this name, there or not.
    pub fn open(name: &str) -> Result<Self> {
        let folder = folder();
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Self(folder.join(name)))
    }

    /// Its lines; none where it is not there.
    pub fn lines(&self) -> Result<Vec<String>> {
        let text = if self.0.exists() { fs::read_to_string(&self.0)? } else { String::new() };
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Adds a line.
    pub fn add(&self, line: &str) -> Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.0)?;
        Ok(writeln!(file, "{line}")?)
    }
}

/// Where jobs keep what they have.
pub fn folder() -> PathBuf {
    shell::target().join("bench/kept")
}
