//! What recording every method costs a program: small ones beside JFluid in the same run, and ECJ.

use crate::{
    corpus::Corpus,
    ecj::Ecj,
    given,
    jfathom::Jfathom,
    shell,
    small::{Small, Smalls},
    spent::Spent,
    statistics::{Ratios, median},
    table,
};
use anyhow::{Context, Result};
use jfathom_testkit::{Jdk, jdk};
use std::{path::Path, process::Command};

/// Small programs and the calls that they make.
const WORKLOADS: &[(Small, f64)] = &[
    (("Fib", &["33", "3"]), 34.2e6),
    (("Layer", &["200000", "3"]), 13.8e6),
    (("Strs", &["30000", "3"]), 22.8e6),
    (("Exc", &["1000000", "3"]), 15.8e6),
    (("Two", &["300000", "3", "2"]), 12.6e6),
];

/// Prints the table of the small programs. JFluid runs on JDK 17 alone: it refuses JDK 20 and
/// later.
pub fn run(rounds: usize) -> Result<()> {
    let peer = given::folder("JFATHOM_JFLUID_PEER", "the folder with JFluid's run.sh")?;
    let folder = tempfile::tempdir()?;
    let smalls = Smalls::all(&Jfathom::find()?, folder.path(), false)?;
    let main = jdk::main();
    println!(
        "medians of {rounds} interleaved rounds; all calls timed; JFluid on JDK {}\n",
        main.version
    );
    table::head(
        "program | JVM | uninstrumented s | recorded s | slowdown | ns per call | JFluid ns per call | ratio",
    );
    for jdk in jdk::main_and_25("slowdown") {
        let mut ratios = Vec::new();
        for (program, calls) in WORKLOADS {
            let mut rows = Vec::new();
            for _ in 0..rounds {
                rows.push([
                    smalls.plain(jdk, *program)?.wall / 1e3,
                    smalls.recorded(jdk, *program, &["--budget", "none"])?.wall / 1e3,
                    jfluid(program.0, &peer, main)?,
                ]);
            }
            let [before, after, jfluid] =
                [0, 1, 2].map(|side| median(rows.iter().map(|row| row[side])));
            let cost = (after - before) * 1e9 / calls;
            ratios.push(cost / jfluid);
            println!(
                "| {} | {} | {before:.3} | {after:.3} | {:.1} | {cost:.1} | {jfluid:.0} | {:.2} |",
                program.0,
                jdk.version,
                after / before,
                cost / jfluid,
            );
        }
        let mean = Ratios::new(ratios).mean();
        println!("| geometric mean | {} | | | | | | {mean:.2} |", jdk.version);
    }
    Ok(())
}

/// What JFluid adds to each call, in ns of wall time.
fn jfluid(program: &str, peer: &Path, jdk: &Jdk) -> Result<f64> {
    let mut run = Command::new("bash");
    run.arg(peer.join("run.sh")).args(["1", &program.to_lowercase()]).env("JAVA", jdk.java());
    let text = shell::output(&mut run)?;
    let added = text.split("added ").nth(1).and_then(|rest| rest.split(' ').next());
    added.context("JFluid's run.sh printed no `added n ns`")?.parse().context("added ns")
}

/// ECJ, cold, on the sources of java.logging: whole processes.
pub fn ecj(rounds: usize) -> Result<()> {
    let corpus = Corpus::find()?;
    let ecj = Ecj::find(&corpus)?;
    let folder = tempfile::tempdir()?;
    let rewritten = ecj.rewritten(&corpus.jfathom, folder.path(), &[])?;
    let classes = folder.path().join("classes");
    table::head("JVM | plain s | recorded s | ratio (goal 2.5) | plain CPU s | recorded CPU s");
    for jdk in jdk::main_and_25("ecj") {
        let (mut plain, mut recorded) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let java = Command::new(jdk.java());
            plain.push(Spent::by(&mut ecj.compile(java, &ecj.jar, &classes))?.0);
            let mut record = corpus.jfathom.record(&folder.path().join("ecj.jfp"), &[]);
            record.arg(jdk.java());
            recorded.push(Spent::by(&mut ecj.compile(record, &rewritten, &classes))?.0);
        }
        println!("| {} | {} |", jdk.version, pair(&plain, &recorded));
    }
    Ok(())
}

/// The cells of wall times, their ratio, and CPU times; medians.
pub fn pair(plain: &[Spent], recorded: &[Spent]) -> String {
    let (plain, recorded) = (Spent::median(plain), Spent::median(recorded));
    format!(
        "{:.2} | {:.2} | {:.2} | {:.2} | {:.2}",
        plain.wall,
        recorded.wall,
        recorded.wall / plain.wall,
        plain.cpu,
        recorded.cpu
    )
}
