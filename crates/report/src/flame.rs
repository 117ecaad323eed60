//! Flame graphs, as SVG documents that need nothing else.

mod drawn;
mod inverted;
mod svg;

use crate::view::View;
use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_views::{Nothing, StackWeight};
use std::io::{self, Write};

/// Which end of the stacks is at the bottom of a flame graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlameOrder {
    /// Threads at the bottom, callees above their callers.
    #[default]
    Callees,
    /// Each method at the bottom with its self time or calls, its callers above it.
    Callers,
}

/// Writes a flame graph. Each frame has its time with the error bar, and its calls. A graph without
/// any weight is the error [`Nothing`].
pub fn flame(
    profile: &Profile,
    view: &View,
    weight: StackWeight,
    order: FlameOrder,
    out: &mut dyn Write,
) -> io::Result<()> {
    let corrected = view.scope.corrected(profile);
    let visible = view.of(profile, corrected.as_ref());
    let frames = match order {
        FlameOrder::Callees => drawn::frames(&visible, weight),
        FlameOrder::Callers => inverted::frames(&visible, weight),
    };
    if !frames.iter().any(|frame| frame.value > 0.0) {
        let nothing = Nothing::of_paths(&visible, &view.scope, weight);
        return Err(nothing.unwrap_or(Nothing::NotInPart).into());
    }
    let what = match (weight, corrected.is_some()) {
        (StackWeight::Calls, _) => "width: calls",
        (StackWeight::SelfTime, true) => "width: wall time without the probes' cost",
        (StackWeight::SelfTime, false) => "width: wall time as measured, the probes' cost in it",
    };
    let direction = match order {
        FlameOrder::Callees => "callees above callers",
        FlameOrder::Callers => "callers above callees",
    };
    let head = svg::Head {
        title: printable(&profile.meta.command.join(" ")).into_owned(),
        about: format!("{what}; {direction}"),
        has_bars: corrected.is_some(),
    };
    svg::write(&head, &frames, out)
}
