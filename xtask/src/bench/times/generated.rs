//! How often the bar of a root holds the uninstrumented program's time, on programs drawn by a
//! seed.
//!
//! Each program runs plain some times and is recorded once, with default options, on each JVM. The
//! number of rounds is chosen by uninstrumented runs, so that the root takes as long as was drawn.
//! Profiles and lines are kept below `target/bench`, so that the job can be cut and goes on where
//! it was.

use crate::bench::{
    busy::Load,
    generator::{self, Program},
    measure::median,
};
use crate::{
    java::{self, Jdk},
    shell,
};
use anyhow::{Context, Result, bail};
use std::{
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

const USAGE: &str = "bench coverage --generated [FAMILY…] [--seed N] [--programs K] [--plain N] \
                     [--busy] [--for SECONDS] [--java-home DIR…]";

struct Options<'a> {
    families: Vec<&'a str>,
    seed: u64,
    programs: usize,
    plain: usize,
    busy: bool,
    time: Duration,
    /// Instead of 17 and 25.
    homes: Vec<&'a str>,
}

/// Makes the runs that are missing, for as long as it may take, and prints what there is.
pub fn run(rest: &[&str]) -> Result<()> {
    let options = options(rest)?;
    let families = generator::families(&options.families)?;
    let programs = generator::programs(&families, options.seed, options.programs);
    let load = if options.busy { ", beside one busy loop" } else { "" };
    println!(
        "Seed {}, {} programs, {} uninstrumented runs and one recording of each{load}.\n",
        options.seed,
        programs.len(),
        options.plain
    );
    let busy = if options.busy { "-busy" } else { "" };
    let name = format!("generated-{}{busy}", options.seed);
    let folder = shell::target().join("bench").join(name);
    fs::create_dir_all(&folder)?;
    let job = Job { folder, jfathom: shell::jfathom()?, plain: options.plain };
    let jdks = match options.homes.is_empty() {
        true => java::main_and_25()?,
        false => java::at(&options.homes)?,
    };
    let javac = java::main()?.tool("javac");
    let begun = Instant::now();
    let is_late = || begun.elapsed() >= options.time;
    for program in programs.iter().filter(|program| !job.source(program).exists()) {
        job.prepare(&javac, program)?;
    }
    let _load = options.busy.then(|| Load::start(1)).transpose()?;
    for (program, jdk) in
        programs.iter().flat_map(|program| jdks.iter().map(move |jdk| (program, jdk)))
    {
        if is_late() {
            break;
        }
        if !job.line(program, jdk).exists() {
            job.measure(program, jdk)?;
        }
    }
    print(&job, &programs, &jdks)
}

fn options<'a>(rest: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options {
        families: Vec::new(),
        seed: 0,
        programs: 9,
        plain: 3,
        busy: false,
        time: Duration::MAX,
        homes: Vec::new(),
    };
    let mut seed = None;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let mut number = || rest.next().context(USAGE)?.parse::<u64>().context(USAGE);
        match *word {
            "--seed" => seed = Some(number()?),
            "--programs" => options.programs = number()?.try_into()?,
            "--plain" => options.plain = number()?.try_into()?,
            "--for" => options.time = Duration::from_secs(number()?),
            "--java-home" => options.homes.push(rest.next().context(USAGE)?),
            "--busy" => options.busy = true,
            other if other.starts_with('-') => bail!("{other}? {USAGE}"),
            family => options.families.push(family),
        }
    }
    options.seed = match seed {
        Some(seed) => seed,
        None => std::time::UNIX_EPOCH.elapsed()?.as_nanos() as u64 % 1_000_000,
    };
    Ok(options)
}

struct Job {
    folder: PathBuf,
    jfathom: PathBuf,
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
    fn prepare(&self, javac: &Path, program: &Program) -> Result<()> {
        let source = self.source(program);
        let unfinished = source.with_extension("new");
        let begun = unfinished.join(format!("{}.java", program.class));
        fs::create_dir_all(&unfinished)?;
        fs::write(&begun, &program.source)?;
        let plain = self.classes(program, "plain");
        shell::output(
            Command::new(javac).args(["-nowarn", "--release", "11", "-d"]).arg(&plain).arg(&begun),
        )?;
        let root = format!("{}::run", program.class);
        let mut rewrite = Command::new(&self.jfathom);
        rewrite.arg("rewrite").arg(&plain).args(["--force", "-q", "--root", &root, "-o"]);
        shell::output(rewrite.arg(self.classes(program, "out")))?;
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
        let mut java = Command::new(jdk.tool("java"));
        java.arg("-cp").arg(self.classes(program, "plain"));
        Run::of(java.arg(&program.class).arg(rounds.to_string()))
    }

    /// Runs a program plain and recorded, and writes what came out as one line.
    fn measure(&self, program: &Program, jdk: &Jdk) -> Result<()> {
        let rounds = self.rounds(program, jdk)?;
        let mut plain = Vec::new();
        for _ in 0..self.plain {
            plain.push(self.plain(program, jdk, rounds)?);
        }
        let mut record = Command::new(&self.jfathom);
        record.args(["record", "--force", "-q", "-o"]).arg(self.profile(program, jdk));
        // `rewrite` makes a folder of the same name in its output.
        let classes = self.classes(program, "out").join(format!("{}-plain", program.class));
        record.arg("--").arg(jdk.tool("java")).arg("-cp").arg(classes);
        let recorded = Run::of(record.arg(&program.class).arg(rounds.to_string()))?;
        if plain.iter().any(|run| run.checksum != recorded.checksum) {
            bail!("{}: the recorded program computed something else", program.class);
        }
        let millis: Vec<String> = plain.iter().map(|run| format!("{:.3}", run.millis)).collect();
        let mut file =
            OpenOptions::new().create(true).append(true).open(self.line(program, jdk))?;
        Ok(writeln!(file, "{rounds} {}", millis.join(" "))?)
    }
}

struct Run {
    millis: f64,
    checksum: String,
}

impl Run {
    fn of(command: &mut Command) -> Result<Self> {
        let text = shell::output(command)?;
        let after = |name: &str| {
            let mut words = text.split_whitespace().skip_while(|word| *word != name).skip(1);
            words.next().with_context(|| format!("no {name} in {text}"))
        };
        Ok(Self {
            millis: after("ROOT_NS")?.parse::<f64>()? / 1e6,
            checksum: after("CHECKSUM")?.to_owned(),
        })
    }
}

/// A program's recording beside its uninstrumented runs; bars in percent.
struct Row {
    family: &'static str,
    jvm: u32,
    bar: f64,
    node_bar: Option<f64>,
    is_inside: bool,
}

fn print(job: &Job, programs: &[Program], jdks: &[Jdk]) -> Result<()> {
    println!(
        "| program | JVM | rounds | plain ms | scatter | root ms | error | bar | inside | nodes' bar |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    let mut rows = Vec::new();
    for (program, jdk) in
        programs.iter().flat_map(|program| jdks.iter().map(move |jdk| (program, jdk)))
    {
        let line = job.line(program, jdk);
        if !line.exists() {
            continue;
        }
        let text = fs::read_to_string(line)?;
        let mut words = text.split_whitespace();
        let rounds = words.next().unwrap_or_default();
        let plain: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        let spread = plain.iter().copied().fold(0.0, f64::max)
            - plain.iter().copied().fold(f64::INFINITY, f64::min);
        let truth = median(plain);
        let Found { root, bar, node_bar } = Found::of(&job.profile(program, jdk))?;
        let is_inside = (root - truth).abs() <= bar;
        let percent = |value: f64| value * 100.0 / truth;
        println!(
            "| {} | {} | {rounds} | {truth:.1} | {:.0} % | {root:.1} | {:+.0} % | {:.0} % | {} | {} |",
            program.class,
            jdk.version,
            percent(spread),
            percent(root - truth),
            percent(bar),
            if is_inside { "yes" } else { "**no**" },
            node_bar.map_or("–".to_owned(), |bar| format!("{bar:.0} %")),
        );
        let bar = percent(bar);
        rows.push(Row { family: program.family, jvm: jdk.version, bar, node_bar, is_inside });
    }
    println!(
        "\n| family | JVM | inside | median bar | median bar of nodes above 5 % |\n|---|---|---|---|---|"
    );
    let mut families: Vec<&str> = rows.iter().map(|row| row.family).collect();
    families.sort_unstable();
    families.dedup();
    for jdk in jdks {
        for family in families.iter().map(|family| Some(*family)).chain([None]) {
            let of_family = |row: &&Row| family.is_none_or(|family| row.family == family);
            let found = rows.iter().filter(|row| row.jvm == jdk.version).filter(of_family);
            summarize(family.unwrap_or("all"), jdk, &found.collect::<Vec<_>>());
        }
    }
    Ok(())
}

fn summarize(family: &str, jdk: &Jdk, rows: &[&Row]) {
    if rows.is_empty() {
        return;
    }
    let inside = rows.iter().filter(|row| row.is_inside).count();
    let nodes = median(rows.iter().filter_map(|row| row.node_bar).collect());
    println!(
        "| {family} | {} | {inside} of {} | {:.0} % | {nodes:.0} % |",
        jdk.version,
        rows.len(),
        median(rows.iter().map(|row| row.bar).collect())
    );
}

/// What a profile says; times in milliseconds.
struct Found {
    root: f64,
    bar: f64,
    /// The median bar of the nodes above 5 % of the root, in percent of their time.
    node_bar: Option<f64>,
}

impl Found {
    fn of(profile: &Path) -> Result<Self> {
        let mut example = crate::bench::example("jfathom-calibration", "root_bar");
        let text = shell::output(example.arg(profile))?;
        let numbers: Vec<f64> =
            text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [root, bar, node_bar, ..] = numbers[..] else { bail!("{text}") };
        Ok(Self { root, bar, node_bar: (!node_bar.is_nan()).then_some(node_bar) })
    }
}
