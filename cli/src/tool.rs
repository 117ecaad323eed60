//! The name under which this program signs what it writes.

/// This program and its version, as manifests and profiles name it.
pub(crate) const TOOL: &str = concat!("jfathom ", env!("CARGO_PKG_VERSION"));
