//! What a room may do beyond its edges: unsafe code, and I/O.

use super::Finding;
use crate::shell;
use std::path::{Path, PathBuf};

/// Rooms whose library forbids unsafe code.
const FORBID: &[&str] = &[
    "classfile-writer",
    "plan",
    "reachability",
    "rewriter",
    "archive",
    "profile",
    "collector",
    "report",
    "cli",
    "runtime-java",
    "tests",
    "xtask",
    "world",
];

/// The only files with unsafe blocks.
const UNSAFE: &[&str] = &["trace/src/map.rs", "trace/src/ring.rs"];

/// The folder of bindings to the JVM, where unsafe blocks may be too.
const UNSAFE_FOLDER: &str = "agent/src/ffi";

/// Rooms whose library reads and writes nothing by itself.
const NO_IO: &[&str] = &["classfile-writer", "plan", "reachability", "rewriter", "profile", "report"];

/// Ways out of a room without I/O.
const IO: &[&str] = &["std::fs", "std::net", "std::process", "std::env", "fs::File", "File::open", "File::create"];

/// Every breach in the libraries' sources.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for room in FORBID {
        let main = ["src/lib.rs", "src/main.rs"].map(|file| shell::root().join(room).join(file));
        let source: String = main.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
        if !source.contains("#![forbid(unsafe_code)]") {
            findings.push(Finding::new(format!("{room}/src"), "lacks #![forbid(unsafe_code)]"));
        }
    }
    for path in files.iter().filter(|path| is_library_source(path)) {
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        let name = path.to_string_lossy();
        let room = name.split('/').next().unwrap_or_default();
        for (line, number) in text.lines().zip(1..) {
            let code = line.split("//").next().unwrap_or_default();
            if ["unsafe {", "unsafe fn", "unsafe impl"].iter().any(|word| code.contains(word))
                && !UNSAFE.contains(&name.as_ref())
                && !name.starts_with(UNSAFE_FOLDER)
            {
                findings.push(Finding::new(
                    format!("{name}:{number}"),
                    "unsafe code outside of trace's ring and map and the agent's bindings",
                ));
            }
            if NO_IO.contains(&room) && IO.iter().any(|way| code.contains(way)) {
                findings.push(Finding::new(format!("{name}:{number}"), format!("{room} does no I/O: take values in")));
            }
        }
    }
    findings
}

/// Whether the path is product code of a room: in `src`, not a test, and not this check itself.
fn is_library_source(path: &Path) -> bool {
    let mut parts = path.iter().map(|part| part.to_string_lossy());
    let room = parts.next().unwrap_or_default();
    path.extension().is_some_and(|end| end == "rs")
        && parts.next().is_some_and(|folder| folder == "src")
        && room != "xtask"
        && !path.iter().any(|part| part == "tests" || part == "tests.rs")
}
