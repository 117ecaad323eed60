//! The command that is measured.

use crate::shell;
use anyhow::{Context, Result};
use jfathom_profile::Profile;
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    process::Command,
};

/// A build of it.
#[derive(Clone, Debug)]
pub struct Jfathom {
    path: PathBuf,
    /// Where it keeps what it learns; None is the user's folder.
    cache: Option<PathBuf>,
}

impl Jfathom {
    /// `JFATHOM_BIN`, or what `cargo build --release` made.
    pub fn find() -> Result<Self> {
        Ok(Self { path: shell::jfathom()?, cache: None })
    }

    /// The same with a cache of its own.
    pub fn with_cache(self, cache: &Path) -> Self {
        Self { cache: Some(cache.to_path_buf()), ..self }
    }

    /// Itself, without a word.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.envs(self.cache.iter().map(|cache| ("XDG_CACHE_HOME", cache)));
        command
    }

    /// `rewrite` of these inputs alone into `out`.
    pub fn rewrite<I: AsRef<OsStr>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        out: &Path,
        options: &[&str],
    ) -> Result<()> {
        shell::output(&mut self.rewriting(inputs, out, options)).map(drop)
    }

    /// The command that does.
    pub fn rewriting<I: AsRef<OsStr>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        out: &Path,
        options: &[&str],
    ) -> Command {
        let mut command = self.command();
        command.arg("rewrite").args(inputs).args(["--libraries=off", "--force", "-q"]);
        command.args(options).arg("-o").arg(out);
        command
    }

    /// `record` up to its command.
    pub fn record(&self, profile: &Path, options: &[&str]) -> Command {
        let mut command = self.command();
        command.args(["record", "--force", "-q"]).args(options).arg("-o").arg(profile).arg("--");
        command
    }

    /// What `report --json` says of methods and JVMs, without call paths.
    pub fn report(&self, profile: &Path) -> Result<Value> {
        let mut report = self.command();
        report.args(["report", "--json", "--depth", "0"]).arg(profile);
        Ok(serde_json::from_str(&shell::output(&mut report)?)?)
    }
}

/// Reads a profile.
pub fn profile(path: &Path) -> Result<Profile> {
    let read = Profile::read(&mut BufReader::new(File::open(path)?));
    read.with_context(|| path.display().to_string())
}
