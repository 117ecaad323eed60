//! `jfathom record --baseline`: a second command, whose runs are interleaved with the command's.

use anyhow::{Result, anyhow, bail};
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
};

/// The baseline.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Repeated runs")]
pub(super) struct BaselineArgs {
    /// Interleave the runs with those of COMMAND, and write its profile to FILE
    ///
    /// This cancels drift of the machine. The command is split as a shell does, without expansion:
    /// 'base.jfp=java -jar "old build/app.jar"'. --rewritten is for both.
    #[arg(hide_short_help = true, long, value_name = "FILE=COMMAND",
        conflicts_with_all = ["pid", "root"],
        value_parser = OsStringValueParser::new().try_map(baseline))]
    pub(super) baseline: Option<Baseline>,
}

/// The baseline's profile, and its command.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    profile: PathBuf,
    command: Vec<OsString>,
}

fn baseline(text: OsString) -> Result<Baseline> {
    let bytes = text.as_bytes();
    let Some(end) = bytes.iter().position(|byte| *byte == b'=').filter(|end| *end > 0) else {
        bail!("name its profile and its command: 'base.jfp=java -jar old.jar'");
    };
    let profile = PathBuf::from(OsStr::from_bytes(&bytes[..end]));
    Ok(Baseline { profile, command: words(OsStr::from_bytes(&bytes[end + 1..]))? })
}

impl BaselineArgs {
    /// The baseline's command and profile, if there is a baseline.
    pub(super) fn side(&self) -> Option<(&[OsString], &Path)> {
        self.baseline.as_ref().map(|side| (&*side.command, &*side.profile))
    }
}

fn words(command: &OsStr) -> Result<Vec<OsString>> {
    let words = shlex::bytes::split(command.as_bytes())
        .ok_or_else(|| anyhow!("a quote is not closed, or nothing follows a backslash"))?;
    if words.is_empty() {
        bail!("there is no command in it");
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
