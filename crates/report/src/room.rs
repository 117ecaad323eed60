//! Whether a terminal has room for all numbers beside names.

use jfathom_views::{Pruned, number::is_narrow};

/// Columns of a terminal that the columns of a recording take: two of bytes, two of CPU times, why
/// threads did not run, and samples.
const BYTES: usize = 20;
const CPU: usize = 20;
const WHY: usize = 60;
const SAMPLES: usize = 16;

/// Whether a terminal of so many columns, if it is one, has too few for all numbers that a
/// recording has beside names.
pub(crate) fn has_little(shown: &Pruned, width: Option<usize>) -> bool {
    let samples = shown.samples.as_ref().is_some_and(|samples| !samples.all().is_zero());
    let taken = [
        (shown.profile.allocation.is_recorded(), BYTES),
        (shown.profile.cpu.is_recorded(), CPU),
        (shown.has_events(), WHY),
        (samples, SAMPLES),
    ];
    let taken: usize = taken.iter().filter(|(is_there, _)| *is_there).map(|(_, width)| width).sum();
    width.is_some_and(|width| is_narrow(width.saturating_sub(taken)))
}
