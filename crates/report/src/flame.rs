//! Flame graphs.

use crate::{
    collapsed::{StackWeight, collapsed},
    view::View,
};
use inferno::flamegraph::{self, Options};
use jfathom_plan::printable;
use jfathom_profile::Profile;
use std::io::{self, Write};

/// Writes a flame graph as an SVG document that needs nothing else. A graph without any weight is
/// an error of kind `InvalidData`.
pub fn flame(
    profile: &Profile,
    view: &View,
    weight: StackWeight,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines = Vec::new();
    collapsed(profile, view, weight, &mut lines)?;
    let text = String::from_utf8_lossy(&lines);
    if text.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "there is nothing to draw: no path has any weight",
        ));
    }
    let mut options = Options::default();
    options.title = printable(&profile.meta.command.join(" ")).into_owned();
    options.subtitle = Some(match weight {
        StackWeight::SelfTime => match view.corrected(profile) {
            Some(_) => "corrected wall time".to_owned(),
            None => "wall time as measured, the probes' cost in it".to_owned(),
        },
        StackWeight::Calls => "calls".to_owned(),
    });
    options.count_name = weight.unit().to_owned();
    flamegraph::from_lines(&mut options, text.lines(), out).map_err(io::Error::other)
}
