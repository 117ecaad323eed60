//! What a recording with the default options costs a real program: CPU time of JVM and collector.

use crate::{
    corpus::{self, Change, Corpus, roots},
    spent::Spent,
    statistics::Ratios,
    table,
};
use anyhow::{Context, Result, ensure};
use jfathom_testkit::{Jdk, jdk};
use std::{path::Path, process::Command};

#[derive(clap::Args)]
pub struct Options {
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    #[arg(default_values = ["ecj", "h2", "lucene", "sat4j", "closure", "groovy", "fop", "proguard"])]
    programs: Vec<String>,
}

/// How a program is run.
const WAYS: [&str; 5] =
    ["plain", "rewritten", "rewritten, all counted", "rewritten, recorded", "live, scheme total"];

/// Prints a table of the programs.
pub fn run(options: &Options) -> Result<()> {
    let corpus = Corpus::find()?;
    println!("CPU time, medians of {} interleaved rounds\n", options.rounds);
    table::head(&format!("program | JVM | {} s | {} | wall", WAYS[0], WAYS[1..].join(" × | ")));
    let mut failed = Vec::new();
    for jdk in jdk::main_and_25("overhead") {
        let mut ratios: [Vec<f64>; WAYS.len() - 1] = Default::default();
        for name in &options.programs {
            corpus.fetch(name)?;
            let row = match medians(&corpus, name, jdk, options.rounds) {
                Ok(row) => row,
                Err(error) => {
                    println!("| {name} | {} | | | | | | {error:#} |", jdk.version);
                    failed.push(name.as_str());
                    continue;
                }
            };
            let [plain, others @ ..] = row.map(|spent| spent.cpu);
            let others = others.map(|cpu| cpu / plain);
            ratios.iter_mut().zip(others).for_each(|(all, ratio)| all.push(ratio));
            println!(
                "| {name} | {} | {plain:.1} | {} | {} |",
                jdk.version,
                others.map(|ratio| format!("{ratio:.2}")).join(" | "),
                row.map(|spent| format!("{:.1}", spent.wall)).join(" / ")
            );
        }
        let means = ratios.map(|ratios| format!("{:.2}", Ratios::new(ratios).mean()));
        println!("| geometric mean | {} | | {} | |", jdk.version, means.join(" | "));
    }
    ensure!(failed.is_empty(), "could not be measured: {}", failed.join(", "));
    Ok(())
}

/// Medians by way.
fn medians(corpus: &Corpus, name: &str, jdk: &Jdk, rounds: usize) -> Result<[Spent; WAYS.len()]> {
    let folder = tempfile::tempdir()?;
    let change = corpus.rewrite(name, jdk, folder.path())?;
    let mut all: [Vec<Spent>; WAYS.len()] = Default::default();
    let mut printed: Option<String> = None;
    for _ in 0..rounds {
        for (way, runs) in all.iter_mut().enumerate() {
            let mut command = command(corpus, name, jdk, folder.path(), way, &change)?;
            let (spent, sum) = corpus.spent(&mut command).context(WAYS[way])?;
            let expected = printed.get_or_insert_with(|| sum.clone());
            ensure!(*expected == sum, "{}: the output differs", WAYS[way]);
            runs.push(spent);
        }
    }
    Ok(all.map(|runs| Spent::median(&runs)))
}

fn command(
    corpus: &Corpus,
    name: &str,
    jdk: &Jdk,
    folder: &Path,
    way: usize,
    change: &Change,
) -> Result<Command> {
    let profile = folder.join("overhead.jfp");
    if way == 4 {
        return Ok(corpus.record(name, jdk, &profile, &roots::options(name, "total")?));
    }
    let out = corpus::output(folder);
    let counted = ["--rewritten", &out.to_string_lossy(), "--probe", "**=count"];
    let mut command = match way {
        2 => corpus.record(name, jdk, &profile, &counted),
        3 => corpus.record(name, jdk, &profile, &[]),
        _ => {
            let mut script = corpus.script(jdk);
            script.arg(name);
            script
        }
    };
    // The programs start behind a script, where `record` sees no `java` to add flags to. The clock
    // library needs this one (JEP 472).
    if way > 1 && jdk.version >= 24 {
        command.env("JAVA_OPTS", "--enable-native-access=ALL-UNNAMED");
    }
    if way > 0 {
        command.env(change.0, &change.1);
    }
    Ok(command)
}
