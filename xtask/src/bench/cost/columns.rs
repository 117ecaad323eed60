//! What each column adds to a recording of a real program, ahead of time: CPU time of JVM and
//! collector.
//!
//! Each pair is the program with the column and without it, at once, on a processor for each, so
//! that both meet the same machine. The next round swaps the processors. All time the same methods,
//! those that a first recording times within its budget: else the budget's choices, which differ
//! from run to run, would cost more than a column.

use crate::{
    bench::conditions,
    corpus::Corpus,
    java::{self, Jdk},
};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::{
    ffi::OsString,
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

const PROGRAMS: [&str; 2] = ["ecj", "h2"];
const ROUNDS: usize = 5;
const PROCESSORS: [&str; 2] = ["0", "1"];

/// Names of the ways to record, and their options. The first one shows how far pairs differ that
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

/// Prints a table of the programs, or of those named; before them `--rounds N`, then
/// `--column NAME` for one column and the pairs without.
pub fn run(rest: &[&str]) -> Result<()> {
    let (rounds, rest) = match rest {
        ["--rounds", rounds, rest @ ..] => (rounds.parse().context("--rounds")?, rest),
        rest => (ROUNDS, rest),
    };
    ensure!(rounds > 0, "--rounds 0");
    let (column, names) = match rest {
        ["--column", column, names @ ..] => (Some(*column), names),
        names => (None, names),
    };
    let is_asked = |way: &str| column.is_none_or(|column| way == column || way == WAYS[0].0);
    let ways: Vec<_> = WAYS.into_iter().filter(|(way, _)| is_asked(way)).collect();
    ensure!(ways.len() > 1, "--column: one of {}", WAYS.map(|(way, _)| way).join(", "));
    let names = if names.is_empty() { &PROGRAMS } else { names };
    let corpus = Corpus::find()?;
    println!("CPU time of JVM and collector, {rounds} pairs\n");
    println!(
        "| program | column | without, mean s | with ÷ without, geometric mean ± its standard error (least–most) |"
    );
    println!("|---|---|---|---|");
    let jdk = java::main_and_25()?.into_iter().next().context("there is no JDK")?;
    for name in names {
        corpus.fetch(name)?;
        let program = Program::new(&corpus, name, &jdk).with_context(|| name.to_string())?;
        let mut pairs: Vec<Vec<(f64, f64)>> = vec![Vec::new(); ways.len()];
        for round in 0..rounds {
            for ((way, options), pairs) in ways.iter().zip(&mut pairs) {
                let pair = program.pair(round, options);
                pairs.push(pair.with_context(|| format!("{name}, {way}"))?);
            }
        }
        for ((way, _), pairs) in ways.iter().zip(&pairs) {
            println!("| {name} | {way} | {} |", row(pairs));
        }
    }
    println!("\n{}", conditions::load("after")?);
    Ok(())
}

/// A rewritten program, and how it is recorded.
struct Program<'a> {
    corpus: &'a Corpus,
    name: &'a str,
    jdk: &'a Jdk,
    folder: TempDir,
    change: (&'static str, OsString),
    /// What has all recordings do the same.
    options: Vec<String>,
}

impl<'a> Program<'a> {
    fn new(corpus: &'a Corpus, name: &'a str, jdk: &'a Jdk) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
        let change = corpus.rewrite(name, jdk, folder.path())?;
        let mut program = Self { corpus, name, jdk, folder, change, options: Vec::new() };
        let (mut first, profile) = program.record("first", &[]);
        let _printed = corpus.cost(&mut first)?;
        program.options = ["--budget", "none", "--rewritten"].map(str::to_owned).to_vec();
        let rewritten = crate::corpus::output(program.folder.path());
        program.options.push(rewritten.to_str().context("a path in UTF-8")?.to_owned());
        for method in counted(corpus, &profile)? {
            program.options.extend(["--probe".to_owned(), format!("{method}=count")]);
        }
        Ok(program)
    }

    /// The command that records it, and where its profile will be.
    fn record(&self, profile: &str, more: &[&str]) -> (Command, PathBuf) {
        let profile = self.folder.path().join(profile).with_extension("jfp");
        let mut options = vec!["--force", "--use-java-tool-options", "--tune=calibrate=off"];
        options.extend(self.options.iter().map(String::as_str).chain(more.iter().copied()));
        let mut record = self.corpus.record(self.name, self.jdk, &profile, &options);
        record.env(self.change.0, &self.change.1);
        (record, profile)
    }

    /// CPU seconds without and with these options.
    fn pair(&self, round: usize, options: &[&str]) -> Result<(f64, f64)> {
        let [one, other] = PROCESSORS;
        let (one, other) = if round.is_multiple_of(2) { (one, other) } else { (other, one) };
        let start = |processor: &str, options: &[&str]| -> Result<_> {
            let times = self.folder.path().join(processor).with_extension("times");
            let (record, _) = self.record(processor, options);
            let mut command = timed(&record, processor, &times);
            Ok((command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?, times))
        };
        let started = [start(one, &[])?, start(other, options)?];
        let mut seconds = Vec::new();
        let mut printed = Vec::new();
        for (child, times) in started {
            let output = child.wait_with_output()?;
            let stderr = String::from_utf8_lossy(&output.stderr);
            ensure!(output.status.success(), "ended with {}: {stderr}", output.status);
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let sum = text.rsplit_once("sum=").context("run.sh printed no sum")?.1.to_owned();
            printed.push(sum);
            let times = fs::read_to_string(times)?;
            seconds.push(of_children(&times).with_context(|| times.clone())?);
        }
        match (printed.as_slice(), seconds.as_slice()) {
            ([one, other], [without, with]) if one == other => Ok((*without, *with)),
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
    #[derive(Deserialize)]
    struct Report {
        methods: Vec<Method>,
    }
    #[derive(Deserialize)]
    struct Method {
        class: String,
        name: String,
        descriptor: String,
        mode: String,
    }
    let mut report = corpus.command();
    report.args(["report", "--json"]).arg(profile);
    let mut child = report.stdout(Stdio::piped()).spawn()?;
    let text = child.stdout.take().context("no standard output")?;
    // The tree is many times larger, and is read over.
    let report: Report = serde_json::from_reader(BufReader::new(text))?;
    ensure!(child.wait()?.success(), "the report fails");
    let counted = report.methods.iter().filter(|method| method.mode == "count");
    Ok(counted
        .map(|method| {
            format!("{}::{}{}", method.class.replace('/', "."), method.name, method.descriptor)
        })
        .collect())
}

/// The cells of pairs of seconds.
fn row(pairs: &[(f64, f64)]) -> String {
    let n = pairs.len() as f64;
    let without = pairs.iter().map(|(without, _)| without).sum::<f64>() / n;
    let ratios = pairs.iter().map(|(without, with)| with / without);
    let least = ratios.clone().fold(f64::INFINITY, f64::min);
    let most = ratios.clone().fold(0.0, f64::max);
    let mean = ratios.clone().map(f64::ln).sum::<f64>() / n;
    let squares = ratios.map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>();
    let error = match pairs.len() {
        0 | 1 => "unknown".to_owned(),
        _ => format!("{:.3}", mean.exp() * (squares / (n - 1.0) / n).sqrt()),
    };
    format!("{without:.1} | {:.3} ± {error} ({least:.3}–{most:.3})", mean.exp())
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

    #[test]
    fn rows_have_mean_and_scatter() {
        assert_eq!(row(&[(10.0, 11.0), (10.0, 11.0)]), "10.0 | 1.100 ± 0.000 (1.100–1.100)");
        assert_eq!(row(&[(10.0, 5.0), (10.0, 20.0)]), "10.0 | 1.000 ± 0.693 (0.500–2.000)");
        assert_eq!(row(&[(8.0, 4.0)]), "8.0 | 0.500 ± unknown (0.500–0.500)");
    }
}
