//! `cargo xtask storm`: recordings that are attacked, held against what the program did.

use crate::shell;
use anyhow::Result;

/// Builds the command and the storm as tests are built, with their assertions, and passes the
/// arguments on.
pub fn run(arguments: &[&str]) -> Result<()> {
    let packages =
        ["-p", "jfathom-cli", "-p", "jfathom-tests", "--bin", "jfathom", "--example", "storm"];
    shell::run(shell::cargo().arg("build").args(packages))?;
    let folder = shell::target().join("debug");
    let mut storm = std::process::Command::new(folder.join("examples/storm"));
    shell::run(
        storm.args(arguments).env("JFATHOM_BIN", folder.join("jfathom")).current_dir(shell::root()),
    )
}
