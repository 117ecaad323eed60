//! Profiles in the formats of other tools. `docs/reference/exports.md` says what each one carries.
//!
//! Nothing here opens a file: everything is written to a [`std::io::Write`] that is handed in.
//! Names are as [`jfathom_plan::printable`] gives them.
#![forbid(unsafe_code)]

mod by_weight;
mod callgrind;
mod collapsed;
mod contexts;
mod csv;
mod decimal;
mod firefox;
mod format;
mod frame;
mod jfr;
mod json;
mod markdown;
mod notes;
mod otlp;
mod perfetto;
mod pprof;
mod protobuf;
mod speedscope;
mod strings;
mod walks;

pub use collapsed::collapsed;
pub use format::Format;
pub use walks::{WALKS_FORMATS, export_walks};

use contexts::Contexts;
use jfathom_profile::Profile;
use jfathom_views::{Limits, Nothing, Pruned, Scope, Shown, StackWeight};
use notes::Notes;
use std::io::{self, BufWriter, Write};

/// Writes a profile in a format: the threads, call paths and times of a scope, all of them.
///
/// # Errors
/// Fails if `out` does, with `InvalidInput` if the profile is too large for the format, or with
/// [`Nothing`], before anything is written, if it has nothing of what the format consists of.
pub fn export(
    profile: &Profile,
    scope: &Scope,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), scope);
    if let Some(nothing) = nothing(&shown, scope, format) {
        return Err(nothing.into());
    }
    match format {
        Format::Collapsed => {
            let all = Pruned::new(shown, Limits::default());
            collapsed(&all, StackWeight::SelfTime, &mut out)?;
        }
        Format::Csv => csv::write(&shown, &mut out)?,
        Format::Markdown => markdown::write(&shown, &mut out)?,
        Format::Callgrind => callgrind::write(&shown, &mut out)?,
        Format::Pprof => of_contexts(&shown, pprof::write, &mut out)?,
        Format::Speedscope => of_contexts(&shown, speedscope::write, &mut out)?,
        Format::Firefox => of_contexts(&shown, firefox::write, &mut out)?,
        Format::Jfr => of_contexts(&shown, jfr::write, &mut out)?,
        Format::Otlp => of_contexts(&shown, otlp::write, &mut out)?,
        Format::Perfetto => perfetto::write(profile, corrected.as_ref(), &mut out)?,
    }
    out.flush()
}

/// Why the format would be empty, if it would be.
fn nothing(shown: &Shown, scope: &Scope, format: Format) -> Option<Nothing> {
    let of_paths = |weight| Nothing::of_paths(shown, scope, weight);
    match format {
        Format::Perfetto => Nothing::of_slow_calls(shown.profile),
        Format::Collapsed => of_paths(StackWeight::SelfTime),
        // It says how many calls there are.
        Format::Markdown => None,
        Format::Csv
        | Format::Pprof
        | Format::Speedscope
        | Format::Firefox
        | Format::Jfr
        | Format::Callgrind
        | Format::Otlp => {
            // A call that began in an earlier slice has time here and is not counted again.
            of_paths(StackWeight::Calls).filter(|_| of_paths(StackWeight::SelfTime).is_some())
        }
    }
}

/// Writes a format that is made of the call paths' self times and calls.
fn of_contexts<W: Write>(
    shown: &Shown,
    write: fn(&Profile, &Contexts, &Notes, &mut W) -> io::Result<()>,
    out: &mut W,
) -> io::Result<()> {
    let contexts = Contexts::of(shown);
    let notes = Notes::of(shown);
    write(shown.profile, &contexts, &notes, out)
}

#[cfg(test)]
mod tests;
