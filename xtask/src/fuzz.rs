//! The fuzz targets: compiled, and run on seeded mutations where there is no libFuzzer.

use crate::shell;
use anyhow::Result;

/// The targets compile. They are not part of the workspace: libFuzzer's sources need a C++ compiler.
pub fn check() -> Result<()> {
    shell::run(shell::cargo().args(["check", "--manifest-path", "fuzz/Cargo.toml", "--bins"]))
}

/// The same functions on seeds and their mutations, as an ordinary test.
pub fn smoke() -> Result<()> {
    shell::run(shell::cargo().args(["test", "-p", "jfathom-tests", "--test", "all", "fuzz"]))
}
