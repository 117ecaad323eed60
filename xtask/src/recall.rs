//! `cargo xtask recall`: plans of real programs' roots beside what a JVM really calls; with `--live
//! SCHEME` live recordings of them.

use crate::{bench, java, shell};
use anyhow::Result;

/// Measures the named roots, or all, on the main JDK, or on each with `--each`; further flags go to
/// the program.
pub fn run(rest: &[&str]) -> Result<()> {
    let corpus = shell::folder("JFATHOM_CORPUS", "the folder with fetch.sh and run.sh")?;
    let flags: Vec<&str> = rest.iter().copied().filter(|word| *word != "--each").collect();
    for jdk in java::main_and_25()?.iter().take(if flags.len() < rest.len() { 2 } else { 1 }) {
        let mut command = bench::example("jfathom-tests", "recall");
        if flags.contains(&"--live") {
            command.env("JFATHOM_BIN", shell::jfathom()?);
        }
        command.env("JFATHOM_CORPUS", &corpus).arg("--jdk").arg(&jdk.home).args(&flags);
        shell::run(&mut command)?;
    }
    Ok(())
}
