//! Slices of a recording as one profile, or those of a span of time.

use super::read;
use crate::failure::{context, usage};
use anyhow::Result;
use humantime::{format_rfc3339_seconds, parse_duration, parse_rfc3339_weak};
use jfathom_compare::join;
use jfathom_plan::Problem;
use jfathom_profile::{Meta, Profile};
use std::{
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
    str::FromStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Which slices are shown.
#[derive(Debug, clap::Args)]
pub(super) struct SpanArgs {
    /// Only slices that were recorded in this time
    ///
    /// From one moment (or the begin) to another (or the end): a time (UTC) such as
    /// 2026-11-26T14:05:00Z, or how long after the begin of the first slice that is given, such as
    /// +5m.
    #[arg(hide_short_help = true, long, value_name = "[FROM]..[TO]", conflicts_with = "live")]
    span: Option<Span>,
}

/// A span of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    from: Option<Moment>,
    to: Option<Moment>,
}

impl FromStr for Span {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let (from, to) =
            text.split_once("..").ok_or("expected a span such as +5m..+10m or +5m..")?;
        let moment = |text: &str| match text {
            "" => Ok(None),
            text => text.parse().map(Some),
        };
        Ok(Self { from: moment(from)?, to: moment(to)? })
    }
}

/// A time as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    At(SystemTime),
    /// After the begin of the first slice that is given.
    After(Duration),
}

impl FromStr for Moment {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let moment = match text.strip_prefix('+') {
            Some(after) => parse_duration(after).ok().map(Self::After),
            None => parse_rfc3339_weak(text).ok().map(Self::At),
        };
        moment.ok_or_else(|| "expected a time such as 2026-11-26T14:05:00Z, or +5m".into())
    }
}

impl Moment {
    /// In milliseconds since the epoch, if the first slice began at `first`.
    fn millis(self, first: u64) -> u64 {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match self {
            Self::At(time) => time.duration_since(UNIX_EPOCH).map_or(0, millis),
            Self::After(time) => first.saturating_add(millis(time)),
        }
    }
}

impl SpanArgs {
    /// The profile at these paths: one alone, or slices of a recording together.
    pub(super) fn profile(&self, paths: &[PathBuf]) -> Result<Profile> {
        let Span { from, to } = self.span.unwrap_or_default();
        if let ([path], None, None) = (paths, from, to) {
            return read(path);
        }
        let metas: Vec<Meta> = paths.iter().map(|path| meta(path)).collect::<Result<_>>()?;
        let first = metas.iter().map(|meta| meta.started_millis).min().unwrap_or(0);
        let from = from.map_or(0, |from| from.millis(first));
        let to = to.map_or(u64::MAX, |to| to.millis(first));
        let end = |meta: &Meta| meta.started_millis.saturating_add(meta.duration_millis);
        let is_shown = |meta: &Meta| meta.started_millis < to && end(meta) > from;
        let shown = paths.iter().zip(&metas).filter(|(_, meta)| is_shown(meta));
        let shown: Vec<&PathBuf> = shown.map(|(path, _)| path).collect();
        if shown.is_empty() {
            let last = metas.iter().map(end).max().unwrap_or(0);
            return Err(usage(format!(
                "nothing was recorded in this time: the profiles are of {} to {}",
                time(first),
                time(last)
            )));
        }
        if let [path] = shown[..] {
            return read(path);
        }
        let profiles = shown.iter().map(|path| read(path)).collect::<Result<_>>()?;
        join(profiles).map_err(|error| {
            let place = error.place().and_then(|at| shown.get(at));
            usage(match place {
                Some(path) => format!("{}: {error}", path.display()),
                None => error.to_string(),
            })
        })
    }
}

fn time(millis: u64) -> String {
    format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(millis.min(253_402_300_799_000)))
        .to_string()
}

/// The origin of a profile, without the rest, or of what a session directory has.
fn meta(path: &Path) -> Result<Meta> {
    if path.is_dir() {
        return Ok(read(path)?.meta);
    }
    let file = File::open(path).map_err(|error| context(error, path, "cannot open"))?;
    Profile::read_meta(&mut BufReader::new(file))
        .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_times_or_distances() {
        let at = |text: &str| text.parse::<Moment>().map(|moment| moment.millis(1_000)).ok();
        assert_eq!(at("+5m"), Some(301_000));
        assert_eq!(at("+90s"), Some(91_000));
        assert_eq!(at("1970-01-01T00:00:07Z"), Some(7_000));
        assert_eq!(at("1970-01-01 00:00:07"), Some(7_000));
        for text in ["", "5m", "+", "+x", "14:05", "2026-13-01T00:00:00Z"] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
