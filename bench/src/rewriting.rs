//! Rewriting speed beside ASM's at equal work: all methods of each class, one thread, thread CPU
//! time, steady state. jfathom's side has summaries, digests and the search for hand-offs in it.

mod classes;
pub mod jar;

use crate::{corpus::Corpus, given, shell, statistics::Ratios, table};
use anyhow::{Context, Result, ensure};
use classes::Classes;
use jfathom_archive::Input;
use jfathom_testkit::jdk;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// How often each side runs.
const RUNS: usize = 2;

/// ASM's job that adds what jfathom adds.
const EQUAL_WORK: &str = "asm-eq";

/// closure, ecj and Scala's library, out of the corpus.
fn jars(corpus: &Corpus) -> Result<[(&'static str, PathBuf); 3]> {
    Ok([
        ("closure", corpus.jar("closure", "compiler")?),
        ("ecj", corpus.jar("ecj", "jdt")?),
        ("scala-library", corpus.jar("scalac", "scala-library")?),
    ])
}

/// Prints the table.
pub fn run() -> Result<()> {
    let peer = given::folder("JFATHOM_ASM_PEER", "the folder with ASM's run.sh")?;
    let folder = tempfile::tempdir()?;
    let java_base = Classes::read(&Input::open_module(&jdk::main().home, "java.base")?)?;
    java_base.write(folder.path())?;
    let mut programs = vec![("java.base", folder.path().to_path_buf(), java_base)];
    for (name, jar) in jars(&Corpus::find()?)? {
        let classes = Classes::read(&Input::open(&jar)?)?;
        programs.push((name, jar, classes));
    }
    println!(
        "{RUNS} runs of each side, in turns; each ratio is that of the best rounds of all runs\n"
    );
    table::head(
        "classes | n | ASM MB/s | jfathom MB/s | ratio | rewriting alone MB/s | growth ASM | growth jfathom",
    );
    let mut ratios = Vec::new();
    for (name, path, classes) in programs {
        let classes = classes.rewritable();
        let (mut asm, mut ours, mut alone) = (0f64, 0f64, 0f64);
        let mut growths = [0.0; 2];
        for _ in 0..RUNS {
            let theirs = peer_speed(&peer, &path)?;
            asm = asm.max(number(&theirs, "MB/s(max)")?);
            ours = ours.max(classes.all_work().megabytes_per_second);
            let rewriting = classes.rewriting_alone();
            alone = alone.max(rewriting.megabytes_per_second);
            growths = [number(&theirs, "grow")?, rewriting.growth];
        }
        println!(
            "| {name} | {} | {asm:.0} | {ours:.0} | {:.2} | {alone:.0} | {:.3} | {:.3} |",
            classes.count(),
            ours / asm,
            growths[0],
            growths[1]
        );
        ratios.push(ours / asm);
    }
    let mean = Ratios::new(ratios).mean();
    println!("| geometric mean | | | | {mean:.2} (goal 5, each 4) | | | |");
    Ok(())
}

/// The line of ASM's run of equal work.
fn peer_speed(peer: &Path, path: &Path) -> Result<String> {
    let mut run = Command::new("bash");
    let text = shell::output(run.arg(peer.join("run.sh")).arg("bench").arg(path))?;
    let line = text.lines().find(|line| line.contains(EQUAL_WORK));
    Ok(line.with_context(|| format!("ASM's run.sh printed no line {EQUAL_WORK}"))?.to_owned())
}

/// The number after `name=` in a line of words.
fn number(text: &str, name: &str) -> Result<f64> {
    let words = text.split_whitespace().filter_map(|word| word.split_once('='));
    let value = words.filter(|(key, _)| *key == name).map(|(_, value)| value).next();
    let value = value.with_context(|| format!("no {name}= in {text}"))?;
    value.parse().with_context(|| format!("{name}= in {text}"))
}

/// With an empty plan every class comes out byte-identical: over these paths, or the corpus' jars
/// and the JDKs' java.base.
pub fn identity(paths: &[PathBuf]) -> Result<()> {
    let mut inputs = Vec::new();
    for path in paths {
        inputs.push(Input::open(path)?);
    }
    if paths.is_empty() {
        for (_, jar) in jars(&Corpus::find()?)? {
            inputs.push(Input::open(jar)?);
        }
        for jdk in jdk::main_and_25("identity") {
            inputs.push(Input::open_module(&jdk.home, "java.base")?);
        }
    }
    let (mut count, mut differ) = (0, Vec::new());
    for input in &inputs {
        let classes = Classes::read(input)?;
        count += classes.count();
        differ.extend(classes.differing());
    }
    differ.iter().for_each(|name| println!("differs: {name}"));
    println!("{count} classes, {} differ", differ.len());
    ensure!(differ.is_empty(), "classes differ after rewriting with an empty plan");
    Ok(())
}
