//! `bench live`: how soon a root is live, what a live recording costs ECJ, and what is left of it
//! afterwards. `bench cycles [N]`: what N attachments to one JVM leave.

mod cycles;
mod target;

use crate::bench::{measure::median, programs};
use crate::{java, java::Jdk, methods, shell};
use anyhow::{Context, Result};
pub use cycles::run as cycles;
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};
use target::{Attached, Rounds};

const RUNS: usize = 5;
const ECJ_MAIN: &str = "org.eclipse.jdt.internal.compiler.batch.Main";

/// All tables.
pub fn run() -> Result<()> {
    let bench = Bench::new()?;
    println!(
        "| root live after | JVM | s, median of {RUNS} | least | most | goal |\n|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        bench.spawned(&jdk)?;
        bench.attached(&jdk)?;
    }
    println!(
        "\n| ECJ | JVM | plain s | live s | ratio (goal 3) | plain CPU s | live CPU s | retransformations | of classes | a class | most of one (goal 2) | at load | late | failed |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        for scheme in ["lazy", "eager", "total"] {
            bench.ecj(&jdk, scheme)?;
        }
    }
    println!(
        "\n| rounds in one JVM | JVM | before ms | while recorded ms | after ms | after / before | the same without a recording |\n|---|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        bench.afterwards(&jdk)?;
    }
    Ok(())
}

struct Bench {
    jfathom: PathBuf,
    ecj: PathBuf,
    sources: PathBuf,
}

impl Bench {
    fn new() -> Result<Self> {
        let ecj = programs::jars()?
            .into_iter()
            .find(|program| program.name == "ecj")
            .context("no ecj")?;
        let sources = std::env::var_os("JFATHOM_LOGGING_SOURCES")
            .context("set JFATHOM_LOGGING_SOURCES to java.logging's sources")?;
        Ok(Self { jfathom: shell::jfathom()?, ecj: ecj.path, sources: sources.into() })
    }

    fn compile<'a>(&self, command: &'a mut Command, out: &Path) -> &'a mut Command {
        command.arg("-cp").arg(&self.ecj).arg(ECJ_MAIN);
        command.args(["-17", "-nowarn", "-proc:none", "-d"]).arg(out).arg(&self.sources)
    }

    fn record(&self, jdk: &Jdk, scheme: &str, folder: &Path, cache: Option<&Path>) -> Command {
        let mut command = Command::new(&self.jfathom);
        command.args([
            "record",
            "-q",
            "--force",
            "--tune=session-files=keep",
            "--scheme",
            scheme,
            "--root",
        ]);
        command.arg(format!("{ECJ_MAIN}::main")).arg("-o").arg(folder.join("ecj.jfp"));
        command.arg(format!("--tune=session={}", folder.join("session").display()));
        command.arg("--").arg(jdk.tool("java"));
        if let Some(cache) = cache {
            command.env("XDG_CACHE_HOME", cache);
        }
        self.compile(&mut command, &folder.join("out"));
        command
    }

    /// From the start of `jfathom record -- java …` until the root has its probes.
    fn spawned(&self, jdk: &Jdk) -> Result<()> {
        let mut cold = Vec::new();
        let mut warm = Vec::new();
        for _ in 0..RUNS {
            let cache = tempfile::tempdir()?;
            for times in [&mut cold, &mut warm] {
                let folder = tempfile::tempdir()?;
                let mut command = self.record(jdk, "lazy", folder.path(), Some(cache.path()));
                let start = Instant::now();
                let mut child = command.stdout(Stdio::null()).spawn()?;
                let session = folder.path().join("session");
                target::until(
                    &session,
                    "a root is live",
                    |lines| lines.iter().any(|line| target::is_live(line)),
                    || {
                        anyhow::ensure!(
                            matches!(child.try_wait(), Ok(None)),
                            "the recording ended before"
                        );
                        Ok(())
                    },
                )?;
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
        let mut live = Vec::new();
        let mut called = Vec::new();
        for _ in 0..RUNS {
            let folder = tempfile::tempdir()?;
            // Again and again, until it is killed.
            let mut command = Command::new(jdk.tool("java"));
            let jvm =
                self.compile(&mut command, &folder.path().join("out")).args(["-repeat", "1000"]);
            let mut jvm = jvm.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            std::thread::sleep(std::time::Duration::from_millis(1500));
            let start = Instant::now();
            let root = "org.eclipse.jdt.internal.compiler.parser.Parser::parse";
            let mut recording = Attached::start(
                &self.jfathom,
                jvm.id(),
                root,
                &["--tune=calibrate=off"],
                folder.path(),
            )?;
            recording.live()?;
            live.push(start.elapsed().as_secs_f64());
            recording.until("the first call", |lines| {
                let after = lines.iter().skip_while(|line| !target::is_live(line));
                after.filter(|line| line.starts_with("{\"class\":")).count() > 0
            })?;
            called.push(start.elapsed().as_secs_f64());
            let ended = recording.end();
            let _ = jvm.kill();
            let _ = jvm.wait();
            ended?;
        }
        row("attach to ecj", jdk, &live, "");
        row("attach to ecj, first call inside", jdk, &called, "0.5");
        Ok(())
    }

    fn ecj(&self, jdk: &Jdk, scheme: &str) -> Result<()> {
        let (mut plain, mut recorded) = (Vec::new(), Vec::new());
        let mut totals = methods::Totals::default();
        for _ in 0..3 {
            let folder = tempfile::tempdir()?;
            let mut command = Command::new(jdk.tool("java"));
            plain.push(shell::cost(self.compile(&mut command, &folder.path().join("out")))?);
            recorded.push(shell::cost(&mut self.record(jdk, scheme, folder.path(), None))?);
            totals = methods::totals(&folder.path().join("session"))?;
        }
        let of = |costs: &[shell::Cost], part: fn(&shell::Cost) -> f64| {
            median(costs.iter().map(part).collect())
        };
        let wall = |cost: &shell::Cost| cost.wall.as_secs_f64();
        let cpu = |cost: &shell::Cost| cost.cpu.as_secs_f64();
        let (retransformations, classes) =
            (totals.get("retransformations"), totals.get("retransformed_classes"));
        println!(
            "| {scheme} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {retransformations} | {classes} | {:.2} | {} | {} | {} | {} |",
            jdk.version,
            of(&plain, wall),
            of(&recorded, wall),
            of(&recorded, wall) / of(&plain, wall),
            of(&plain, cpu),
            of(&recorded, cpu),
            retransformations as f64 / classes.max(1) as f64,
            totals.get("most_retransformed"),
            totals.get("at_load"),
            totals.get("late"),
            totals.get("failed"),
        );
        Ok(())
    }

    /// The speed of the same rounds before, during and after a recording; and without one, after as
    /// many rounds.
    fn afterwards(&self, jdk: &Jdk) -> Result<()> {
        const WARM_UP: usize = 400;
        const ROUNDS: usize = 200;
        let folder = tempfile::tempdir()?;
        let classes = target::compile(&java::main()?, folder.path())?;
        let (mut ratios, mut control) = (Vec::new(), Vec::new());
        let (mut befores, mut durings, mut afters) = (Vec::new(), Vec::new(), Vec::new());
        for run in 0..RUNS {
            for recorded in [true, false] {
                let jvm = Rounds::start(jdk, &[], &classes, &["400"])?;
                jvm.next(WARM_UP)?;
                let before = median(jvm.next(ROUNDS)?);
                if recorded {
                    let place = folder.path().join(format!("{run}"));
                    std::fs::create_dir_all(&place)?;
                    let mut recording =
                        Attached::start(&self.jfathom, jvm.pid, "Rounds::root", &[], &place)?;
                    recording.live()?;
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
        println!(
            "| Rounds | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            jdk.version,
            median(befores),
            median(durings),
            median(afters),
            median(ratios),
            median(control),
        );
        Ok(())
    }
}

fn row(what: &str, jdk: &Jdk, seconds: &[f64], goal: &str) {
    let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = seconds.iter().copied().fold(0.0, f64::max);
    println!(
        "| {what} | {} | {:.3} | {least:.3} | {most:.3} | {goal} |",
        jdk.version,
        median(seconds.to_vec())
    );
}
