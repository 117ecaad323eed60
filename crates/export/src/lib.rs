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
use jfathom_views::{Limits, Pruned, Scope, Shown, StackWeight};
use notes::Notes;
use std::io::{self, BufWriter, Write};

/// Writes a profile in a format: the threads, call paths and times of a scope, all of them.
///
/// # Errors
/// Fails if `out` does, or with `InvalidInput` if the profile is too large for the format.
pub fn export(
    profile: &Profile,
    scope: &Scope,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), scope);
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

/// Writes a format that is made of the call paths' self times and calls.
fn of_contexts<W: Write>(
    shown: &Shown,
    write: fn(&Profile, &Contexts, &Notes, &mut W) -> io::Result<()>,
    out: &mut W,
) -> io::Result<()> {
    let contexts = Contexts::of(shown);
    let notes = Notes::of(shown, contexts.left_out_nanos);
    write(shown.profile, &contexts, &notes, out)
}

#[cfg(test)]
mod tests;
