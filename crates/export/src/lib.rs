//! Profiles in the formats of other tools. `docs/reference/exports.md` says what each one carries.
//!
//! Nothing here opens a file: everything is written to a [`std::io::Write`] that is handed in.
//! Names are as [`jfathom_plan::printable`] gives them.
#![forbid(unsafe_code)]

mod callgrind;
mod contexts;
mod csv;
mod firefox;
mod format;
mod frame;
mod jfr;
mod json;
mod markdown;
mod notes;
mod otlp;
mod pprof;
mod protobuf;
mod speedscope;
mod strings;

pub use format::Format;

use contexts::Contexts;
use jfathom_profile::Profile;
use jfathom_report::{StackWeight, View, collapsed};
use jfathom_views::Shown;
use notes::Notes;
use std::io::{self, BufWriter, Write};

/// Writes a profile in a format.
///
/// The view's threads, filters and times are those of the export. Its depth and threshold are not:
/// all call paths are written. Its limit and order are those of the methods in Markdown.
///
/// # Errors
/// Fails if `out` does, or with `InvalidInput` if the profile is too large for the format.
pub fn export(
    profile: &Profile,
    view: &View,
    format: Format,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    if format == Format::Collapsed {
        let whole = View { depth: None, threshold: 0.0, ..view.clone() };
        collapsed(profile, &whole, StackWeight::SelfTime, &mut out)?;
        return out.flush();
    }
    let corrected = view.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), &view.scope);
    match format {
        Format::Collapsed => {}
        Format::Csv => csv::write(&shown, &mut out)?,
        Format::Markdown => markdown::write(&shown, view, &mut out)?,
        Format::Callgrind => callgrind::write(&shown, &mut out)?,
        Format::Pprof | Format::Speedscope | Format::Firefox | Format::Jfr | Format::Otlp => {
            let contexts = Contexts::of(&shown);
            let notes = Notes::of(&shown, contexts.left_out_nanos);
            match format {
                Format::Speedscope => speedscope::write(profile, &contexts, &notes, &mut out)?,
                Format::Firefox => firefox::write(profile, &contexts, &notes, &mut out)?,
                Format::Jfr => jfr::write(profile, &contexts, &notes, &mut out)?,
                Format::Otlp => otlp::write(profile, &contexts, &notes, &mut out)?,
                _ => pprof::write(profile, &contexts, &notes, &mut out)?,
            }
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests;
