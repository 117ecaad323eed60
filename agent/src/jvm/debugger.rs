//! A debugger that is connected to this JVM by JDWP.
//!
//! HotSpot removes the breakpoints of each class that is retransformed. They are the debugger's,
//! and no other agent can list them or set them again, so the user is told.

use std::fs;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The thread that reads a debugger's commands, as the kernel names it (the first 15 bytes). It is
/// there as long as a debugger is connected.
const READER: &str = "JDWP Command Re";

/// What the user is told.
pub const NOTICE: &str = "a debugger is connected to this JVM: HotSpot removes its breakpoints from \
    the classes that jfathom instruments and restores, and does not tell it, and breakpoints that it \
    sets meanwhile may be at other lines; disconnect it while a recording runs, or set its \
    breakpoints again afterwards";

/// Looks for a debugger, until one was found.
#[derive(Debug, Default)]
pub struct DebuggerWatch {
    /// Whether the JVM's JDWP library is loaded: that is so from its start or never.
    is_loaded: OnceLock<bool>,
    /// Written once, by the thread that finds one; no other memory depends on it.
    was_found: AtomicBool,
}

impl DebuggerWatch {
    /// Whether a debugger is connected, for the first time in this session.
    pub fn finds_one(&self) -> bool {
        !self.was_found.load(Ordering::Relaxed)
            && *self.is_loaded.get_or_init(is_library_loaded)
            && has_reader()
            && !self.was_found.swap(true, Ordering::Relaxed)
    }
}

fn is_library_loaded() -> bool {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    maps.lines().any(|line| line.ends_with("/libjdwp.so"))
}

fn has_reader() -> bool {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let mut names = threads.filter_map(|thread| fs::read(thread.path().join("comm")).ok());
    names.any(|name| name.trim_ascii_end() == READER.as_bytes())
}
