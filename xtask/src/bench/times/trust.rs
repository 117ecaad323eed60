//! How near a recording's self shares, and those that `trust` combines with samples, are to further
//! runs of the uninstrumented program.
//!
//! The truth is two sampled runs that the combination has not seen. Two other such runs beside them
//! show how far runs differ by themselves.

use crate::{
    bench::{conditions, measure::median},
    corpus::{Corpus, live},
    java::{self, Jdk},
    shell,
};
use anyhow::{Context, Result};
use std::{collections::HashMap, path::Path, process::Command};

const PROGRAMS: [&str; 4] = ["ecj", "h2", "lucene", "closure"];
/// The methods that are compared: those with the most samples.
const TOP: usize = 20;
/// Sampled runs on each side.
const RUNS: &str = "2";

/// A method's name, and its shares of the time below the roots, 0 to 1.
struct Row {
    method: String,
    sampled: f64,
    recorded: f64,
    combined: f64,
}

/// Prints a table of the programs, or of those named.
pub fn run(rest: &[&str]) -> Result<()> {
    let names = if rest.is_empty() { &PROGRAMS } else { rest };
    let corpus = Corpus::find()?;
    let jdk = java::main()?;
    println!(
        "Self shares of the {TOP} methods with the most samples, beside {RUNS} further sampled runs\n"
    );
    println!(
        "| program | other runs: median, most points | recorded | combined | most: method | combined, beyond the runs' own difference, most points |"
    );
    println!("|---|---|---|---|---|---|");
    for name in names {
        corpus.fetch(name)?;
        println!("{}", row(&corpus, name, &jdk).with_context(|| (*name).to_owned())?);
    }
    println!("\n{}", conditions::load("after")?);
    Ok(())
}

fn row(corpus: &Corpus, name: &str, jdk: &Jdk) -> Result<String> {
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let profile = folder.path().join("p.jfp");
    let options = live::options(name, "lazy")?;
    shell::output(&mut corpus.record(name, jdk, &profile, &options))?;
    let seen = trust(corpus, name, jdk, &profile)?;
    let truth = trust(corpus, name, jdk, &profile)?;
    let seen: HashMap<&str, &Row> = seen.iter().map(|row| (row.method.as_str(), row)).collect();
    let (mut runs, mut recorded, mut combined) = (Vec::new(), Vec::new(), Vec::new());
    let mut beyond: f64 = 0.0;
    let mut worst = (0.0, "");
    for row in truth.iter().take(TOP) {
        let before = seen.get(row.method.as_str());
        let points = |share: f64| (share - row.sampled).abs() * 100.0;
        let own = points(before.map_or(0.0, |before| before.sampled));
        let of_both = points(before.map_or(0.0, |before| before.combined));
        runs.push(own);
        recorded.push(points(row.recorded));
        combined.push(of_both);
        beyond = beyond.max(of_both - own);
        if of_both > worst.0 {
            worst = (of_both, &row.method);
        }
    }
    let pair = |points: Vec<f64>| {
        let most = points.iter().copied().fold(0.0, f64::max);
        format!("{:.1}, {most:.1}", median(points))
    };
    let [runs, recorded, combined] = [runs, recorded, combined].map(pair);
    Ok(format!("| {name} | {runs} | {recorded} | {combined} | `{}` | {beyond:.1} |", worst.1))
}

/// The verdicts of new sampled runs, the method with the most samples first.
fn trust(corpus: &Corpus, name: &str, jdk: &Jdk, profile: &Path) -> Result<Vec<Row>> {
    let script = corpus.script(jdk);
    let words = [script.get_program()].into_iter().chain(script.get_args());
    let mut command: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    command.push(name.to_owned());
    let mut trust = Command::new(shell::jfathom()?);
    trust.args(["trust", "--json", "--use-java-tool-options", "--runs", RUNS, "--uninstrumented"]);
    trust.arg(command.join(" ")).arg(profile).env("JAVA", jdk.tool("java")).env_remove("OVERLAY");
    let text = shell::output(&mut trust)?;
    let json: serde_json::Value =
        serde_json::from_str(text.lines().last().context("trust printed nothing")?)?;
    let rows = json["trust"]["methods"].as_array().context("no methods")?;
    let text =
        |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap_or(0.0);
    Ok(rows
        .iter()
        .map(|row| Row {
            method: format!(
                "{}::{}{}",
                text(row, "class"),
                text(row, "name"),
                text(row, "descriptor")
            ),
            sampled: number(row, "sampled"),
            recorded: number(row, "recorded"),
            combined: number(row, "combined"),
        })
        .collect())
}
