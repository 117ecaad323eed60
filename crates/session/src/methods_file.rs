//! What the agent of a live session tells the collector: the lines of the methods file.

use crate::{Digest, MethodId, Skip};
use serde::{Deserialize, Serialize};

/// One line of a methods file, as JSON.
///
/// The file is append-only: each line is written whole, and before the probes of the methods that
/// it names can run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodsFileLine {
    /// The first line.
    Session(SessionLine),
    /// Methods of a class that got probes.
    Class(ClassLine),
    /// Something that was left alone.
    Skip(Skip),
    /// What became of a root.
    Root(RootLine),
    /// A sentence for the user.
    Note(String),
    /// A sentence for the user about something that the recording lacks.
    Loss(String),
    /// Counts up to here; the last of its kind counts.
    Totals(SessionTotals),
}

impl MethodsFileLine {
    /// Reads a line, with or without the newline at its end.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(line: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(line).map_err(|e| e.to_string())
    }

    /// The line, without a newline.
    pub fn to_json(&self) -> Vec<u8> {
        // Numbers, texts and lists only: nothing that JSON does not have.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Sets the time of the line, where it has one: nanoseconds since the session began.
    pub const fn set_time(&mut self, nanos: u64) {
        match self {
            Self::Class(class) => class.at = nanos,
            Self::Root(root) => root.at = nanos,
            _ => {}
        }
    }
}

/// A value as it is written in the agent's options, where commas, semicolons and percent signs have
/// meanings: these, and what is not printable ASCII, as `%` and two hex digits.
pub fn escape_option(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len());
    for &byte in value {
        match byte {
            b'!'..=b'~' if !matches!(byte, b',' | b';' | b'%') => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests;

/// What was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionLine {
    /// The version of the file's form: [`LIVE_VERSION`].
    pub version: u32,
    /// Who wrote it: `jfathom 0.1.0`.
    pub tool: String,
    /// The roots' selectors as they were written.
    pub roots: Vec<String>,
    /// `lazy`, `eager` or `total`.
    pub scheme: String,
    /// Whether methods of the JDK are instrumented.
    pub jdk_methods: bool,
    /// Whether methods are tied to their entry probes where that is possible.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// The version of the form of methods files.
pub const LIVE_VERSION: u32 = 1;

/// Methods of a class that got probes, each of which is told once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassLine {
    /// Internal name.
    pub name: String,
    /// The `SourceFile` attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When the probes became possible: nanoseconds of CLOCK_MONOTONIC since the session began.
    pub at: u64,
    /// On which way.
    pub how: InstrumentedAt,
    /// The methods.
    pub methods: Vec<LiveMethod>,
}

/// How a class got its probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstrumentedAt {
    /// As it was loaded.
    #[default]
    Load,
    /// By redefinition of a loaded class.
    Retransform,
}

/// A method with probes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveMethod {
    /// The id that its probes pass.
    pub id: MethodId,
    /// Unqualified name.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// The lowest line of its LineNumberTable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u16>,
    /// Digest of its instructions before it was rewritten.
    pub digest: Digest,
    /// Whether it opens a root.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// An empty body, a plain getter or setter: counted, and timed only by choice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trivial: bool,
    /// Whether it calls something that waits for other threads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// Whether its work is tied to its entry probe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}

/// What became of a root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootLine {
    /// The selector as it was written.
    pub selector: String,
    /// Its state.
    pub state: RootState,
    /// When: nanoseconds since the session began.
    pub at: u64,
    /// The method that is live, in the form that selectors take.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A sentence: a class that it names is loaded, and has no such method. It goes on waiting for
    /// another of that name; the sentence holds until the root is live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmet: Option<String>,
}

/// The state of a root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootState {
    /// No class that it selects is loaded, or none with such a method.
    #[default]
    Waiting,
    /// A method that it selects has its probes.
    Live,
}

/// Counts of a live session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionTotals {
    /// Redefined classes, summed over the batches.
    pub redefinitions: u64,
    /// Batches of redefinitions.
    pub batches: u64,
    /// How many classes were redefined.
    pub redefined_classes: u64,
    /// How often the class was redefined that was redefined most often.
    pub most_redefined: u64,
    /// Classes that were instrumented as they were loaded.
    pub at_load: u64,
    /// Classes that were loaded while the session ran.
    pub classes_loaded: u64,
    /// First calls that waited for their callees.
    pub first_calls: u64,
    /// First calls that went on before their callees were live.
    pub late: u64,
    /// Methods that were chosen and not instrumented.
    pub refused: u64,
    /// Classes that did not verify or could not be redefined, and were left alone.
    pub failed: u64,
    /// Time in redefinitions, in nanoseconds.
    pub pause_nanos: u64,
    /// Time in class load hooks, in nanoseconds.
    pub hook_nanos: u64,
    /// Classes whose original bytes are back.
    pub restored: u64,
    /// Classes whose bytes were not those of the beginning when they were restored.
    pub restored_unlike: u64,
}
