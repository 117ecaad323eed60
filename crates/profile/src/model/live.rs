//! Facts about a live session.

use serde::{Deserialize, Serialize};

/// A live session in one JVM. Times are in ns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSessionInfo {
    /// `lazy`, `eager` or `total`.
    pub scheme: String,
    /// Whether methods of the JDK were instrumented.
    pub include_jdk: bool,
    /// One per root selector.
    pub roots: Vec<LiveRootInfo>,
    /// Methods that got probes.
    pub methods: u64,
    /// Classes and methods that were skipped.
    pub skipped: u64,
    /// Retransformed classes, summed over the batches.
    pub retransformations: u64,
    /// Batches: calls of RetransformClasses.
    pub batches: u64,
    /// Classes that were retransformed at least once.
    pub retransformed_classes: u64,
    /// The largest number of retransformations of one class.
    pub most_retransformed: u64,
    /// Classes that were instrumented at load time.
    pub at_load: u64,
    /// Classes that the JVM loaded during the session.
    pub classes_loaded: u64,
    /// First calls that waited for the probes of their callees.
    pub first_calls: u64,
    /// Time in RetransformClasses.
    pub pause_nanos: u64,
    /// Time in ClassFileLoadHook.
    pub hook_nanos: u64,
    /// Classes that have their original bytes again.
    pub restored: u64,
}

/// A root of a live session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveRootInfo {
    /// Its selector.
    pub selector: String,
    /// When the first selected method had its probes, in ns since the session began. None if that
    /// never happened.
    pub live_at: Option<u64>,
    /// That method, as a selector.
    pub method: Option<String>,
}
