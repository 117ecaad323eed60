//! `live`: how soon a root is live, what a live recording costs ECJ, and what is left of it
//! afterwards. `cycles`: what attachments to one JVM leave.

mod attached;
pub mod cycles;

use crate::{
    corpus::Corpus,
    ecj::{self, Ecj},
    slowdown,
    spent::Spent,
    statistics::{least, median, most},
    table,
    totals::{self, Totals},
};
use anyhow::{Result, ensure};
use attached::{Attached, Rounds};
use jfathom_testkit::{Jdk, jdk};
use jfathom_tests::live::Lines;
use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const RUNS: usize = 5;

/// All tables.
pub fn run() -> Result<()> {
    let corpus = Corpus::find()?;
    let bench = Bench { ecj: Ecj::find(&corpus)?, corpus };
    let jdks = jdk::main_and_25("live");
    table::head(&format!("root live after | JVM | s, median of {RUNS} | least | most | goal"));
    for jdk in &jdks {
        bench.spawned(jdk)?;
        bench.attached(jdk)?;
    }
    println!();
    table::head(&format!(
        "ECJ | JVM | plain s | live s | ratio (goal 3) | plain CPU s | live CPU s | {}",
        totals::COLUMNS
    ));
    for jdk in &jdks {
        for scheme in ["lazy", "eager", "total"] {
            bench.ecj(jdk, scheme)?;
        }
    }
    println!();
    table::head(
        "rounds in one JVM | JVM | before ms | while recorded ms | after ms | after / before | the same without a recording",
    );
    for jdk in &jdks {
        bench.afterwards(jdk)?;
    }
    Ok(())
}

struct Bench {
    corpus: Corpus,
    ecj: Ecj,
}

impl Bench {
    fn record(&self, jdk: &Jdk, scheme: &str, folder: &Path) -> Command {
        let (root, session) = (format!("{}::main", ecj::MAIN), folder.join("session"));
        let session = format!("--tune=session={}", session.display());
        let options = ["--tune=session-files=keep", &session];
        let options = [&options[..], &["--scheme", scheme, "--root", &root]].concat();
        let mut command = self.corpus.jfathom.record(&folder.join("ecj.jfp"), &options);
        command.arg(jdk.java());
        self.ecj.compile(command, &self.ecj.jar, &folder.join("out"))
    }

    /// From the start of `jfathom record -- java …` until the root has its probes.
    fn spawned(&self, jdk: &Jdk) -> Result<()> {
        let mut cold = Vec::new();
        let mut warm = Vec::new();
        for _ in 0..RUNS {
            let cache = tempfile::tempdir()?;
            for times in [&mut cold, &mut warm] {
                let folder = tempfile::tempdir()?;
                let mut command = self.record(jdk, "lazy", folder.path());
                command.env("XDG_CACHE_HOME", cache.path()).stdout(Stdio::null());
                let start = Instant::now();
                let mut child = command.spawn()?;
                let session = folder.path().join("session");
                attached::until(&mut child, &session, "a root is live", is_live)?;
                times.push(start.elapsed().as_secs_f64());
                child.wait()?;
            }
        }
        row("spawn, cold index", jdk, &cold, "0.5");
        row("spawn, warm index", jdk, &warm, "0.15");
        Ok(())
    }

    /// From the start of `jfathom record -p` until the first call inside the root has been seen.
    fn attached(&self, jdk: &Jdk) -> Result<()> {
        let (mut live, mut called) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            let folder = tempfile::tempdir()?;
            let out = folder.path().join("out");
            let mut command = self.ecj.compile(Command::new(jdk.java()), &self.ecj.jar, &out);
            // Again and again, until it is killed.
            command.args(["-repeat", "1000"]).stdout(Stdio::null()).stderr(Stdio::null());
            let jvm = Killed(command.spawn()?);
            thread::sleep(Duration::from_millis(1500));
            let start = Instant::now();
            let root = "org.eclipse.jdt.internal.compiler.parser.Parser::parse";
            let options = ["--root", root, "--tune=calibrate=off"];
            let jfathom = &self.corpus.jfathom;
            let mut recording = Attached::start(jfathom, jvm.0.id(), &options, folder.path())?;
            recording.until("a root is live", is_live)?;
            live.push(start.elapsed().as_secs_f64());
            recording.until("the first call", |lines| {
                let is_root = |line: &&serde_json::Value| line["root"]["state"] != "live";
                lines.0.iter().skip_while(is_root).any(|line| line.get("class").is_some())
            })?;
            called.push(start.elapsed().as_secs_f64());
            recording.end()?;
        }
        row("attach to ecj", jdk, &live, "");
        row("attach to ecj, first call inside", jdk, &called, "0.5");
        Ok(())
    }

    fn ecj(&self, jdk: &Jdk, scheme: &str) -> Result<()> {
        let (mut plain, mut recorded) = (Vec::new(), Vec::new());
        let mut totals = Totals::default();
        for _ in 0..3 {
            let folder = tempfile::tempdir()?;
            let (java, out) = (Command::new(jdk.java()), folder.path().join("out"));
            plain.push(Spent::by(&mut self.ecj.compile(java, &self.ecj.jar, &out))?.0);
            recorded.push(Spent::by(&mut self.record(jdk, scheme, folder.path()))?.0);
            totals = Totals::read(&folder.path().join("session"))?;
        }
        let times = slowdown::pair(&plain, &recorded);
        println!("| {scheme} | {} | {times} | {} |", jdk.version, totals.cells());
        Ok(())
    }

    /// The speed of the same rounds before, during and after a recording; and without one, after as
    /// many rounds.
    fn afterwards(&self, jdk: &Jdk) -> Result<()> {
        const WARM_UP: usize = 400;
        const ROUNDS: usize = 200;
        let folder = tempfile::tempdir()?;
        let classes = attached::compile(folder.path());
        let (mut ratios, mut control) = (Vec::new(), Vec::new());
        let (mut befores, mut durings, mut afters) = (Vec::new(), Vec::new(), Vec::new());
        for run in 0..RUNS {
            for recorded in [true, false] {
                let jvm = Rounds::start(jdk, &[], &classes, &["400"])?;
                jvm.next(WARM_UP)?;
                let before = median(jvm.next(ROUNDS)?);
                if recorded {
                    let place = folder.path().join(format!("{run}"));
                    fs::create_dir_all(&place)?;
                    let (jfathom, options) = (&self.corpus.jfathom, ["--root", "Rounds::root"]);
                    let mut recording = Attached::start(jfathom, jvm.pid, &options, &place)?;
                    recording.until("a root is live", is_live)?;
                    durings.push(median(jvm.next(ROUNDS / 4)?) / 1e6);
                    recording.end()?;
                }
                jvm.next(WARM_UP)?;
                let after = median(jvm.next(ROUNDS)?);
                if recorded {
                    befores.push(before / 1e6);
                    afters.push(after / 1e6);
                    ratios.push(after / before);
                } else {
                    control.push(after / before);
                }
            }
        }
        let medians = [befores, durings, afters, ratios, control].map(median);
        let medians = medians.map(|median| format!("{median:.3}")).join(" | ");
        println!("| Rounds | {} | {medians} |", jdk.version);
        Ok(())
    }
}

/// Whether a root is live.
fn is_live(lines: &Lines) -> bool {
    lines.root_is("live")
}

/// A process that is killed at the end.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Killed {
    /// Waits for its end, which must be a good one.
    fn ends_well(mut self) -> Result<()> {
        let status = self.0.wait()?;
        ensure!(status.success(), "the recording ended with {status}");
        Ok(())
    }
}

fn row(what: &str, jdk: &Jdk, seconds: &[f64], goal: &str) {
    println!(
        "| {what} | {} | {:.3} | {:.3} | {:.3} | {goal} |",
        jdk.version,
        median(seconds.iter().copied()),
        least(seconds),
        most(seconds)
    );
}
