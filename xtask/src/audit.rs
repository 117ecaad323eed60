//! `cargo xtask audit`: licences, sources and known vulnerabilities of what we depend on.

use crate::shell;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// cargo-audit's exit code for an error of its own, such as a database that cannot be had; 1 is for
/// vulnerabilities.
const NO_ANSWER: i32 = 2;

/// Holds `Cargo.lock` against `deny.toml`, and against the RustSec advisories where their database
/// can be had; where it cannot, that is said.
pub fn run() -> Result<()> {
    tool("deny")?;
    tool("audit")?;
    let mut deny = shell::cargo();
    shell::run(deny.args(["deny", "check", "licenses", "bans", "sources"]))?;
    let status =
        shell::cargo().args(["audit", "--deny", "unsound", "--deny", "yanked"]).status()?;
    match status.code() {
        Some(0) => eprintln!("audit: licences, bans, sources and advisories fine"),
        Some(NO_ANSWER) | None => {
            eprintln!("audit: licences, bans and sources fine; advisories not checked: no database")
        }
        Some(_) => bail!("cargo audit ended with {status}"),
    }
    Ok(())
}

fn tool(name: &str) -> Result<()> {
    let program = format!("cargo-{name}");
    let found = Command::new(&program).arg(name).arg("--version").output();
    found.map(drop).with_context(|| format!("no {program}: cargo install {program}"))
}
