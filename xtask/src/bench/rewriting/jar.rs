//! Jar to jar, cold: whole processes on one core and on two, beside ASM's at equal work.

use crate::bench::{
    conditions,
    measure::{geometric_mean, median},
    programs,
};
use crate::{shell, shell::Cost};
use anyhow::Result;
use std::{fs, path::Path, process::Command};

const RUNS: usize = 5;

/// Prints the table.
pub fn run() -> Result<()> {
    let peer = shell::folder("JFATHOM_ASM_PEER", "the folder with ASM's run.sh")?.join("run.sh");
    let jfathom = shell::jfathom()?;
    println!(
        "medians of {RUNS} runs, the sides in turns\n\n\
         | jar | cores | ASM wall s | ASM CPU s | jfathom wall s | jfathom CPU s | ratio (wall) | size ASM | size jfathom |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    for (cores, goal) in [("0", 6), ("0,1", 5)] {
        let mut ratios = Vec::new();
        for program in &programs::jars()? {
            let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
            let (theirs, ours) = (folder.path().join("asm.jar"), folder.path().join("out"));
            let asm = || {
                let mut command = pinned(cores);
                command.arg("bash").arg(&peer).arg("cold").arg(&program.path).arg(&theirs);
                command.env("MODE", "asm-eq");
                command
            };
            let jfathom = || {
                let mut command = pinned(cores);
                command.arg(&jfathom).arg("rewrite").arg(&program.path).args([
                    "--libraries=off",
                    "--force",
                    "-q",
                ]);
                command.arg("-o").arg(&ours);
                command
            };
            let (asm, jfathom) = measure(asm, jfathom)?;
            let before = fs::metadata(&program.path)?.len() as f64;
            let growth = |path: &Path| {
                fs::metadata(path).map_or(f64::NAN, |file| file.len() as f64 / before)
            };
            let ratio = asm.0 / jfathom.0;
            ratios.push(ratio);
            println!(
                "| {} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {ratio:.2} | {:.3} | {:.3} |",
                program.name,
                cores.split(',').count(),
                asm.0,
                asm.1,
                jfathom.0,
                jfathom.1,
                growth(&theirs),
                growth(&ours.join(program.path.file_name().unwrap_or_default())),
            );
        }
        println!("| geometric mean | | | | | | {:.2} (goal {goal}) | | |", geometric_mean(&ratios));
    }
    println!("\n{}", conditions::load("after")?);
    Ok(())
}

fn pinned(cores: &str) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", cores]);
    command
}

/// Median wall and CPU seconds of two commands.
fn measure(
    one: impl Fn() -> Command,
    other: impl Fn() -> Command,
) -> Result<((f64, f64), (f64, f64))> {
    let mut costs = (Vec::with_capacity(RUNS), Vec::with_capacity(RUNS));
    for _ in 0..RUNS {
        costs.0.push(shell::cost(&mut one())?);
        costs.1.push(shell::cost(&mut other())?);
    }
    let of = |costs: &[Cost], part: fn(&Cost) -> f64| median(costs.iter().map(part).collect());
    let both = |costs: &[Cost]| {
        (of(costs, |cost| cost.wall.as_secs_f64()), of(costs, |cost| cost.cpu.as_secs_f64()))
    };
    Ok((both(&costs.0), both(&costs.1)))
}
