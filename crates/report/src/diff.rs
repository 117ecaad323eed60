//! The difference of two profiles, and how it stands against limits, as text.

mod edited;
mod events;
pub(crate) mod findings;
pub(crate) mod gate;
mod github;
pub(crate) mod json;
pub(crate) mod judged;
mod junit;
pub(crate) mod markdown;
mod methods;
mod names;
mod sarif;
mod texts;
mod tree;
pub(crate) mod verdict;
mod view;
mod walks;

pub use gate::gate_text;
pub use github::gate_github;
pub use json::{DIFF_JSON_VERSION, diff_json, gate_json};
pub use judged::Judged;
pub use junit::gate_junit;
pub use markdown::gate_markdown;
pub use sarif::gate_sarif;

use crate::between::Watched;
use crate::number::counted;
use crate::unfollowed::unfollowed_sentence;
use jfathom_compare::{MatchKind, TimeKind, condition_differences};
use jfathom_views::Comparison;
use names::Names;
use std::io::{self, Write};
use texts::nanos;
pub use view::DiffView;

/// Writes the difference: what was compared, the methods that changed, the tree of what changed.
pub fn diff_text(
    compared: &Comparison<'_>,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut Watched::new(out);
    let names = Names::of(compared);
    head(compared, &names, out)?;
    edited::write(compared, &names, view.width, out)?;
    if view.methods {
        writeln!(out)?;
        methods::write(compared, &names, view, out)?;
    }
    if view.tree {
        writeln!(out)?;
        tree::write(compared, &names, view, out)?;
    }
    out.tell()?;
    walks::write(compared, &names, view, out)
}

/// Writes the head of a difference alone: what was compared and how.
pub fn diff_summary(compared: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    head(compared, &Names::of(compared), out)
}

/// Moved and renamed methods that are listed one by one.
const MAPPED_SHOWN: usize = 12;

fn head(compared: &Comparison<'_>, names: &Names, out: &mut dyn Write) -> io::Result<()> {
    let Comparison { base, new, called, diff } = compared;
    for (side, profile) in [base, new].into_iter().enumerate() {
        let sentences = jfathom_views::quality::sentences(profile);
        let unclean = if sentences.is_empty() {
            String::new()
        } else {
            format!("; NOT CLEAN: {}", sentences.join("; "))
        };
        write_line!(
            out,
            "{}  {}: {}, {} in {}{unclean}",
            ["base ", "new  "][side],
            called[side],
            counted(diff.runs[side] as u64, "run", "runs"),
            nanos(diff.total_nanos[side]),
            counted(profile.method_count() as u64, "method", "methods"),
        )?;
    }
    let kind = match diff.times {
        TimeKind::Measured => "measured, probe cost included",
        TimeKind::Corrected => "corrected",
    };
    let significance = match diff.runs {
        [1, _] | [_, 1] => {
            "one run on a side: calls are exact, times have no significance".to_owned()
        }
        _ => "± 95 %; * significant (false discovery rate 5 %)".to_owned(),
    };
    let delay = if diff.without_delay { ", without run-queue delay" } else { "" };
    write_line!(out, "times  {kind}{delay}; {significance}")?;
    for (side, profile) in [base, new].into_iter().enumerate() {
        if let Some(what) = unfollowed_sentence(&profile.meta.unfollowed) {
            write_line!(
                out,
                "note   the plan of {} could not follow {what}: calls may be missing",
                ["base", "new"][side]
            )?;
        }
    }
    for note in condition_differences(base, new) {
        write_line!(out, "note   {note}")?;
    }
    events::write(&diff.events, diff.runs, out)?;
    let matching = &diff.matching;
    let edited = matching.pairs.iter().filter(|pair| pair.changed).count();
    write_line!(
        out,
        "match  {} on both sides, {edited} with changed code; {} in the base only, {} new",
        counted(matching.pairs.len() as u64, "method", "methods"),
        matching.only_base.len(),
        matching.only_new.len()
    )?;
    let mapped: Vec<_> = diff
        .methods
        .iter()
        .enumerate()
        .filter(|(_, method)| {
            method
                .pair
                .is_some_and(|pair| matches!(pair.how, MatchKind::Renamed | MatchKind::Moved))
        })
        .collect();
    for (place, method) in mapped.iter().take(MAPPED_SHOWN) {
        let word = method.pair.map_or("", |pair| pair.how.as_str());
        write_line!(out, "       {word}: {} → {}", names.on(0, *place), names.on(1, *place))?;
    }
    if let more @ 1.. = mapped.len().saturating_sub(MAPPED_SHOWN) {
        write_line!(out, "       and {more} more (--json has all)")?;
    }
    for (of_base, of_new) in &matching.ambiguous {
        write_line!(
            out,
            "       ambiguous: {} of the base and {} new ones have the same code",
            counted(of_base.len() as u64, "method", "methods"),
            of_new.len()
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
