//! The Java of this machine.

use jfathom_collector::java_version;
use std::{ffi::OsStr, path::Path};

/// The first JDK whose fast clock needs native access.
pub(crate) const NATIVE_CLOCK: u32 = 22;

/// Feature version of the Java that scripts most likely run, if known: that of `JAVA_HOME`, else
/// that on the path.
pub(crate) fn default_version() -> Option<u32> {
    let path = std::env::var_os("PATH");
    match std::env::var_os("JAVA_HOME") {
        Some(home) => java_version(Path::new(&home).join("bin/java").as_os_str(), path.as_deref()),
        None => java_version(OsStr::new("java"), path.as_deref()),
    }
}
