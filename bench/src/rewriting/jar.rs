//! Jar to jar, cold: whole processes on one core and on two, beside ASM's at equal work.

use crate::{corpus::Corpus, given, spent::Spent, statistics::Ratios, table};
use anyhow::Result;
use std::{fs, path::Path, process::Command};

const RUNS: usize = 5;

/// Prints the table.
pub fn run() -> Result<()> {
    let peer = given::folder("JFATHOM_ASM_PEER", "the folder with ASM's run.sh")?.join("run.sh");
    let corpus = Corpus::find()?;
    println!("medians of {RUNS} runs, the sides in turns\n");
    table::head(
        "jar | cores | ASM wall s | ASM CPU s | jfathom wall s | jfathom CPU s | ratio (wall) | size ASM | size jfathom",
    );
    for (cores, goal) in [("0", 6), ("0,1", 5)] {
        let mut ratios = Vec::new();
        for (name, jar) in super::jars(&corpus)? {
            let folder = tempfile::tempdir()?;
            let (theirs, ours) = (folder.path().join("asm.jar"), folder.path().join("out"));
            let mut asm = Command::new("bash");
            asm.arg(&peer).arg("cold").args([&jar, &theirs]).env("MODE", "asm-eq");
            let jfathom = corpus.jfathom.rewriting([&jar], &ours, &[]);
            let mut runs = [Vec::new(), Vec::new()];
            for _ in 0..RUNS {
                for (command, runs) in [&asm, &jfathom].into_iter().zip(&mut runs) {
                    runs.push(Spent::by(&mut pinned(command, cores))?.0);
                }
            }
            let [asm, jfathom] = runs.map(|runs| Spent::median(&runs));
            let before = fs::metadata(&jar)?.len() as f64;
            let growth = |path: &Path| {
                fs::metadata(path).map_or(f64::NAN, |file| file.len() as f64 / before)
            };
            let ratio = asm.wall / jfathom.wall;
            ratios.push(ratio);
            println!(
                "| {name} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {ratio:.2} | {:.3} | {:.3} |",
                cores.split(',').count(),
                asm.wall,
                asm.cpu,
                jfathom.wall,
                jfathom.cpu,
                growth(&theirs),
                growth(&ours.join(jar.file_name().unwrap_or_default())),
            );
        }
        let mean = Ratios::new(ratios).mean();
        println!("| geometric mean | | | | | | {mean:.2} (goal {goal}) | | |");
    }
    Ok(())
}

/// The command on these cores.
fn pinned(command: &Command, cores: &str) -> Command {
    let mut pinned = Command::new("taskset");
    pinned.args(["-c", cores]).arg(command.get_program()).args(command.get_args());
    pinned.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    pinned
}
