//! What a live session was: a recording whose probes came into the classes while the program ran.

use serde::{Deserialize, Serialize};

/// A live session in one JVM. Times are in nanoseconds; those with `at` are since the session
/// began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSessionInfo {
    /// `lazy`, `eager` or `total`.
    pub scheme: String,
    /// Whether methods of the JDK were instrumented.
    pub jdk_methods: bool,
    /// Whether its probes are pinned where that is possible.
    pub pinned: bool,
    /// The roots that were asked for.
    pub roots: Vec<LiveRootInfo>,
    /// Methods that got probes.
    pub methods: u64,
    /// Classes and methods that were skipped.
    pub skipped: u64,
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
    /// Time in redefinitions.
    pub pause_nanos: u64,
    /// Time in class load hooks.
    pub hook_nanos: u64,
    /// Classes whose original bytes are back.
    pub restored: u64,
}

/// A root of a live session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveRootInfo {
    /// Its selector.
    pub selector: String,
    /// When the first method that it selects was live; none where that never came.
    pub live_at: Option<u64>,
    /// That method.
    pub method: Option<String>,
}
