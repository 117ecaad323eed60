//! Rewriting speed beside ASM's: all methods of each class, one thread, thread CPU time, steady
//! state.

use crate::bench::{
    measure::{example, geometric_mean},
    programs,
};
use crate::{java, shell};
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Prints the table.
pub fn run() -> Result<()> {
    let peer = shell::folder("JFATHOM_ASM_PEER", "the folder with ASM's run.sh")?;
    let jdk = java::main()?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let mut all = programs::jars()?;
    all.push(programs::module(&jdk, "java.base", folder.path())?);
    println!(
        "| classes | ASM MB/s | jfathom MB/s | ratio | growth ASM | growth jfathom |\n|---|---|---|---|---|---|"
    );
    let mut ratios = Vec::new();
    for program in &all {
        let theirs = shell::output(
            Command::new("bash").arg(peer.join("run.sh")).arg("bench").arg(&program.path),
        )?;
        let theirs = theirs
            .lines()
            .find(|line| line.contains("asm0"))
            .context("ASM's run.sh printed no line asm0")?;
        let ours = shell::output(
            example("jfathom-rewriter", "bench_rewrite").arg("bench").arg(&program.path),
        )?;
        let (asm, jfathom) = (number(theirs, "MB/s(max)")?, speed(&ours)?);
        let growth = [number(theirs, "grow")?, growth(&ours)?];
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

/// With an empty plan every class comes out byte-identical: over `what`, or the corpus' jars and
/// the JDKs' java.base.
pub fn identity(what: &[&str]) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("jfathom-identity-").tempdir()?;
    let mut paths: Vec<std::path::PathBuf> = what.iter().map(Into::into).collect();
    if paths.is_empty() {
        paths.extend(programs::jars()?.into_iter().map(|program| program.path));
        for jdk in java::main_and_25()? {
            paths.push(programs::module(&jdk, "java.base", folder.path())?.path);
        }
    }
    let text =
        shell::output(example("jfathom-rewriter", "bench_rewrite").arg("identity").args(paths))?;
    print!("{text}");
    ensure!(text.contains(", 0 differ"), "classes differ after rewriting with an empty plan");
    Ok(())
}

/// The number after `name=` in a line of words.
fn number(text: &str, name: &str) -> Result<f64> {
    let words = text.split_whitespace().filter_map(|word| word.split_once('='));
    let value = words.filter(|(key, _)| *key == name).map(|(_, value)| value).next();
    value
        .with_context(|| format!("no {name}= in {text}"))?
        .parse()
        .with_context(|| format!("{name}= in {text}"))
}

/// MB/s in the line `rewrite all methods   123 MB/s   (456 bytes out …)`.
fn speed(text: &str) -> Result<f64> {
    let line = text
        .lines()
        .find(|line| line.starts_with("rewrite all methods"))
        .context("no line for all methods")?;
    let before = line.split("MB/s").next().and_then(|before| before.split_whitespace().last());
    before.context("no MB/s")?.parse().with_context(|| line.to_owned())
}

/// Bytes out by bytes in, of that line and of `789 classes, 1.2 MB, …`.
fn growth(text: &str) -> Result<f64> {
    let inside = |line: &str| line.split('(').nth(1)?.split(' ').next()?.parse::<f64>().ok();
    let before =
        |line: &str| line.split(" MB,").next()?.split_whitespace().last()?.parse::<f64>().ok();
    let out = text.lines().find(|line| line.starts_with("rewrite all methods")).and_then(inside);
    let megabytes = text.lines().next().and_then(before).context("no size of the input")?;
    Ok(out.context("no size of the output")? / (megabytes * 1e6))
}
