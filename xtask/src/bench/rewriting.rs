//! Rewriting speed beside ASM's: all methods of each class, one thread, thread CPU time, steady state.

use super::{example, geometric_mean, programs};
use crate::{java, shell};
use anyhow::{Context, Result};
use std::process::Command;

/// Prints the table.
pub fn run() -> Result<()> {
    let peer = shell::folder("JFATHOM_ASM_PEER", "the folder with ASM's run.sh")?;
    let jdk = java::main()?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let mut all = programs::jars()?;
    all.push(programs::module(&jdk, "java.base", folder.path())?);
    println!("| classes | ASM MB/s | jfathom MB/s | ratio | growth ASM | growth jfathom |\n|---|---|---|---|---|---|");
    let mut ratios = Vec::new();
    for program in &all {
        let theirs = shell::output(Command::new("bash").arg(peer.join("run.sh")).arg("bench").arg(&program.path))?;
        let theirs = theirs.lines().find(|line| line.contains("asm0")).context("ASM's run.sh printed no line asm0")?;
        let ours = shell::output(example("jfathom-rewriter", "bench_rewrite").arg("bench").arg(&program.path))?;
        let (asm, jfathom) = (number(theirs, "MB/s")?, number(&ours, "MB/s")?);
        let growth = [number(theirs, "grow"), number(&ours, "grow")].map(|grow| grow.unwrap_or(f64::NAN));
        println!(
            "| {} | {asm:.0} | {jfathom:.0} | {:.2} | {:.3} | {:.3} |",
            program.name,
            jfathom / asm,
            growth[0],
            growth[1]
        );
        ratios.push(jfathom / asm);
    }
    println!("| geometric mean | | | {:.2} (goal 5, each 4) | | |", geometric_mean(&ratios));
    Ok(())
}

/// With an empty plan every class comes out byte-identical: over `what`, or the corpus' jars and the JDKs' java.base.
pub fn identity(what: &[&str]) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("jfathom-identity-").tempdir()?;
    let mut paths: Vec<std::path::PathBuf> = what.iter().map(Into::into).collect();
    if paths.is_empty() {
        paths.extend(programs::jars()?.into_iter().map(|program| program.path));
        for jdk in java::main_and_25()? {
            paths.push(programs::module(&jdk, "java.base", folder.path())?.path);
        }
    }
    shell::run(example("jfathom-rewriter", "bench_rewrite").arg("identity").args(paths))
}

/// The number after `name=` in a line of words.
fn number(text: &str, name: &str) -> Result<f64> {
    let words = text.split_whitespace().filter_map(|word| word.split_once('='));
    let value = words.filter(|(key, _)| *key == name).map(|(_, value)| value).next();
    value.with_context(|| format!("no {name}= in {text}"))?.parse().with_context(|| format!("{name}= in {text}"))
}
