//! The methods file: JSON lines by which the agent names a live session's methods.

use jfathom_plan::{ClassCalls, InstrumentedMethod, Skip};
use serde::{Deserialize, Serialize};

/// One line of a methods file, as JSON.
///
/// The file is append-only. The agent writes each line whole, and before the probes of the methods
/// that it names can run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MethodsFileLine {
    /// The first line.
    Session(SessionLine),
    /// Methods of a class that got probes.
    Class(ClassLine),
    /// A class or method that was skipped.
    Skip(Skip),
    /// A root's change of state.
    Root(RootLine),
    /// Parked times of virtual threads were asked for: whether the JVM tells them.
    Mounts(bool),
    /// A sentence for the user.
    Note(String),
    /// A sentence for the user about something that the recording lacks.
    Loss(String),
    /// Counts since the session began: the last such line is valid.
    Totals(SessionTotals),
}

impl MethodsFileLine {
    /// Reads a line, with or without the newline at its end.
    ///
    /// # Errors
    /// Fails if the line is not JSON of this form.
    pub fn from_json(line: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }

    /// The line, without a newline.
    pub fn to_json(&self) -> Vec<u8> {
        // Numbers, texts and lists only: all have a JSON form.
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// Sets the time of lines that have one: nanoseconds since the session began.
    pub const fn set_time(&mut self, nanos: u64) {
        match self {
            Self::Class(class) => class.at = nanos,
            Self::Root(root) => root.at = nanos,
            _ => {}
        }
    }
}

/// The version of the form of methods files.
pub const METHODS_FILE_VERSION: u32 = 4;

/// The session and its options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionLine {
    /// [`METHODS_FILE_VERSION`].
    pub version: u32,
    /// The agent's program and version: `jfathom 0.1.0`.
    pub tool: String,
    /// The roots' selectors as the user wrote them.
    pub roots: Vec<String>,
    /// `lazy`, `eager` or `total`.
    pub scheme: String,
    /// Whether methods of the JDK are instrumented.
    pub include_jdk: bool,
}

/// Methods of a class that got probes; each method stands in one such line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassLine {
    /// Internal name.
    pub name: String,
    /// The `SourceFile` attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When the JVM got the class with its probes: nanoseconds of CLOCK_MONOTONIC since the session
    /// began.
    pub at: u64,
    /// How the class got its probes.
    pub how: InstrumentedAt,
    /// The methods.
    pub methods: Vec<InstrumentedMethod>,
    /// What the class can call: in its first line alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<ClassCalls>,
}

/// How a class got its probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InstrumentedAt {
    /// In the ClassFileLoadHook, while the JVM loaded it.
    #[default]
    Load,
    /// By RetransformClasses, after the JVM had loaded it.
    Retransform,
}

/// A root's change of state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RootLine {
    /// The selector as the user wrote it.
    pub selector: String,
    /// The new state.
    pub state: RootState,
    /// When: nanoseconds since the session began.
    pub at: u64,
    /// The method that is live, in the form of a selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A sentence about an unmatched root: a class that the selector names is loaded, and has no
    /// such method. The root waits for another class of that name; the sentence holds until the
    /// root is live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unmatched: Option<String>,
}

/// The state of a root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootState {
    /// No loaded class has a method that the selector matches.
    #[default]
    Waiting,
    /// A method that the selector matches has its probes.
    Live,
}

/// Counts of a live session, each since the session began. Missing counts are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionTotals {
    /// Retransformed classes, summed over the batches.
    pub retransformations: u64,
    /// Batches of retransformations.
    pub batches: u64,
    /// Different classes that were retransformed.
    pub retransformed_classes: u64,
    /// Retransformations of the class that had most of them.
    pub most_retransformed: u64,
    /// Classes that were instrumented at load.
    pub at_load: u64,
    /// Classes that the JVM loaded while the session ran.
    pub classes_loaded: u64,
    /// First calls that waited for their callees.
    pub first_calls: u64,
    /// First calls that were released before their callees had probes.
    pub late: u64,
    /// Methods that were planned and not instrumented.
    pub refused: u64,
    /// Classes that did not verify or could not be retransformed, and were skipped.
    pub failed: u64,
    /// Time in RetransformClasses, in nanoseconds.
    pub pause_nanos: u64,
    /// Time in class load hooks, in nanoseconds.
    pub hook_nanos: u64,
    /// Classes whose original bytes are back.
    pub restored: u64,
    /// Restored classes whose bytes differed from those at the session's begin.
    pub restored_differently: u64,
}

#[cfg(test)]
mod tests;
