//! Instrumented methods.

use crate::{Digest, MethodId};
use serde::{Deserialize, Serialize};

/// A method with probes, as manifests and methods files describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstrumentedMethod {
    /// The id that its probes pass.
    pub id: MethodId,
    /// Unqualified name.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// The lowest line in the LineNumberTable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u16>,
    /// Code digest of the original method.
    pub digest: Digest,
    /// Whether the method is a root.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// Whether the method is trivial: its time is below resolution.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trivial: bool,
    /// Whether the method calls something that waits for other threads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// Whether the entry probe is pinned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}
