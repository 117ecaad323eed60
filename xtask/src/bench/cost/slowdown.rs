//! What recording every method costs a program, beside the ancestor's figures.

use crate::bench::{measure::median, programs};
use crate::{java, java::Jdk, shell, shell::Cost};
use anyhow::{Context, Result, ensure};
use std::{path::Path, process::Command};

const RUNS: usize = 3;

/// A program, and what JFluid (VisualVM 2.1.5, JDK 17) added to each of its calls, in nanoseconds
/// of wall time.
struct Workload {
    class: &'static str,
    arguments: &'static [&'static str],
    calls: f64,
    jfluid: f64,
}

const WORKLOADS: &[Workload] = &[
    Workload { class: "Fib", arguments: &["33", "3"], calls: 34.2e6, jfluid: 123.0 },
    Workload { class: "Layer", arguments: &["200000", "3"], calls: 13.8e6, jfluid: 94.0 },
    Workload { class: "Strs", arguments: &["30000", "3"], calls: 22.8e6, jfluid: 135.0 },
    Workload { class: "Exc", arguments: &["1000000", "3"], calls: 15.8e6, jfluid: 130.0 },
    Workload { class: "Two", arguments: &["300000", "3", "2"], calls: 12.6e6, jfluid: 143.0 },
];

/// Prints the table of the small programs.
pub fn run() -> Result<()> {
    let sources = shell::folder("JFATHOM_WORKLOADS", "the folder with the small Java programs")?;
    let jfathom = shell::jfathom()?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let (plain, out) = (folder.path().join("workloads"), folder.path().join("out"));
    let files = WORKLOADS.iter().map(|workload| workload.class).chain(["Bt"]);
    let files = files.map(|class| sources.join(format!("{class}.java")));
    let javac = java::main()?.tool("javac");
    shell::output(
        Command::new(javac)
            .args(["-nowarn", "-g", "--release", "17", "-d"])
            .arg(&plain)
            .args(files),
    )?;
    shell::output(
        Command::new(&jfathom)
            .arg("rewrite")
            .arg(&plain)
            .args(["--exclude", "Bt", "-q", "-o"])
            .arg(&out),
    )?;
    println!(
        "| program | JVM | plain s | recorded s | slowdown | ns per call | JFluid | ratio | goal |\n|---|---|---|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        for workload in WORKLOADS {
            let (before, after) =
                workload.measure(&jfathom, &jdk, &plain, &out.join("workloads"), folder.path())?;
            let cost = (after - before) * 1e9 / workload.calls;
            println!(
                "| {} | {} | {before:.3} | {after:.3} | {:.1} | {cost:.1} | {} | {:.2} | {} |",
                workload.class,
                jdk.version,
                after / before,
                workload.jfluid,
                cost / workload.jfluid,
                if jdk.version == 17 { 0.5 } else { 0.3 },
            );
        }
    }
    Ok(())
}

impl Workload {
    /// Median wall seconds inside the root, plain and recorded.
    fn measure(
        &self,
        jfathom: &Path,
        jdk: &Jdk,
        plain: &Path,
        rewritten: &Path,
        folder: &Path,
    ) -> Result<(f64, f64)> {
        let profile = folder.join(format!("{}-{}.jfp", self.class, jdk.version));
        let run = |recorded: bool| {
            let mut command =
                if recorded { Command::new(jfathom) } else { Command::new(jdk.tool("java")) };
            if recorded {
                command
                    .args(["record", "--force", "-o"])
                    .arg(&profile)
                    .arg("--")
                    .arg(jdk.tool("java"));
            }
            // The runtime lies in the root of the rewritten folder or in a jar beside it.
            let classes =
                if recorded { class_path(rewritten) } else { plain.display().to_string() };
            command.args(["-Des=0", "-cp", &classes, self.class]).args(self.arguments);
            root_seconds(&shell::output(&mut command)?)
        };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            before.push(run(false)?);
            after.push(run(true)?);
        }
        Ok((median(before), median(after)))
    }
}

/// The class path of a rewritten folder: itself, and the runtime's jar where it is one of its own.
fn class_path(rewritten: &Path) -> String {
    let jar = rewritten.with_file_name("jfathom").join("jfathom-runtime.jar");
    let own = rewritten.display().to_string();
    if jar.is_file() { format!("{own}:{}", jar.display()) } else { own }
}

/// The sum of all `ROOT_NS n`, in seconds.
fn root_seconds(text: &str) -> Result<f64> {
    let nanos: Vec<f64> = text
        .lines()
        .filter_map(|line| line.strip_prefix("ROOT_NS "))
        .filter_map(|rest| rest.split(' ').next()?.parse().ok())
        .collect();
    ensure!(!nanos.is_empty(), "the program printed no ROOT_NS");
    Ok(nanos.iter().sum::<f64>() / 1e9)
}

/// ECJ, cold, on the sources of java.logging: whole processes.
pub fn ecj() -> Result<()> {
    let jfathom = shell::jfathom()?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let ecj =
        programs::jars()?.into_iter().find(|program| program.name == "ecj").context("no ecj")?;
    let sources = std::env::var_os("JFATHOM_LOGGING_SOURCES")
        .context("set JFATHOM_LOGGING_SOURCES to java.logging's sources")?;
    let out = folder.path().join("out");
    shell::output(
        Command::new(&jfathom)
            .arg("rewrite")
            .arg(&ecj.path)
            .args(["--no-follow-class-path", "-q", "-o"])
            .arg(&out),
    )?;
    let rewritten = out.join(ecj.path.file_name().unwrap_or_default());
    println!(
        "| JVM | plain s | recorded s | ratio (goal 2.5) | plain CPU s | recorded CPU s |\n|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        let compile = |command: &mut Command, jar: &Path| {
            command.arg("-cp").arg(jar).arg("org.eclipse.jdt.internal.compiler.batch.Main");
            command
                .args(["-17", "-nowarn", "-proc:none", "-d"])
                .arg(folder.path().join("classes"))
                .arg(&sources);
            shell::cost(command)
        };
        let (mut plain, mut recorded) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            plain.push(compile(&mut Command::new(jdk.tool("java")), &ecj.path)?);
            let mut command = Command::new(&jfathom);
            command
                .args(["record", "--force", "-o"])
                .arg(folder.path().join("ecj.jfp"))
                .arg("--")
                .arg(jdk.tool("java"));
            recorded.push(compile(&mut command, &rewritten)?);
        }
        let of = |costs: &[Cost], part: fn(&Cost) -> f64| median(costs.iter().map(part).collect());
        let wall = |cost: &Cost| cost.wall.as_secs_f64();
        let cpu = |cost: &Cost| cost.cpu.as_secs_f64();
        println!(
            "| {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            jdk.version,
            of(&plain, wall),
            of(&recorded, wall),
            of(&recorded, wall) / of(&plain, wall),
            of(&plain, cpu),
            of(&recorded, cpu),
        );
    }
    Ok(())
}
