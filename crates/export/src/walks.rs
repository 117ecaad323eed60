//! Walked stacks in the formats that have stacks with numbers, and as a table.

mod collapsed;
mod csv;
mod pprof;
mod speedscope;
mod stacks;

use crate::{Format, notes::Notes};
use jfathom_profile::Profile;
use jfathom_views::{Nothing, WalkedCallers, walked_callers};
use stacks::Stacks;
use std::io::{self, BufWriter, Write};

/// Formats with walked stacks, in the words of `--to`.
pub const WALKS_FORMATS: [Format; 4] =
    [Format::Pprof, Format::Speedscope, Format::Collapsed, Format::Csv];

/// Writes the walked stacks of a profile in a format, one of [`WALKS_FORMATS`]: who calls the
/// methods whose stacks were walked, by exact numbers of walks. A walk stands for as many calls as
/// its method's interval says.
///
/// # Errors
/// Fails if `out` does, with `InvalidInput` if the format has no walked stacks, or with [`Nothing`]
/// if no stack was walked.
pub fn export_walks(profile: &Profile, format: Format, out: &mut dyn Write) -> io::Result<()> {
    // The table says how many walks a method lacks, also of one without any.
    let is_empty = |nothing: &Nothing| format != Format::Csv || *nothing == Nothing::NotWalked;
    if let Some(nothing) = Nothing::of_walks(profile).filter(is_empty) {
        return Err(nothing.into());
    }
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let methods = walked_callers(profile);
    let stacks = || Stacks::of(profile, &methods);
    match format {
        Format::Pprof => pprof::write(profile, &stacks(), &notes(profile, &methods), &mut out)?,
        Format::Speedscope => speedscope::write(&stacks(), &notes(profile, &methods), &mut out)?,
        Format::Collapsed => collapsed::write(&stacks(), &mut out)?,
        Format::Csv => csv::write(profile, &methods, &mut out)?,
        Format::Firefox
        | Format::Jfr
        | Format::Callgrind
        | Format::Otlp
        | Format::Markdown
        | Format::Perfetto => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no format for walked stacks"));
        }
    }
    out.flush()
}

/// Of the recording, then what the walks are, and what they lack.
fn notes(profile: &Profile, methods: &[WalkedCallers]) -> Vec<String> {
    let mut lines = Notes::of_recording(profile).lines();
    let of = |method: &WalkedCallers| format!("walks: {}, {}", method.name, method.interval());
    lines.extend(methods.iter().map(of));
    lines.extend(methods.iter().filter_map(WalkedCallers::lacks));
    let cut = profile.stack_walks.cut;
    if cut > 0 {
        lines.push(format!("{cut} walks lack their outermost frames, which were too many"));
    }
    lines
}
