//! What recording every method costs a program, beside JFluid in the same run.

use crate::bench::{
    measure::{geometric_mean, median},
    programs,
};
use crate::{java, java::Jdk, shell, shell::Cost};
use anyhow::{Context, Result, ensure};
use std::{path::Path, process::Command};

const RUNS: usize = 3;

/// A small program: its main class with arguments, and the calls that it makes.
struct Workload {
    class: &'static str,
    arguments: &'static [&'static str],
    calls: f64,
}

const WORKLOADS: &[Workload] = &[
    Workload { class: "Fib", arguments: &["33", "3"], calls: 34.2e6 },
    Workload { class: "Layer", arguments: &["200000", "3"], calls: 13.8e6 },
    Workload { class: "Strs", arguments: &["30000", "3"], calls: 22.8e6 },
    Workload { class: "Exc", arguments: &["1000000", "3"], calls: 15.8e6 },
    Workload { class: "Two", arguments: &["300000", "3", "2"], calls: 12.6e6 },
];

/// Prints the table of the small programs. JFluid runs on JDK 17 alone: it refuses JDK 20 and
/// later.
pub fn run(rest: &[&str]) -> Result<()> {
    let rounds = match rest {
        ["--rounds", rounds] => rounds.parse().context("--rounds")?,
        _ => RUNS,
    };
    let sources = shell::folder("JFATHOM_WORKLOADS", "the folder with the small Java programs")?;
    let peer = shell::folder("JFATHOM_JFLUID_PEER", "the folder with JFluid's run.sh")?;
    let jfathom = shell::jfathom()?;
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let (plain, out) = (folder.path().join("workloads"), folder.path().join("out"));
    let files = WORKLOADS.iter().map(|workload| workload.class).chain(["Bt"]);
    let files = files.map(|class| sources.join(format!("{class}.java")));
    let main = java::main()?;
    shell::output(
        Command::new(main.tool("javac"))
            .args(["-nowarn", "-g", "--release", "17", "-d"])
            .arg(&plain)
            .args(files),
    )?;
    shell::output(
        Command::new(&jfathom)
            .arg("rewrite")
            .arg(&plain)
            .args(["--include", "!Bt", "-q", "-o"])
            .arg(&out),
    )?;
    println!(
        "medians of {rounds} interleaved rounds; all calls timed; JFluid on JDK {}\n",
        main.version
    );
    println!(
        "| program | JVM | uninstrumented s | recorded s | slowdown | ns per call | JFluid ns per call | ratio |\n\
         |---|---|---|---|---|---|---|---|"
    );
    for jdk in java::main_and_25()? {
        let mut ratios = Vec::new();
        for workload in WORKLOADS {
            let mut rows = Vec::new();
            for round in 0..rounds {
                let profile =
                    folder.path().join(format!("{}-{}-{round}.jfp", workload.class, jdk.version));
                rows.push([
                    workload.root_seconds(Command::new(jdk.tool("java")), &plain)?,
                    workload
                        .root_seconds(recorded(&jfathom, &jdk, &profile), &out.join("workloads"))?,
                    workload.jfluid(&peer, &main)?,
                ]);
            }
            let [before, after, jfluid] =
                [0, 1, 2].map(|at| median(rows.iter().map(|row| row[at]).collect()));
            let cost = (after - before) * 1e9 / workload.calls;
            ratios.push(cost / jfluid);
            println!(
                "| {} | {} | {before:.3} | {after:.3} | {:.1} | {cost:.1} | {jfluid:.0} | {:.2} |",
                workload.class,
                jdk.version,
                after / before,
                cost / jfluid,
            );
        }
        println!("| geometric mean | {} | | | | | | {:.2} |", jdk.version, geometric_mean(&ratios));
    }
    Ok(())
}

/// `record --budget none … -- java`.
fn recorded(jfathom: &Path, jdk: &Jdk, profile: &Path) -> Command {
    let mut command = Command::new(jfathom);
    command
        .args(["record", "-q", "--budget", "none", "-o"])
        .arg(profile)
        .arg("--")
        .arg(jdk.tool("java"));
    command
}

impl Workload {
    /// Wall seconds inside the root, where `java` is the beginning of the command.
    fn root_seconds(&self, mut java: Command, classes: &Path) -> Result<f64> {
        java.args(["-Des=0", "-cp", &class_path(classes), self.class]).args(self.arguments);
        root_seconds(&shell::output(&mut java)?)
    }

    /// What JFluid adds to each call, in ns of wall time.
    fn jfluid(&self, peer: &Path, jdk: &Jdk) -> Result<f64> {
        let text = shell::output(
            Command::new("bash")
                .arg(peer.join("run.sh"))
                .args(["1", &self.class.to_lowercase()])
                .env("JAVA", jdk.tool("java")),
        )?;
        let added = text.split("added ").nth(1).and_then(|rest| rest.split(' ').next());
        added.context("JFluid's run.sh printed no `added n ns`")?.parse().context("added ns")
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
            .args(["--libraries=off", "-q", "-o"])
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
