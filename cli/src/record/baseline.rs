//! `jfathom record --base`: a second command, whose runs are made in turn with the command's.

use crate::failure::usage;
use anyhow::Result;
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The other side.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Two sides in turn")]
pub(super) struct BaselineArgs {
    /// Run the command and that of --base-command in turn, and write the profile of that one to
    /// FILE: for `jfathom gate` and `diff`, so that what the machine does meanwhile is on both
    /// sides. --rewritten is for both
    #[arg(long, value_name = "FILE", requires = "base_command",
        conflicts_with_all = ["pid", "adopt", "root", "per_jvm"])]
    pub(super) base: Option<PathBuf>,
    /// The command of --base in one word, which is split as a shell does: 'java -jar "old
    /// build/app.jar"'; nothing in it is expanded
    #[arg(long, value_name = "COMMAND", requires = "base")]
    base_command: Option<OsString>,
}

impl BaselineArgs {
    /// The command of the other side and its profile, where there is one.
    pub(super) fn side(&self) -> Result<Option<(Vec<OsString>, &Path)>> {
        match (&self.base_command, &self.base) {
            (Some(command), Some(profile)) => Ok(Some((words(command)?, profile))),
            _ => Ok(None),
        }
    }
}

fn words(command: &OsStr) -> Result<Vec<OsString>> {
    let words = shlex::bytes::split(command.as_bytes()).ok_or_else(|| {
        usage("--base-command: a quote is not closed, or nothing follows a backslash")
    })?;
    if words.is_empty() {
        return Err(usage("--base-command: there is no command in it"));
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
