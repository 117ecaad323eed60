//! How often a gate breaks between equal builds of real programs, and with something planted in the
//! new one: a call for each item, or a root that is longer by a tenth of what it takes in the plain
//! program, by a method that is the same or by one that was edited.
//!
//! One command records both sides of a pair in interleaved runs.

use crate::{
    busy::Load,
    corpus::Corpus,
    jfathom::Jfathom,
    kept::Kept,
    shell,
    small::millis,
    statistics::median,
    subject::{self, ClassPath, SUBJECTS, Subject},
    table,
};
use anyhow::{Result, ensure};
use jfathom_testkit::jdk;
use std::{
    collections::BTreeMap,
    fs,
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;

#[derive(clap::Args)]
pub struct Options {
    /// Beside a busy loop
    #[arg(long)]
    busy: bool,
    /// What is in the new side; all without
    #[arg(long = "kind", value_parser = KINDS.map(|(kind, _)| kind))]
    kinds: Vec<String>,
    #[arg(long, default_value_t = 7)]
    pairs: usize,
    /// Runs of each side
    #[arg(long, default_value = "10")]
    runs: String,
    /// For how many seconds
    #[arg(long = "for", default_value_t = u64::MAX)]
    seconds: u64,
    /// Those with a time of a second or so without
    subjects: Vec<String>,
}

/// Runs of the uninstrumented program that say how long its root takes.
const PLAIN_RUNS: usize = 5;
/// What is in the new side, and whether the gate has to break.
const KINDS: [(&str, bool); 4] =
    [("equal", false), ("slow", true), ("edited", true), ("call", true)];

/// Records the pairs that are missing, for as long as it may take, and prints what there is.
pub fn run(options: &Options) -> Result<()> {
    let begun = Instant::now();
    let bench = Bench { corpus: Corpus::find()?, folder: tempfile::tempdir()? };
    let kept = Kept::open(if options.busy { "gate-busy" } else { "gate" })?;
    let _load = options.busy.then(|| Load::start(1)).transpose()?;
    let is_asked =
        |kind: &str| options.kinds.is_empty() || options.kinds.iter().any(|asked| asked == kind);
    let mut made: BTreeMap<&str, Made> = BTreeMap::new();
    for pair in 0..options.pairs {
        for subject in subject::chosen(&options.subjects) {
            for (kind, _) in KINDS.iter().filter(|(kind, _)| is_asked(kind)) {
                if begun.elapsed() >= Duration::from_secs(options.seconds)
                    || codes(&kept, subject, kind)?.len() > pair
                {
                    continue;
                }
                if !made.contains_key(subject.name) {
                    made.insert(subject.name, bench.make(subject)?);
                }
                let code = bench.pair(subject, &made[subject.name], &options.runs, kind)?;
                kept.add(&format!("{} {kind} {code}", subject.name))?;
            }
        }
    }
    table::head("program | new side | pairs | broken | goal");
    for subject in SUBJECTS {
        for (kind, breaks) in KINDS {
            let codes = codes(&kept, subject, kind)?;
            let broken = codes.iter().filter(|code| **code == 1).count();
            let goal = if breaks { "all" } else { "none" };
            println!("| {} | {kind} | {} | {broken} | {goal} |", subject.name, codes.len());
        }
    }
    Ok(())
}

/// The gate's exit codes so far.
fn codes(kept: &Kept, subject: &Subject, kind: &str) -> Result<Vec<i32>> {
    let key = format!("{} {kind} ", subject.name);
    let lines = kept.lines()?;
    Ok(lines.iter().filter_map(|line| line.strip_prefix(&key)?.parse().ok()).collect())
}

/// A rewritten program.
struct Made {
    class_path: ClassPath,
    /// With a method that was edited to take a tenth longer.
    edited: ClassPath,
    /// Nanoseconds: a tenth of its root's time in uninstrumented runs.
    tenth: u64,
}

struct Bench {
    corpus: Corpus,
    folder: TempDir,
}

impl Bench {
    fn make(&self, subject: &Subject) -> Result<Made> {
        let (corpus, folder) = (&self.corpus, self.folder.path());
        let jfathom: &Jfathom = &corpus.jfathom;
        let plain = subject.class_path(corpus, folder)?;
        let root = || {
            let mut java = Command::new(jdk::main().java());
            let text = shell::output(subject.arguments(corpus, &mut java, &plain, folder)?)?;
            millis(&text, "ROOT_NS")
        };
        let times = (0..PLAIN_RUNS).map(|_| root()).collect::<Result<Vec<_>>>()?;
        let tenth = (median(times) * 1e5) as u64;
        let class_path = subject.rewrite(jfathom, &plain, folder)?;
        let edited = folder.join(format!("{}-edited", subject.name));
        fs::create_dir_all(&edited)?;
        let plant = edited.join("Plant.java");
        fs::write(&plant, edited_plant(tenth)?)?;
        let edited_plain = subject.class_path_with(corpus, &plant, &edited)?;
        Ok(Made { class_path, edited: subject.rewrite(jfathom, &edited_plain, &edited)?, tenth })
    }

    /// Records a pair; the gate's exit code.
    fn pair(&self, subject: &Subject, made: &Made, runs: &str, kind: &str) -> Result<i32> {
        let (corpus, folder) = (&self.corpus, self.folder.path());
        let (old, new) = (folder.join("base.jfp"), folder.join("new.jfp"));
        let java = |kind: &str| -> Result<Vec<String>> {
            let mut java = Command::new(jdk::main().java());
            java.arg(match kind {
                "slow" => format!("-Dplant.nanos={}", made.tenth),
                _ => format!("-Dplant={kind}"),
            });
            let class_path = if kind == "edited" { &made.edited } else { &made.class_path };
            Ok(words(subject.arguments(corpus, &mut java, class_path, folder)?))
        };
        let base = shlex::try_join(java("")?.iter().map(String::as_str))?;
        let base = format!("{}={base}", old.display());
        let options = ["--runs", runs, "--baseline", &base];
        shell::output(corpus.jfathom.record(&new, &options).args(java(kind)?))?;
        let mut gate = corpus.jfathom.command();
        gate.arg("gate").args([&old, &new]).args(["--max", "calls=+0%", "--max", "time=+5%"]);
        let output = gate.output()?;
        let code = output.status.code().unwrap_or(-1);
        eprint!("{} {kind}: {code}\n{}", subject.name, String::from_utf8_lossy(&output.stdout));
        Ok(code)
    }
}

/// The words of a command.
fn words(command: &Command) -> Vec<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// `Plant.java` with an edited method in it that takes so many nanoseconds longer.
fn edited_plant(longer: u64) -> Result<String> {
    let text = fs::read_to_string(subject::sources().join("Plant.java"))?;
    let edited = text.replace("EDITED_NANOS = 0", &format!("EDITED_NANOS = {longer}L"));
    ensure!(edited != text, "Plant.java has no EDITED_NANOS to replace");
    Ok(edited)
}
