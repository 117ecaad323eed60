//! Rewriting speed beside ASM's at equal work: all methods of each class, one thread, thread CPU
//! time, steady state. jfathom's side has summaries, digests and the search for hand-offs in it.

use crate::bench::{
    conditions,
    measure::{example, geometric_mean},
    programs,
};
use crate::{java, shell};
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// How often each side runs.
const RUNS: usize = 2;

/// ASM's job that adds what jfathom adds.
const EQUAL_WORK: &str = "asm-eq";

/// Prints the table.
pub fn run() -> Result<()> {
    let peer = shell::folder("JFATHOM_ASM_PEER", "the folder with ASM's run.sh")?;
    let jdk = java::main()?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let mut all = programs::jars()?;
    all.push(programs::module(&jdk, "java.base", folder.path())?);
    println!(
        "{RUNS} runs of each side, in turns; each ratio is that of the best rounds of all runs\n\n\
         | classes | n | ASM MB/s | jfathom MB/s | ratio | rewriting alone MB/s | growth ASM | growth jfathom |\n\
         |---|---|---|---|---|---|---|---|"
    );
    let mut ratios = Vec::new();
    for program in &all {
        let (mut asm, mut jfathom, mut alone) = (0f64, 0f64, 0f64);
        let (mut growths, mut classes) = ([0.0; 2], String::new());
        for _ in 0..RUNS {
            let theirs = shell::output(
                Command::new("bash").arg(peer.join("run.sh")).arg("bench").arg(&program.path),
            )?;
            let theirs = theirs
                .lines()
                .find(|line| line.contains(EQUAL_WORK))
                .with_context(|| format!("ASM's run.sh printed no line {EQUAL_WORK}"))?;
            let ours = shell::output(
                example("jfathom-rewriter", "bench_rewrite").arg("bench").arg(&program.path),
            )?;
            asm = asm.max(number(theirs, "MB/s(max)")?);
            jfathom = jfathom.max(speed(&ours, "all work")?);
            alone = alone.max(speed(&ours, "rewrite all methods")?);
            growths = [number(theirs, "grow")?, growth(&ours)?];
            classes = ours.split(',').next().unwrap_or_default().to_owned();
        }
        println!(
            "| {} | {classes} | {asm:.0} | {jfathom:.0} | {:.2} | {alone:.0} | {:.3} | {:.3} |",
            program.name,
            jfathom / asm,
            growths[0],
            growths[1]
        );
        ratios.push(jfathom / asm);
    }
    println!("| geometric mean | | | | {:.2} (goal 5, each 4) | | | |", geometric_mean(&ratios));
    println!("\n{}", conditions::load("after")?);
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

/// MB/s in the line that begins with `what`: `all work   123 MB/s   (456 bytes out …)`.
fn speed(text: &str, what: &str) -> Result<f64> {
    let line = text
        .lines()
        .find(|line| line.starts_with(what))
        .with_context(|| format!("no line {what}"))?;
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
