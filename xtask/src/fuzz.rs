//! The fuzz targets: compiled, and run on seeded mutations where there is no libFuzzer.

use crate::shell;
use anyhow::Result;

/// The targets compile. They are not part of the workspace, but take its versions of everything.
pub fn check() -> Result<()> {
    let lock = shell::root().join("Cargo.lock");
    if lock.is_file() {
        std::fs::copy(lock, shell::root().join("fuzz/Cargo.lock"))?;
    }
    let target = shell::target();
    shell::run(
        shell::cargo().args(["check", "--manifest-path", "fuzz/Cargo.toml", "--bins"]).env("CARGO_TARGET_DIR", target),
    )
}

/// The same functions on seeds and their mutations, as an ordinary test.
pub fn smoke() -> Result<()> {
    shell::run(shell::cargo().args(["test", "-p", "jfathom-tests", "--test", "all", "fuzz"]))
}
