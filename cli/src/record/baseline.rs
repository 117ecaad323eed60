//! `jfathom record --baseline`: a second command, whose runs are interleaved with the command's.

use crate::failure::usage;
use anyhow::Result;
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The baseline.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Interleaved runs")]
pub(super) struct BaselineArgs {
    /// Interleave the runs with those of --baseline-command, and write its profile to FILE.
    /// Interleaving cancels drift of the machine. --rewritten is for both
    #[arg(long, value_name = "FILE", requires = "baseline_command",
        conflicts_with_all = ["pid", "adopt", "root", "region", "per_jvm"])]
    pub(super) baseline: Option<PathBuf>,
    /// The command of --baseline in one word, split as a shell does, without expansion: 'java -jar
    /// "old build/app.jar"'
    #[arg(long, value_name = "COMMAND", requires = "baseline")]
    baseline_command: Option<OsString>,
}

impl BaselineArgs {
    /// The baseline's command and profile, if there is a baseline.
    pub(super) fn side(&self) -> Result<Option<(Vec<OsString>, &Path)>> {
        match (&self.baseline_command, &self.baseline) {
            (Some(command), Some(profile)) => Ok(Some((words(command)?, profile))),
            _ => Ok(None),
        }
    }
}

fn words(command: &OsStr) -> Result<Vec<OsString>> {
    let words = shlex::bytes::split(command.as_bytes()).ok_or_else(|| {
        usage("--baseline-command: a quote is not closed, or nothing follows a backslash")
    })?;
    if words.is_empty() {
        return Err(usage("--baseline-command: there is no command in it"));
    }
    Ok(words.into_iter().map(OsString::from_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command() {
        let split = |text: &str| words(OsStr::new(text)).map_err(|error| error.to_string());
        let expected = |words: &[&str]| Ok(words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(
            split("java  -jar 'old build/app.jar' \"a \\\"b\" c\\ d ''"),
            expected(&["java", "-jar", "old build/app.jar", "a \"b", "c d", ""])
        );
        assert_eq!(split("java -Da=$HOME *.jar"), expected(&["java", "-Da=$HOME", "*.jar"]));
        assert!(split("java 'x").unwrap_err().contains("quote"));
        assert!(split("java \\").unwrap_err().contains("backslash"));
        assert!(split(" ").unwrap_err().contains("no command"));
    }
}
