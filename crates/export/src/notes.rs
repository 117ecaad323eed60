//! What an export says of itself: the recording, its quality, what the numbers are.

use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_views::{Shown, quality};

/// Facts about a recording that formats carry as comments or metadata. All texts are printable.
#[derive(Clone, Debug)]
pub(crate) struct Notes {
    /// `jfathom 0.1.0`.
    pub tool: String,
    /// The recorded command.
    pub command: String,
    /// What was repaired or lost; `clean` if nothing was.
    pub quality: String,
    /// What the times are; empty without times.
    pub times: String,
    /// The recording's labels: `branch=main, commit=7d2`; empty if there are none.
    pub labels: String,
}

impl Notes {
    /// The notes of what has times.
    pub fn of(shown: &Shown) -> Self {
        let times = match shown.is_corrected() {
            true => "wall time in ns, the probes' cost subtracted",
            false => "wall time in ns as measured, the probes' cost in it",
        };
        Self { times: times.to_owned(), ..Self::of_recording(shown.profile) }
    }

    /// The notes of what has no times.
    pub fn of_recording(profile: &Profile) -> Self {
        let meta = &profile.meta;
        let sentences = quality::sentences(profile);
        let quality = match sentences.is_empty() {
            true => "clean".to_owned(),
            false => format!("NOT CLEAN: {}", sentences.join("; ")),
        };
        let labels = meta.labels.iter().map(|(key, value)| format!("{key}={value}"));
        let labels = labels.collect::<Vec<_>>().join(", ");
        Self {
            labels: printable(&labels).into_owned(),
            tool: printable(&meta.tool).into_owned(),
            command: printable(&meta.command.join(" ")).into_owned(),
            quality: printable(&quality).into_owned(),
            times: String::new(),
        }
    }

    /// The notes as lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("quality: {}", self.quality)];
        if !self.times.is_empty() {
            lines.push(format!("times: {}", self.times));
        }
        lines.push(format!("command: {}", self.command));
        lines.push(format!("made by: {}", self.tool));
        if !self.labels.is_empty() {
            lines.push(format!("labels: {}", self.labels));
        }
        lines
    }
}
