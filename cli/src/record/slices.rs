//! `record --every`: the recording in slices.

use super::live::duration;
use crate::failure::usage;
use anyhow::Result;
use jfathom_collector::SliceOptions;
use jfathom_plan::Problem;
use std::{path::Path, time::Duration};

/// The names of slices if no output is named.
const PATTERN: &str = "profile-%t.jfp";

/// The shortest time of a slice: a shorter one takes longer to write.
const SHORTEST: Duration = Duration::from_millis(100);

fn interval(text: &str) -> Result<Duration, Problem> {
    let time = duration(text)?;
    let long_enough = (time >= SHORTEST).then_some(time);
    long_enough.ok_or_else(|| "a slice takes 100ms at least".into())
}

/// Options of recordings in slices.
#[derive(Debug, clap::Args)]
pub(super) struct SlicesArgs {
    /// Write a profile each time this time has passed, such as 5m, and go on
    ///
    /// No call is lost between two. In the name of the output %t stands for the time at which a
    /// slice begins (UTC), %n for its number, %p for the process id [default output:
    /// profile-%t.jfp]. `report` takes several slices.
    #[arg(long, value_name = "TIME", value_parser = interval,
        conflicts_with_all = ["runs", "anchor", "baseline", "sizes"])]
    every: Option<Duration>,
    /// Remove the oldest slices when all are larger than this together, such as 2G
    #[arg(hide_short_help = true, long, value_name = "SIZE", value_parser = size,
        requires = "every")]
    max_size: Option<u64>,
}

impl SlicesArgs {
    /// Whether the recording is cut.
    pub(super) fn is_given(&self) -> bool {
        self.every.is_some()
    }

    /// How the recording is cut; none if it is one profile. `output` is what the user has named, if
    /// anything.
    ///
    /// # Errors
    /// Fails if slices would have equal names.
    pub(super) fn options(&self, output: Option<&Path>) -> Result<Option<SliceOptions>> {
        let Some(every) = self.every else { return Ok(None) };
        let named = output.unwrap_or(Path::new(PATTERN));
        let Some(text) = named.to_str() else {
            return Err(usage(format!("{}: with --every it must be UTF-8", named.display())));
        };
        let pattern = text.parse().map_err(|error| usage(format!("{text}: {error}")))?;
        Ok(Some(SliceOptions { every, pattern, max_size: self.max_size }))
    }
}

/// A size as an argument: a number, with K, M or G.
pub(super) fn size(text: &str) -> Result<u64, Problem> {
    let digits = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        _ => 64,
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| {
        number.checked_mul(1_u64.checked_shl(shift).filter(|factor| *factor > 0)?)
    });
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "expected a size such as 500M or 2G".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_given_is_never_replaced() {
        let every = Some(Duration::from_secs(1));
        let args = SlicesArgs { every, max_size: None };
        let pattern = |output: Option<&str>| {
            args.options(output.map(Path::new)).map(|options| options.map(|of| of.pattern))
        };
        let expected = PATTERN.parse().unwrap();
        assert_eq!(pattern(None).unwrap(), Some(expected));
        let refused = pattern(Some("profile.jfp")).unwrap_err().to_string();
        assert!(refused.contains("p-%t.jfp"), "{refused}");
    }

    #[test]
    fn sizes_have_units() {
        let read = |text| size(text).ok();
        assert_eq!([read("7"), read("2K"), read("3m")], [Some(7), Some(2 << 10), Some(3 << 20)]);
        assert_eq!(read("2G"), Some(2 << 30));
        for text in ["", "0", "G", "2T", "-1", "99999999999999G", "2 G"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
