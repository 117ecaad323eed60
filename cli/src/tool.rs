//! The name of this program in its output files.

/// This program and its version, as manifests and profiles name it.
pub(crate) const TOOL: &str = concat!("jfathom ", env!("CARGO_PKG_VERSION"));

/// The command that users type, whatever the running binary is called.
pub(crate) const NAME: &str = "jfathom";
