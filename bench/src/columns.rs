//! What each column adds to a recording of a real program, ahead of time: CPU time of JVM and
//! collector.
//!
//! Each pair is the program with the column and without it, at once, on a processor for each, so
//! that both meet the same machine. The next round swaps the processors. All time the same methods,
//! those that a first recording times within its budget: else the budget's choices, which differ
//! from run to run, would cost more than a column.

use crate::{
    corpus::{self, Change, Corpus},
    statistics::Ratios,
    table,
};
use anyhow::{Context, Result, bail, ensure};
use jfathom_testkit::{Jdk, jdk};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

#[derive(clap::Args)]
pub struct Options {
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// One column, and the pairs without
    #[arg(long)]
    column: Option<String>,
    #[arg(default_values = ["ecj", "h2"])]
    programs: Vec<String>,
}

const PROCESSORS: [&str; 2] = ["0", "1"];

/// Names of a column, and the options that record it. The first one shows how far pairs differ that
/// do the same.
const WAYS: [(&str, &[&str]); 7] = [
    ("no column", &[]),
    ("alloc", &["--metrics", "alloc"]),
    ("cpu by switches", &["--metrics", "cpu=switches"]),
    ("cpu by threads' clocks", &["--metrics", "cpu=thread-clock"]),
    ("waits", &["--metrics", "waits"]),
    ("stack samples", &["--metrics", "samples"]),
    ("all, with exceptions", &["--metrics", "alloc,cpu,waits,exceptions,samples"]),
];

/// All ways, or that of one column and the first one.
pub fn ways(column: Option<&str>) -> Result<Vec<(&'static str, &'static [&'static str])>> {
    let is_asked = |way: &str| column.is_none_or(|column| way == column || way == WAYS[0].0);
    let ways: Vec<_> = WAYS.into_iter().filter(|(way, _)| is_asked(way)).collect();
    ensure!(ways.len() > 1, "--column: one of {}", WAYS.map(|(way, _)| way).join(", "));
    Ok(ways)
}

/// The processors of a pair.
pub fn processors(round: usize) -> [&'static str; 2] {
    let [one, other] = PROCESSORS;
    if round.is_multiple_of(2) { [one, other] } else { [other, one] }
}

/// Prints a table of the programs.
pub fn run(options: &Options) -> Result<()> {
    let ways = ways(options.column.as_deref())?;
    let corpus = Corpus::find()?;
    println!("CPU time of JVM and collector, {} pairs\n", options.rounds);
    table::head(
        "program | column | without, mean s | with ÷ without, geometric mean ± its standard error (least–most)",
    );
    for name in &options.programs {
        corpus.fetch(name)?;
        let program = Program::new(&corpus, name, jdk::main()).with_context(|| name.clone())?;
        let mut pairs: Vec<Vec<(f64, f64)>> = vec![Vec::new(); ways.len()];
        for round in 0..options.rounds {
            for ((way, options), pairs) in ways.iter().zip(&mut pairs) {
                let pair = program.pair(round, options);
                pairs.push(pair.with_context(|| format!("{name}, {way}"))?);
            }
        }
        for ((way, _), pairs) in ways.iter().zip(&pairs) {
            let without = pairs.iter().map(|pair| pair.0).sum::<f64>() / pairs.len() as f64;
            let ratios = Ratios::new(pairs.iter().map(|(without, with)| with / without));
            println!("| {name} | {way} | {without:.1} | {} |", ratios.with_error());
        }
    }
    Ok(())
}

/// A rewritten program, and how it is recorded.
struct Program<'a> {
    corpus: &'a Corpus,
    name: &'a str,
    jdk: &'a Jdk,
    folder: TempDir,
    change: Change,
    /// What has all recordings do the same.
    options: Vec<String>,
}

impl<'a> Program<'a> {
    fn new(corpus: &'a Corpus, name: &'a str, jdk: &'a Jdk) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let change = corpus.rewrite(name, jdk, folder.path())?;
        let mut program = Self { corpus, name, jdk, folder, change, options: Vec::new() };
        let (mut first, profile) = program.record("first", &[]);
        let _printed = corpus.spent(&mut first)?;
        program.options = ["--budget", "none", "--rewritten"].map(str::to_owned).to_vec();
        let rewritten = corpus::output(program.folder.path());
        program.options.push(rewritten.to_str().context("a path in UTF-8")?.to_owned());
        for method in counted(corpus, &profile)? {
            program.options.extend(["--probe".to_owned(), format!("{method}=count")]);
        }
        Ok(program)
    }

    /// The command that records it, and where its profile will be.
    fn record(&self, profile: &str, more: &[&str]) -> (Command, PathBuf) {
        let profile = self.folder.path().join(profile).with_extension("jfp");
        let mut options = vec!["--use-java-tool-options", "--tune=calibrate=off"];
        options.extend(self.options.iter().map(String::as_str).chain(more.iter().copied()));
        let mut record = self.corpus.record(self.name, self.jdk, &profile, &options);
        record.env(self.change.0, &self.change.1);
        (record, profile)
    }

    /// CPU seconds without and with these options.
    fn pair(&self, round: usize, options: &[&str]) -> Result<(f64, f64)> {
        let [one, other] = processors(round);
        let start = |processor: &str, options: &[&str]| -> Result<_> {
            let times = self.folder.path().join(processor).with_extension("times");
            let (record, _) = self.record(processor, options);
            let mut command = timed(&record, processor, &times);
            Ok((command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?, times))
        };
        let mut sides = Vec::new();
        for (child, times) in [start(one, &[])?, start(other, options)?] {
            let output = child.wait_with_output()?;
            let stderr = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "ended with {}: {stderr}", output.status);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let sum = text.rsplit_once("sum=").context("run.sh printed no sum")?.1.to_owned();
            let times = fs::read_to_string(times)?;
            sides.push((sum, of_children(&times).with_context(|| times.clone())?));
        }
        match &sides[..] {
            [(one, without), (other, with)] if one == other => Ok((*without, *with)),
            _ => bail!("the output differs"),
        }
    }
}

/// The command on one processor. It writes what it took to `times`.
fn timed(command: &Command, processor: &str, times: &Path) -> Command {
    let mut timed = Command::new("taskset");
    timed.args(["-c", processor, "bash", "-c", "\"$@\" || exit; times >\"$0\""]).arg(times);
    timed.arg(command.get_program()).args(command.get_args()).env("LC_ALL", "C");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => timed.env(name, value),
            None => timed.env_remove(name),
        };
    }
    timed
}

/// Seconds, of the second line of what bash's `times` prints: user and system time of all that the
/// shell has waited for, as `0m35.120s 0m1.020s`.
fn of_children(times: &str) -> Option<f64> {
    times.lines().nth(1)?.split_whitespace().try_fold(0.0, |sum, time| {
        let (minutes, seconds) = time.strip_suffix('s')?.split_once('m')?;
        Some(sum + minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    })
}

/// The methods that a recording counts, as selectors.
fn counted(corpus: &Corpus, profile: &Path) -> Result<Vec<String>> {
    let report = corpus.jfathom.report(profile)?;
    let methods = report["methods"].as_array().context("no methods")?;
    let text = |method: &serde_json::Value, key: &str| {
        method[key]
            .as_str()
            .unwrap_or_default()
            .replace('/', if key == "class" { "." } else { "/" })
    };
    let selector = |method| {
        let [class, name, descriptor] =
            ["class", "name", "descriptor"].map(|key| text(method, key));
        format!("{class}::{name}{descriptor}")
    };
    Ok(methods.iter().filter(|method| method["mode"] == "count").map(selector).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_children() {
        assert_eq!(of_children("0m0.010s 0m0.020s\n1m2.500s 0m1.250s\n"), Some(63.75));
        assert_eq!(of_children("0m0.010s 0m0.020s\n"), None);
        assert_eq!(of_children("\n1.5 2.5\n"), None);
    }
}
