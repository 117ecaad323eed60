//! `jfathom record --sizes`: one recording per size of the input.

use super::{Args, record_command};
use crate::{failure::usage, growth, messages, out};
use anyhow::Result;
use jfathom_collector::numbered;
use std::{
    ffi::{OsStr, OsString},
    num::NonZeroU64,
    os::unix::ffi::{OsStrExt, OsStringExt},
    process::ExitCode,
};

/// What stands for the size in a command.
const PLACE: &[u8] = b"{}";

/// Sizes that a fit needs.
const LEAST: usize = 3;

/// Methods that are shown at the end.
const SHOWN: usize = 10;

/// The sizes.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Repeated runs")]
pub(super) struct SizesArgs {
    /// Record the command once per size, and show how the calls of each method grow with it
    ///
    /// {} in the command becomes the size. Each size has a profile of its own: profile.1000.jfp;
    /// see `jfathom growth`. Three sizes or more; best if each is a multiple of the one before.
    #[arg(hide_short_help = true, long, value_name = "N,N,N", value_delimiter = ',',
        conflicts_with_all = ["pid", "baseline", "runs", "anchor"])]
    sizes: Vec<NonZeroU64>,
}

impl SizesArgs {
    /// Whether there are any.
    pub(super) fn is_given(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// The sizes, ascending.
    fn sorted(&self) -> Result<Vec<NonZeroU64>> {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        match sizes.len() == self.sizes.len() && sizes.len() >= LEAST {
            true => Ok(sizes),
            false => Err(usage(format!("--sizes: {LEAST} different sizes or more are wanted"))),
        }
    }
}

/// Records the command of `args` for each size, the smallest first. A command that fails is the
/// last one.
pub(super) fn record(args: &Args) -> Result<ExitCode> {
    let sizes = args.sizes.sorted()?;
    if !args.command.iter().any(|word| position(word.as_bytes()).is_some()) {
        return Err(usage("--sizes: the command has no {}, which becomes the size"));
    }
    let mut profiles = Vec::new();
    for size in sizes {
        let command: Vec<OsString> =
            args.command.iter().map(|word| with_size(word, size)).collect();
        let output = numbered(args.output(), size.get());
        let done = record_command(args, &command, &output, Some(size))?;
        if !done.is_success {
            return Ok(done.code);
        }
        profiles.extend(done.profiles);
    }
    if !args.quiet {
        let text = growth::text(&profiles, SHOWN, out::terminal_width())?;
        let shows = format!("`jfathom growth {}` shows all", growth::joined(&profiles));
        messages::warn(&text)?;
        out::say(&shows);
    }
    Ok(ExitCode::SUCCESS)
}

fn position(word: &[u8]) -> Option<usize> {
    word.windows(PLACE.len()).position(|part| part == PLACE)
}

/// A word of the command with the size in its places.
fn with_size(word: &OsStr, size: NonZeroU64) -> OsString {
    let mut rest = word.as_bytes();
    let mut with = Vec::new();
    while let Some(at) = position(rest) {
        with.extend(&rest[..at]);
        with.extend(size.to_string().bytes());
        rest = &rest[at + PLACE.len()..];
    }
    with.extend(rest);
    OsString::from_vec(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_takes_each_place() {
        let with = |word: &str| with_size(OsStr::new(word), NonZeroU64::new(40).unwrap());
        for (word, expected) in
            [("{}", "40"), ("-Dn={}:{}x", "-Dn=40:40x"), ("{ }", "{ }"), ("{{}}", "{40}"), ("", "")]
        {
            assert_eq!(with(word), expected, "{word}");
        }
        let bytes = OsString::from_vec(vec![0xff, b'{', b'}']);
        let expected = OsString::from_vec(vec![0xff, b'4', b'0']);
        assert_eq!(with_size(&bytes, NonZeroU64::new(40).unwrap()), expected);
    }
}
