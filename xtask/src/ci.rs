//! What CI runs, one function per job.

mod leaks;

use crate::{beside, shell, tidy};
use anyhow::Result;

/// All jobs, the quick ones first.
pub fn all() -> Result<()> {
    fmt()?;
    tidy::run()?;
    clippy()?;
    docs()?;
    loom()?;
    beside::check()?;
    tests(&[])?;
    eprintln!("ci: all fine");
    Ok(())
}

/// Formatting.
pub fn fmt() -> Result<()> {
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))?;
    let bench = ["fmt", "--check", "--manifest-path", "bench/Cargo.toml"];
    shell::run(shell::cargo().args(bench))
}

/// Lints of all targets.
pub fn clippy() -> Result<()> {
    shell::run(shell::cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ]))
}

/// The README's test command, to its end whatever fails, or `cargo test` with these arguments; the
/// tests leave nothing behind.
pub fn tests(arguments: &[&str]) -> Result<()> {
    let mut command = shell::cargo();
    let watch = leaks::Watch::begin(&mut command)?;
    shell::run(command.arg("test").args(if arguments.is_empty() {
        &["--workspace", "--no-fail-fast"]
    } else {
        arguments
    }))?;
    watch.end()
}

/// Documentation, with broken links as errors.
pub fn docs() -> Result<()> {
    shell::run(
        shell::cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )
}

/// The rings and slots under loom, in a target folder of its own: the cfg would rebuild
/// everything else.
pub fn loom() -> Result<()> {
    let target = shell::target().join("loom");
    shell::run(
        shell::cargo()
            .args(["test", "-p", "jfathom-trace", "--test", "ring_loom", "--test", "slots_loom"])
            .env("RUSTFLAGS", "--cfg loom")
            .env("CARGO_TARGET_DIR", target),
    )
}
