//! How often the bar of a root holds the uninstrumented program's time, on programs drawn by a
//! seed.
//!
//! Each program runs plain some times and is recorded once, with default options, on each JVM. The
//! number of rounds is chosen by uninstrumented runs, so that the root takes as long as was drawn.
//! Profiles and lines are kept below `target/bench`, so that the job can be cut and goes on where
//! it was.

use crate::{
    busy::Load,
    corrected::Corrected,
    generator::{self, Program},
    jfathom::Jfathom,
    kept, shell,
    small::millis,
    statistics::{least, median, most},
    table,
};
use anyhow::{Context, Result, ensure};
use jfathom_testkit::{Javac, Jdk, jdk};
use std::{
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

#[derive(clap::Args)]
pub struct Options {
    /// Draws programs; random without
    #[arg(long)]
    seed: Option<u64>,
    #[arg(long, default_value_t = 9)]
    programs: usize,
    /// Uninstrumented runs of each
    #[arg(long, default_value_t = 3)]
    plain: usize,
    /// Beside a busy loop
    #[arg(long)]
    busy: bool,
    /// For how many seconds
    #[arg(long = "for", default_value_t = u64::MAX)]
    seconds: u64,
    /// All that compute without; `waiting` are all that wait
    families: Vec<String>,
}

/// Makes the runs that are missing, for as long as it may take, and prints what there is.
pub fn run(options: &Options) -> Result<()> {
    let begun = Instant::now();
    let seed = match options.seed {
        Some(seed) => seed,
        None => std::time::UNIX_EPOCH.elapsed()?.as_nanos() as u64 % 1_000_000,
    };
    let families = generator::families(&options.families)?;
    let programs = generator::programs(&families, seed, options.programs);
    let (busy, load) = if options.busy { ("-busy", ", beside one busy loop") } else { ("", "") };
    println!(
        "Seed {seed}, {} programs, {} uninstrumented runs and one recording of each{load}.\n",
        programs.len(),
        options.plain
    );
    let folder = kept::folder().join(format!("generated-{seed}{busy}"));
    fs::create_dir_all(&folder)?;
    let job = Job { folder, jfathom: Jfathom::find()?, plain: options.plain };
    for program in programs.iter().filter(|program| !job.source(program).exists()) {
        job.prepare(program)?;
    }
    let _load = options.busy.then(|| Load::start(1)).transpose()?;
    let jdks = jdk::main_and_25("coverage");
    for program in &programs {
        for jdk in &jdks {
            let is_late = begun.elapsed() >= Duration::from_secs(options.seconds);
            if !is_late && !job.line(program, jdk).exists() {
                job.measure(program, jdk)?;
            }
        }
    }
    print(&job, &programs, &jdks)
}

struct Job {
    folder: PathBuf,
    jfathom: Jfathom,
    plain: usize,
}

impl Job {
    fn source(&self, program: &Program) -> PathBuf {
        self.folder.join(format!("{}.java", program.class))
    }

    fn classes(&self, program: &Program, kind: &str) -> PathBuf {
        self.folder.join(format!("{}-{kind}", program.class))
    }

    fn line(&self, program: &Program, jdk: &Jdk) -> PathBuf {
        self.folder.join(format!("{}-{}.txt", program.class, jdk.version))
    }

    fn profile(&self, program: &Program, jdk: &Jdk) -> PathBuf {
        self.line(program, jdk).with_extension("jfp")
    }

    /// Compiles a program for Java 11, and rewrites it.
    fn prepare(&self, program: &Program) -> Result<()> {
        let source = self.source(program);
        let unfinished = source.with_extension("new");
        let begun = unfinished.join(format!("{}.java", program.class));
        fs::create_dir_all(&unfinished)?;
        fs::write(&begun, &program.source)?;
        let plain = self.classes(program, "plain");
        Javac::release(11).compile(std::slice::from_ref(&begun), &plain);
        let root = format!("{}::run", program.class);
        self.jfathom.rewrite([&plain], &self.classes(program, "out"), &["--root", &root])?;
        fs::rename(&begun, &source)?;
        Ok(fs::remove_dir_all(&unfinished)?)
    }

    /// The number of rounds with which the plain root takes about as long as was drawn.
    fn rounds(&self, program: &Program, jdk: &Jdk) -> Result<u64> {
        let mut rounds = 1;
        for _ in 0..8 {
            let millis = self.plain(program, jdk, rounds)?.millis;
            let factor = program.aim_millis / millis;
            if (0.7..1.4).contains(&factor) {
                break;
            }
            rounds = ((rounds as f64 * factor.min(100.0)).round() as u64).max(1);
            if rounds == 1 && factor < 1.0 {
                break;
            }
        }
        Ok(rounds)
    }

    fn plain(&self, program: &Program, jdk: &Jdk, rounds: u64) -> Result<Run> {
        let mut java = Command::new(jdk.java());
        java.arg("-cp").arg(self.classes(program, "plain"));
        Run::of(java.arg(&program.class).arg(rounds.to_string()))
    }

    /// Runs a program plain and recorded, and writes what came out as one line.
    fn measure(&self, program: &Program, jdk: &Jdk) -> Result<()> {
        let rounds = self.rounds(program, jdk)?;
        let plain = (0..self.plain).map(|_| self.plain(program, jdk, rounds));
        let plain = plain.collect::<Result<Vec<_>>>()?;
        let mut record = self.jfathom.record(&self.profile(program, jdk), &[]);
        // `rewrite` makes a folder of the same name in its output.
        let classes = self.classes(program, "out").join(format!("{}-plain", program.class));
        record.arg(jdk.java()).arg("-cp").arg(classes);
        let recorded = Run::of(record.arg(&program.class).arg(rounds.to_string()))?;
        let is_same = plain.iter().all(|run| run.checksum == recorded.checksum);
        ensure!(is_same, "{}: the recorded program computed something else", program.class);
        let millis: Vec<String> = plain.iter().map(|run| format!("{:.3}", run.millis)).collect();
        Ok(fs::write(self.line(program, jdk), format!("{rounds} {}\n", millis.join(" ")))?)
    }
}

struct Run {
    millis: f64,
    checksum: String,
}

impl Run {
    fn of(command: &mut Command) -> Result<Self> {
        let text = shell::output(command)?;
        let checksum = text.trim_end().rsplit_once("CHECKSUM ").context("no CHECKSUM")?.1;
        Ok(Self { millis: millis(&text, "ROOT_NS")?, checksum: checksum.to_owned() })
    }
}

/// A program's recording beside its uninstrumented runs; bars in percent.
struct Row {
    family: &'static str,
    jvm: u32,
    bar: f64,
    node_bar: f64,
    is_inside: bool,
}

fn print(job: &Job, programs: &[Program], jdks: &[&Jdk]) -> Result<()> {
    table::head(
        "program | JVM | rounds | plain ms | scatter | root ms | error | bar | inside | nodes' bar",
    );
    let mut rows = Vec::new();
    for program in programs {
        for jdk in jdks.iter().filter(|jdk| job.line(program, jdk).exists()) {
            rows.push(row(job, program, jdk)?);
        }
    }
    println!();
    table::head("family | JVM | inside | median bar | median bar of nodes above 5 %");
    let mut families: Vec<&str> = rows.iter().map(|row| row.family).collect();
    families.sort_unstable();
    families.dedup();
    for jdk in jdks {
        for family in families.iter().map(|family| Some(*family)).chain([None]) {
            let rows: Vec<&Row> = rows
                .iter()
                .filter(|row| row.jvm == jdk.version)
                .filter(|row| family.is_none_or(|family| row.family == family))
                .collect();
            if !rows.is_empty() {
                println!(
                    "| {} | {} | {} of {} | {:.0} % | {:.0} % |",
                    family.unwrap_or("all"),
                    jdk.version,
                    rows.iter().filter(|row| row.is_inside).count(),
                    rows.len(),
                    median(rows.iter().map(|row| row.bar)),
                    median(rows.iter().map(|row| row.node_bar).filter(|bar| !bar.is_nan())),
                );
            }
        }
    }
    Ok(())
}

/// Prints the row of a program's recording.
fn row(job: &Job, program: &Program, jdk: &Jdk) -> Result<Row> {
    let text = fs::read_to_string(job.line(program, jdk))?;
    let mut words = text.split_whitespace();
    let rounds = words.next().unwrap_or_default();
    let plain: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let scatter = most(&plain) - least(&plain);
    let truth = median(plain);
    let found = Corrected::read(&job.profile(program, jdk))?;
    let is_inside = found.holds(truth);
    let percent = |value: f64| value * 100.0 / truth;
    println!(
        "| {} | {} | {rounds} | {truth:.1} | {:.0} % | {:.1} | {:+.0} % | {:.0} % | {} | {:.0} % |",
        program.class,
        jdk.version,
        percent(scatter),
        found.time,
        percent(found.time - truth),
        percent(found.bar),
        if is_inside { "yes" } else { "**no**" },
        found.node_bar,
    );
    let (family, jvm, bar) = (program.family, jdk.version, percent(found.bar));
    Ok(Row { family, jvm, bar, node_bar: found.node_bar, is_inside })
}
