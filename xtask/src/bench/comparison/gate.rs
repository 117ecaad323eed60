//! How often a gate breaks between equal builds of real programs, and with something planted in the
//! new one: a call for each item, or a root that is longer by a tenth of what it takes in the plain
//! program, by a method that is the same or by one that was edited.
//!
//! One command records both sides of a pair in interleaved runs. With `--separate` one side is
//! recorded after the other, the baseline once for all. Outcomes are kept in a file, so the job can
//! be cut and goes on where it was.

use crate::bench::{busy::Load, measure::median, programs};
use crate::{java, shell};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

const USAGE: &str = "bench gate [--separate] [--busy] [--kind KIND]… [--pairs N] [--planted N] [--runs N] [--for SECONDS] [SUBJECT…]";
/// Runs of the uninstrumented program that say how long its root takes.
const PLAIN_RUNS: usize = 5;
/// What is in the new side, and whether the gate has to break.
const KINDS: &[(&str, bool)] =
    &[("equal", false), ("slow", true), ("edited", true), ("call", true)];

/// A real program behind a driver that plants, and prints for how long its root ran.
pub struct Subject {
    pub name: &'static str,
    /// Of the corpus.
    pub program: &'static str,
    driver: &'static str,
    /// What the driver does how often.
    work: &'static str,
}

pub const SUBJECTS: &[Subject] = &[
    Subject { name: "sat4j", program: "sat4j", driver: "Sat", work: "120" },
    Subject { name: "sat4j-short", program: "sat4j", driver: "Sat", work: "10" },
    Subject { name: "lucene", program: "lucene", driver: "Index", work: "800" },
    Subject { name: "lucene-short", program: "lucene", driver: "Index", work: "50" },
    Subject { name: "ecj", program: "ecj", driver: "Compile", work: "5" },
    Subject { name: "ecj-short", program: "ecj", driver: "Compile", work: "1" },
];

/// Records the pairs that are missing, for as long as it may take, and prints what there is.
pub fn run(rest: &[&str]) -> Result<()> {
    let (mut pairs, mut planted, mut runs, mut time) =
        (7, usize::MAX, String::from("10"), Duration::MAX);
    let mut names: Vec<&str> = Vec::new();
    let (mut apart, mut busy) = (false, false);
    let mut kinds: Vec<&str> = Vec::new();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--separate" => apart = true,
            "--busy" => busy = true,
            "--kind" => kinds.push(rest.next().context(USAGE)?),
            "--pairs" => pairs = rest.next().context(USAGE)?.parse().context(USAGE)?,
            "--planted" => planted = rest.next().context(USAGE)?.parse().context(USAGE)?,
            "--runs" => runs = (*rest.next().context(USAGE)?).to_owned(),
            "--for" => {
                time = Duration::from_secs(rest.next().context(USAGE)?.parse().context(USAGE)?)
            }
            name if SUBJECTS.iter().any(|subject| subject.name == name) => names.push(name),
            other => bail!("{other}? {USAGE}"),
        }
    }
    let begun = Instant::now();
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let name = if apart { "gate" } else { "gate-in-turn" };
    let store =
        shell::root().join(format!("target/bench/{name}{}", if busy { "-busy" } else { "" }));
    let _load = busy.then(|| Load::start(1)).transpose()?;
    fs::create_dir_all(store.parent().unwrap_or(Path::new(".")))?;
    let mut made: BTreeMap<&str, Made> = BTreeMap::new();
    for pair in 0..pairs {
        for subject in SUBJECTS.iter().filter(|subject| match &names[..] {
            [] => subject.name == subject.program,
            names => names.contains(&subject.name),
        }) {
            let missing = |kind: &str| {
                Ok::<_, anyhow::Error>(outcomes(&store, subject.name, kind)?.len() <= pair)
            };
            // Whether there is a base of this pair that all kinds share.
            let mut recorded = false;
            for (kind, breaks) in KINDS {
                if *breaks && pair >= planted || !kinds.is_empty() && !kinds.contains(kind) {
                    continue;
                }
                if begun.elapsed() >= time || !missing(kind)? {
                    continue;
                }
                if !made.contains_key(subject.name) {
                    let plain = subject.class_path(folder.path())?;
                    let tenth = subject.tenth(&plain, folder.path())?;
                    let class_path = subject.rewrite(&plain, folder.path())?;
                    let place = folder.path().join("edited");
                    let edited = subject.edited_class_path(tenth, &place)?;
                    let edited = subject.rewrite(&edited, &place)?;
                    made.insert(subject.name, Made { class_path, edited, tenth });
                }
                let file = |name: &str| folder.path().join(name);
                let (old, new) = (file("base.jfp"), file("new.jfp"));
                let made = &made[subject.name];
                if !apart {
                    subject.record(made, &runs, kind, folder.path(), &new, Some(&old))?;
                } else {
                    if !recorded {
                        subject.record(made, &runs, "", folder.path(), &old, None)?;
                        recorded = true;
                    }
                    subject.record(made, &runs, kind, folder.path(), &new, None)?;
                }
                let mut gate = Command::new(shell::jfathom()?);
                gate.arg("gate").arg(&old).arg(&new).args([
                    "--max",
                    "calls=+0%",
                    "--max",
                    "time=+5%",
                ]);
                let output = gate.output()?;
                let code = output.status.code().unwrap_or(-1);
                eprint!(
                    "{} {kind}: {code}\n{}",
                    subject.name,
                    String::from_utf8_lossy(&output.stdout)
                );
                let mut file = OpenOptions::new().create(true).append(true).open(&store)?;
                writeln!(file, "{} {kind} {code}", subject.name)?;
            }
        }
    }
    println!("| program | new side | pairs | broken | goal |\n|---|---|---|---|---|");
    for subject in SUBJECTS {
        for (kind, breaks) in KINDS {
            let codes = outcomes(&store, subject.name, kind)?;
            let broken = codes.iter().filter(|code| **code == 1).count();
            let goal = if *breaks { "all" } else { "none" };
            println!("| {} | {kind} | {} | {broken} | {goal} |", subject.name, codes.len());
        }
    }
    Ok(())
}

/// Where the drivers' sources are.
fn sources() -> PathBuf {
    shell::root().join("xtask/src/bench/comparison/gate")
}

/// The gate's exit codes so far.
fn outcomes(store: &Path, name: &str, kind: &str) -> Result<Vec<i32>> {
    let text = if store.exists() { fs::read_to_string(store)? } else { String::new() };
    let key = format!("{name} {kind} ");
    Ok(text.lines().filter_map(|line| line.strip_prefix(&key)?.parse().ok()).collect())
}

/// A rewritten program.
struct Made {
    class_path: Vec<PathBuf>,
    /// With a method that was edited to take a tenth longer.
    edited: Vec<PathBuf>,
    /// A tenth of its root's time in uninstrumented runs.
    tenth: Duration,
}

impl Subject {
    /// A tenth of the median time of the root in uninstrumented runs.
    fn tenth(&self, class_path: &[PathBuf], folder: &Path) -> Result<Duration> {
        let mut found = Vec::new();
        for _ in 0..PLAIN_RUNS {
            let text =
                self.program(&mut Command::new(java::main()?.tool("java")), class_path, folder)?;
            let nanos = text
                .lines()
                .find_map(|line| line.strip_prefix("ROOT_NS "))
                .context("no ROOT_NS")?;
            found.push(nanos.trim().parse()?);
        }
        Ok(Duration::from_nanos((median(found) / 10.0) as u64))
    }

    /// The class path as it is: the driver's classes first.
    pub fn class_path(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        self.class_path_with(&sources().join("Plant.java"), folder)
    }

    /// The class path with an edited method in it that takes so much longer.
    fn edited_class_path(&self, longer: Duration, folder: &Path) -> Result<Vec<PathBuf>> {
        fs::create_dir_all(folder)?;
        let text = fs::read_to_string(sources().join("Plant.java"))?;
        let edited =
            text.replace("EDITED_NANOS = 0", &format!("EDITED_NANOS = {}L", longer.as_nanos()));
        if edited == text {
            bail!("Plant.java has no EDITED_NANOS to replace");
        }
        let plant = folder.join("Plant.java");
        fs::write(&plant, edited)?;
        self.class_path_with(&plant, folder)
    }

    fn class_path_with(&self, plant: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
        let jars = programs::class_path(self.program)?;
        let classes = folder.join(format!("{}-classes", self.name));
        let mut javac = Command::new(java::main()?.tool("javac"));
        javac.args(["-nowarn", "-cp"]).arg(std::env::join_paths(&jars)?).arg("-d").arg(&classes);
        let driver = sources().join(format!("{}.java", self.driver));
        shell::output(javac.args([plant, &driver]))?;
        Ok([classes].into_iter().chain(jars).collect())
    }

    /// That class path rewritten.
    pub fn rewrite(&self, class_path: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>> {
        let out = folder.join(format!("{}-out", self.name));
        let mut rewrite = Command::new(shell::jfathom()?);
        rewrite.arg("rewrite").args(class_path).args(["--libraries=off", "-q", "-o"]).arg(&out);
        shell::output(rewrite.arg("--root").arg(format!("{}::run", self.driver)))?;
        Ok(class_path.iter().map(|path| out.join(path.file_name().unwrap_or_default())).collect())
    }

    /// Records the program with something planted. Its runs are interleaved with those of the
    /// program as it is, where a file for these is named.
    fn record(
        &self,
        made: &Made,
        runs: &str,
        kind: &str,
        folder: &Path,
        file: &Path,
        base: Option<&Path>,
    ) -> Result<()> {
        let java = |kind: &str| -> Result<Vec<OsString>> {
            let mut java = Command::new(java::main()?.tool("java"));
            let class_path = if kind == "edited" { &made.edited } else { &made.class_path };
            java.arg(match kind {
                "slow" => format!("-Dplant.nanos={}", made.tenth.as_nanos()),
                _ => format!("-Dplant={kind}"),
            });
            self.arguments(&mut java, class_path, folder)?;
            Ok(std::iter::once(java.get_program())
                .chain(java.get_args())
                .map(OsString::from)
                .collect())
        };
        let mut command = Command::new(shell::jfathom()?);
        command.args(["record", "--force", "-q", "--runs", runs, "-o"]).arg(file);
        if let Some(base) = base {
            let words = java("")?;
            let words = words
                .iter()
                .map(|word| format!("'{}'", word.to_string_lossy().replace('\'', "'\\''")));
            let words = words.collect::<Vec<_>>().join(" ");
            command.arg("--baseline").arg(format!("{}={words}", base.display()));
        }
        shell::output(command.arg("--").args(java(kind)?))?;
        Ok(())
    }

    /// Runs the driver by this `java`; what it prints.
    pub fn program(
        &self,
        java: &mut Command,
        class_path: &[PathBuf],
        folder: &Path,
    ) -> Result<String> {
        self.arguments(java, class_path, folder)?;
        shell::output(java)
    }

    /// Adds class path, driver and arguments.
    pub fn arguments(
        &self,
        java: &mut Command,
        class_path: &[PathBuf],
        folder: &Path,
    ) -> Result<()> {
        java.arg("-cp").arg(std::env::join_paths(class_path)?).arg(self.driver);
        match self.driver {
            "Sat" => java.arg(self.work),
            "Index" => {
                java.arg(programs::store().join("in/jdk/java.base/java/util")).arg(self.work)
            }
            _ => java
                .arg(self.work)
                .args(["-17", "-nowarn", "-proc:none", "-d"])
                .arg(folder.join("classes"))
                .arg(shell::folder("JFATHOM_LOGGING_SOURCES", "java.logging's sources")?),
        };
        Ok(())
    }
}
