//! What is released: version, time, processor.

use crate::shell;
use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use std::{path::PathBuf, process::Command};

/// A release, and where its artefacts go.
pub struct Release {
    /// The version of the workspace.
    pub version: String,
    /// Seconds since 1970 of the commit, or `SOURCE_DATE_EPOCH`.
    pub epoch: u64,
    /// The host's target triple.
    pub target: String,
    /// `target/dist`.
    pub folder: PathBuf,
}

impl Release {
    /// The release that the commit makes.
    pub fn of_the_commit() -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(shell::root().join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("cargo metadata")?;
        let command = metadata.packages.iter().find(|package| package.name == "jfathom-cli");
        let version = command.context("no package jfathom-cli")?.version.to_string();
        Ok(Self { version, epoch: epoch()?, target: host()?, folder: shell::target().join("dist") })
    }

    /// The processor, as in the target triple: `x86_64`.
    pub fn processor(&self) -> &str {
        self.target.split('-').next().unwrap_or_default()
    }

    /// The time, for tar and dpkg-deb.
    pub fn date(&self) -> String {
        format!("@{}", self.epoch)
    }
}

/// <https://reproducible-builds.org/specs/source-date-epoch/>
fn epoch() -> Result<u64> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => shell::output(
            Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(shell::root()),
        )?,
    };
    text.trim().parse().with_context(|| format!("SOURCE_DATE_EPOCH: {text}"))
}

/// The host's target triple.
pub fn host() -> Result<String> {
    let about = shell::output(Command::new("rustc").arg("-vV").current_dir(shell::root()))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}
