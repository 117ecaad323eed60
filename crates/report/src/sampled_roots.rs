//! What root sampling left out, as text.

use crate::number::{counted, grouped, percent_of};
use jfathom_profile::Profile;
use jfathom_views::{Names, SampledRoot, sampled_roots};
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Roots that are named one by one.
const ROOTS_SHOWN: usize = 4;

/// Writes for each root how many of its calls are recorded, and what their sums stand for; nothing
/// if all are.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let mut roots = sampled_roots(profile);
    roots.sort_by_key(|root| Reverse(root.calls));
    let names = Names::of(&profile.methods);
    for root in roots.iter().take(ROOTS_SHOWN) {
        write_line!(out, "sampled   {}: {}", names.method(root.method), sentence(root))?;
    }
    if let more @ 1.. = roots.len().saturating_sub(ROOTS_SHOWN) {
        write_line!(out, "          and {} more roots", grouped(more as u64))?;
    }
    Ok(())
}

fn sentence(root: &SampledRoot) -> String {
    let share =
        format!("{} of {} recorded", grouped(root.recorded), counted(root.calls, "call", "calls"));
    match (root.factor, root.error_share) {
        (Some(factor), Some(error)) => format!(
            "{share}; sums of times and calls are of these, × {factor:.1} of all, the root's time ±{}",
            percent_of(error, 1.0)
        ),
        (Some(factor), None) => {
            format!("{share}; sums of times and calls are of these, × {factor:.1} of all")
        }
        (None, _) => format!("{share}: nothing is known of what they call"),
    }
}
