//! A method with probes.

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
    /// The lowest line of its LineNumberTable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u16>,
    /// Digest of its symbolic instructions before it was rewritten.
    pub digest: Digest,
    /// Whether it is a root.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// An empty body, plain getter or setter: its time is below resolution.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trivial: bool,
    /// Whether it calls something that blocks for other threads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// Whether its entry probe is pinned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
}
