//! Corrected times of roots beside those of uninstrumented runs.
//!
//! Each round is one uninstrumented run, one with all methods timed, and one with demotion, each in
//! a fresh JVM and with the program's warm-up in it. The truth is the median root time of the
//! uninstrumented runs. A run whose thread was off the processor for long is made again. ECJ prints
//! no times: its truth is the median of roots-only runs.

use crate::{
    corpus::Corpus,
    corrected::Corrected,
    ecj::{self, Ecj},
    jfathom::Jfathom,
    shell,
    small::{self, Smalls},
    statistics::median,
    table,
};
use anyhow::Result;
use jfathom_testkit::{Jdk, jdk};
use std::path::Path;

#[derive(clap::Args)]
pub struct Options {
    /// Rounds
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Small programs, or ECJ; all without
    names: Vec<String>,
}

/// What is recorded, as names and options.
const WAYS: [(&str, &[&str]); 2] = [("all timed", &["--budget", "none"]), ("demoted", &[])];

const ECJ: &str = "ECJ";

/// Prints the table.
pub fn run(options: &Options) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let jfathom = Jfathom::find()?;
    table::head(
        "program | JVM | truth ms | calls | timed M | methods demoted | measured | error | inside | bar",
    );
    let chosen: Vec<_> = small::chosen(&options.names).collect();
    let smalls = match chosen.is_empty() {
        true => None,
        false => Some(Smalls::all(&jfathom, folder.path(), true)?),
    };
    for jdk in jdk::main_and_25("calibration") {
        for program in smalls.iter().flat_map(|smalls| chosen.iter().map(move |p| (smalls, *p))) {
            let (smalls, program) = program;
            let (mut plain, mut found) = (Vec::new(), [Vec::new(), Vec::new()]);
            for _ in 0..options.runs {
                plain.push(smalls.plain(jdk, program)?.wall);
                for ((_, options), found) in WAYS.iter().zip(&mut found) {
                    smalls.recorded(jdk, program, options)?;
                    found.push(Corrected::read(&smalls.profile())?);
                }
            }
            print(program.0, jdk, median(plain), &found);
        }
        if options.names.is_empty() || options.names.iter().any(|name| name == ECJ) {
            ecj(jdk, &jfathom, folder.path(), options.runs)?;
        }
    }
    Ok(())
}

fn ecj(jdk: &Jdk, jfathom: &Jfathom, folder: &Path, runs: usize) -> Result<()> {
    let ecj = Ecj::find(&Corpus::find()?)?;
    let root = format!("{}::performCompilation", ecj::MAIN);
    let jar = ecj.rewritten(jfathom, folder, &["--root", &root])?;
    let profile = folder.join("ecj.jfp");
    let (mut roots_only, mut found) = (Vec::new(), [Vec::new(), Vec::new()]);
    let record = |options: &[&str]| {
        let mut command = jfathom.record(&profile, options);
        command.arg(jdk.java());
        shell::output(&mut ecj.compile(command, &jar, &folder.join("classes")))?;
        Corrected::read(&profile)
    };
    for _ in 0..runs {
        roots_only.push(record(&["--probe=**=off"])?.time);
        for ((_, options), found) in WAYS.iter().zip(&mut found) {
            found.push(record(options)?);
        }
    }
    print(ECJ, jdk, median(roots_only), &found);
    Ok(())
}

fn print(name: &str, jdk: &Jdk, truth: f64, found: &[Vec<Corrected>; WAYS.len()]) {
    for ((way, _), found) in WAYS.iter().zip(found) {
        let of = |part: &dyn Fn(&Corrected) -> f64| median(found.iter().map(part));
        let percent = |value: f64| value * 100.0 / truth;
        println!(
            "| {name} | {} | {truth:.0} | {way} | {:.1} | {:.0} | {:.2} × | {:+.0} % | {}/{} | {:.0} % |",
            jdk.version,
            of(&|found| found.timed) / 1e6,
            of(&|found| found.demoted),
            of(&|found| found.measured / truth),
            of(&|found| percent(found.time - truth)),
            found.iter().filter(|found| found.holds(truth)).count(),
            found.len(),
            of(&|found| percent(found.bar)),
        );
    }
}
