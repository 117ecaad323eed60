//! Profiles for people and other programs: text, JSON, collapsed stacks and flame graphs. Plans,
//! manifests and running JVMs, as text.
//!
//! Nothing here opens a file: everything is written to a [`std::io::Write`] that is handed in. What
//! is written for people has no unprintable character of any name in it; what programs read has,
//! and [`Printed`] escapes it on its way to a terminal.
#![forbid(unsafe_code)]

/// Writes one line of text for people: nothing in it begins another one, or does anything but show
/// itself.
macro_rules! write_line {
    ($out:expr, $($arguments:tt)*) => {
        writeln!($out, "{}", jfathom_plan::printable(&format!($($arguments)*)))
    };
}

#[macro_use]
mod object;

mod allocation;
mod analysis;
mod between;
mod budget;
mod calibration;
mod calibration_check;
mod caller_lines;
mod callers;
mod chain;
mod coloured;
mod counted;
mod cpu;
mod diff;
mod escaped;
mod events;
mod flame;
mod growth;
mod history;
mod hot;
mod inspection;
mod json;
mod jvms;
mod latency;
mod list;
mod location;
mod merged;
mod notices;
mod overview;
mod parked;
mod plan;
mod printed;
mod quality;
mod resumed;
mod room;
mod rows;
mod sampled_roots;
mod samples;
mod scheduling;
mod skips;
mod slowest;
mod stack_walks;
mod stanzas;
mod summary;
mod table;
mod threads;
mod times;
mod tree;
mod trust;
mod unfollowed;
mod view;
mod virtual_threads;
mod wrapped;

pub use analysis::{REMEDIES, entry_points, names_and_more, unnamed_lines};
pub use calibration::{calibration_json, calibration_text};
pub use coloured::Coloured;
pub use diff::{
    DIFF_JSON_VERSION, DiffView, Judged, diff_json, diff_summary, diff_text, gate_github,
    gate_json, gate_junit, gate_markdown, gate_sarif, gate_text,
};
pub use flame::{FlameOrder, flame};
pub use growth::{
    GROWTH_JSON_VERSION, GrowthView, growth_gate_text, growth_json, growth_text, judged_growth,
};
pub use history::{HISTORY_JSON_VERSION, history_html, history_json, history_text};
pub use inspection::inspection_text;
pub use jfathom_views::number;
pub use jfathom_views::{
    Comparison, Scope, Sort, StackWeight, ThreadTrees, method_with_parameters,
};
pub use json::{JSON_VERSION, json};
pub use jvms::{JvmRow, SessionRow, jvms_json, jvms_text};
pub use list::{
    LIST_JSON_VERSION, Listed, ListedCode, ListedMethod, ListedSource, list_json, list_text,
};
pub use location::source_path;
pub use merged::{
    anchors_sentence, common_run_sentence, edited_sentence, merged_line, shared_run_sentences,
    unrelated_sentence,
};
pub use plan::{AnalysisView, PlanInput, PlanView, WhyAnswer, WhyStep, plan_text, why_text};
pub use printed::Printed;
pub use skips::skip_counts;
pub use trust::{TRUST_JSON_VERSION, TrustView, trust_json, trust_text};
pub use unfollowed::unfollowed_sentence;
pub use view::View;

use between::Watched;
use jfathom_profile::Profile;
use std::io::{self, Write};

/// A part of a text report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The answer: the roots' times and calls, and how far to trust them.
    Overview,
    /// What was recorded, where and how well.
    Summary,
    /// The call tree, one for each thread.
    Tree,
    /// The call tree as a flat table, one row for each call path.
    Rows,
    /// The callers and callees of methods ([`field@View::of`]), as gprof's stanzas.
    Stanzas,
    /// The back traces of methods ([`field@View::of`]).
    Callers,
    /// The methods that cost most.
    Hot,
    /// The threads.
    Threads,
    /// Calls on virtual threads, where there are any.
    Virtual,
    /// The callers of methods by walked stacks, where there are any.
    Walks,
    /// How long calls of roots and tasks took.
    Latency,
    /// The slowest calls of roots and tasks, and where they take longer than the others.
    Slowest,
}

impl Section {
    /// Whether it shows nodes of the tree or their sums.
    fn shows_tree(self) -> bool {
        !matches!(
            self,
            Self::Summary
                | Self::Threads
                | Self::Virtual
                | Self::Walks
                | Self::Latency
                | Self::Slowest
        )
    }
}

/// Writes a text report of these sections, an empty line between them. What was repaired or lost in
/// the recording stands first, whichever sections follow. A report with a summary ends with the
/// methods that were counted.
pub fn text(
    profile: &Profile,
    sections: &[Section],
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut Watched::new(out);
    let has_head = [Section::Summary, Section::Overview].iter().any(|head| sections.contains(head));
    if !has_head {
        quality::write(profile, out)?;
        unfollowed::write(&profile.meta.unfollowed, out)?;
        sampled_roots::write(profile, out)?;
    }
    let corrected = view.scope.corrected(profile);
    let corrected = corrected.as_ref();
    let shows_tree = sections.iter().any(|section| section.shows_tree());
    // Made once: a large tree takes longest here.
    let visible = shows_tree.then(|| view.of(profile, corrected));
    let mut first = true;
    for section in sections {
        let is_empty = match section {
            Section::Virtual => profile.methods.iter().all(|method| method.virtual_calls == 0),
            Section::Walks => !profile.stack_walks.is_recorded(),
            _ => false,
        };
        // Those who ask for a section are told that there is nothing.
        if is_empty && sections.contains(&Section::Overview) {
            continue;
        }
        if !std::mem::replace(&mut first, false) {
            writeln!(out)?;
        }
        match (section, &visible) {
            (Section::Overview, Some(shown)) => overview::write(shown, corrected, view, out)?,
            (Section::Tree, Some(shown)) => tree::write(shown, view, out)?,
            (Section::Rows, Some(shown)) => rows::write(shown, view, out)?,
            (Section::Stanzas, Some(shown)) => stanzas::write(shown, view, out)?,
            (Section::Callers, Some(shown)) => callers::write(shown, view, out)?,
            (Section::Hot, Some(shown)) => hot::write(shown, view, out)?,
            (Section::Threads, _) => threads::write(profile, view, out)?,
            (Section::Virtual, _) => virtual_threads::write(profile, view, out)?,
            (Section::Walks, _) => stack_walks::write(profile, view, out)?,
            (Section::Latency, _) => latency::write(profile, corrected, view, out)?,
            (Section::Slowest, _) => slowest::write(profile, corrected, view, out)?,
            (Section::Summary, _) => summary::write(profile, corrected, view, out)?,
            (_, None) => {}
        }
        if !view.has_legend_at_end {
            out.tell()?;
        }
    }
    if sections.contains(&Section::Summary) {
        counted::write(profile, view, out)?;
    }
    if sections.contains(&Section::Overview) {
        writeln!(out)?;
        let has_between = out.has_between() && view.has_legend_at_end;
        overview::write_legend(profile, corrected, has_between, view, out)?;
    }
    Ok(())
}

/// Writes the summary alone: a line begins with its label, or with blanks if it belongs to the line
/// before. What was repaired or lost stands first.
pub fn summary(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    summary::write(profile, view.scope.corrected(profile).as_ref(), view, out)
}

#[cfg(test)]
mod tests;
