//! How near a recording's self shares, and those that `trust` combines with samples, are to further
//! runs of the uninstrumented program.
//!
//! The truth is two sampled runs that the combination has not seen. Two other such runs beside them
//! show how far runs differ by themselves.

use crate::{
    corpus::{Corpus, roots},
    shell,
    statistics::{median, most},
    table,
};
use anyhow::{Context, Result};
use jfathom_testkit::{Jdk, jdk};
use serde_json::Value;
use std::{collections::HashMap, path::Path};

/// The methods that are compared: those with the most samples.
const TOP: usize = 20;
/// Sampled runs on each side.
const RUNS: &str = "2";

/// A method's name, and its shares of the time below the roots, in percent.
struct Row {
    method: String,
    sampled: f64,
    recorded: f64,
    combined: f64,
}

/// Prints a table of the programs.
pub fn run(programs: &[String]) -> Result<()> {
    let corpus = Corpus::find()?;
    println!(
        "Self shares of the {TOP} methods with the most samples, beside {RUNS} further sampled runs\n"
    );
    table::head(
        "program | other runs: median, most points | recorded | combined | most: method | combined, beyond the runs' own difference, most points",
    );
    for name in programs {
        corpus.fetch(name)?;
        println!("{}", row(&corpus, name, jdk::main()).with_context(|| name.clone())?);
    }
    Ok(())
}

fn row(corpus: &Corpus, name: &str, jdk: &Jdk) -> Result<String> {
    let folder = tempfile::tempdir()?;
    let profile = folder.path().join("p.jfp");
    let options = roots::options(name, "lazy")?;
    shell::output(&mut corpus.record(name, jdk, &profile, &options))?;
    let seen = trust(corpus, name, jdk, &profile)?;
    let truth = trust(corpus, name, jdk, &profile)?;
    let seen: HashMap<&str, &Row> = seen.iter().map(|row| (row.method.as_str(), row)).collect();
    // Of each method: what other runs differ by, the recording, and both combined.
    let points: Vec<(&str, [f64; 3])> = truth
        .iter()
        .take(TOP)
        .map(|row| {
            let before = seen.get(row.method.as_str());
            let [sampled, combined] =
                before.map_or([0.0; 2], |before| [before.sampled, before.combined]);
            let off = [sampled, row.recorded, combined].map(|share| (share - row.sampled).abs());
            (row.method.as_str(), off)
        })
        .collect();
    let cells = [0, 1, 2].map(|side| {
        let points: Vec<f64> = points.iter().map(|(_, off)| off[side]).collect();
        format!("{:.1}, {:.1}", median(points.iter().copied()), most(&points))
    });
    let worst = points.iter().max_by(|one, other| one.1[2].total_cmp(&other.1[2]));
    let beyond: Vec<f64> = points.iter().map(|(_, [own, _, both])| both - own).collect();
    Ok(format!(
        "| {name} | {} | `{}` | {:.1} |",
        cells.join(" | "),
        worst.map_or("", |worst| worst.0),
        most(&beyond).max(0.0)
    ))
}

/// The verdicts of new sampled runs, the method with the most samples first.
fn trust(corpus: &Corpus, name: &str, jdk: &Jdk, profile: &Path) -> Result<Vec<Row>> {
    let script = corpus.script(jdk);
    let words = [script.get_program()].into_iter().chain(script.get_args());
    let mut command: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
    command.push(name.to_owned());
    let mut trust = corpus.jfathom.command();
    trust.args(["trust", "--json", "--runs", RUNS, "--uninstrumented"]);
    trust.arg(command.join(" ")).arg(profile).env("JAVA", jdk.java()).env_remove("OVERLAY");
    let text = shell::output(&mut trust)?;
    let json: Value = serde_json::from_str(text.lines().last().context("trust printed nothing")?)?;
    let rows = json["trust"]["methods"].as_array().context("no methods")?;
    let row = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let percent = |key: &str| row[key].as_f64().unwrap_or(0.0) * 100.0;
        Row {
            method: format!("{}::{}{}", text("class"), text("name"), text("descriptor")),
            sampled: percent("sampled"),
            recorded: percent("recorded"),
            combined: percent("combined"),
        }
    };
    Ok(rows.iter().map(row).collect())
}
