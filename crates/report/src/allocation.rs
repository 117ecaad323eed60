//! What threads have allocated, in a sentence and in cells.

use crate::number::size;
use jfathom_profile::{AllocationSource, Bytes, Profile};
use std::io::{self, Write};

/// The title of a column of bytes that were allocated with all callees.
pub(crate) const TOTAL: &str = "alloc";
/// The title of a column of bytes that were allocated in the method itself.
pub(crate) const SELF: &str = "alloc self";

/// An amount as a cell, empty for none.
pub(crate) fn cell(bytes: Bytes) -> String {
    if bytes.0 > 0 { size(bytes.0) } else { String::new() }
}

/// Writes how much threads have allocated in all, if it was asked for, and what is missing.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let source = match profile.allocation.source {
        AllocationSource::Unasked => return Ok(()),
        AllocationSource::Fields => "exact by call (the JVM's own counts, by their fields)",
        AllocationSource::Bean => "exact by call (the JVM's own counts, by its bean)",
        AllocationSource::Either => {
            "exact by call (the JVM's own counts, in some JVMs by fields, in others by the bean)"
        }
        AllocationSource::Partly => "and more: not all that was added up has recorded them",
    };
    let tree = &profile.tree;
    let all: Bytes = tree.roots().map(|root| tree.total_allocated(root)).sum();
    write!(out, "alloc     {} on the Java heap, {source}", size(all.0))?;
    let quality = &profile.quality;
    let has_losses = quality.lost_records | quality.lost_waiting | quality.lost_with_collector != 0;
    if has_losses {
        write!(out, "; records were lost, and with them some of the bytes")?;
    }
    if profile
        .tree
        .roots()
        .any(|root| is_virtual(profile, root) && tree.total_allocated(root).0 > 0)
    {
        write!(
            out,
            "; on virtual threads the bytes of the carrier since its last record, also those of other \
             threads meanwhile"
        )?;
    }
    match profile.allocation.unattributed {
        Bytes(0) => writeln!(out),
        bytes => writeln!(out, "; up to {} more are in no method", size(bytes.0)),
    }
}

fn is_virtual(profile: &Profile, root: jfathom_profile::NodeIx) -> bool {
    match profile.tree.frame(root) {
        jfathom_profile::Frame::Thread(thread) => profile.thread(thread).is_virtual(),
        _ => false,
    }
}
