//! Corrected times of roots beside those of uninstrumented runs.
//!
//! Each round is one uninstrumented run, one with all methods timed, and one with demotion, each in
//! a fresh JVM and with the program's warm-up in it. The truth is the median root time of the
//! uninstrumented runs. A run whose thread was off the processor for long is made again. ECJ prints
//! no times: its truth is the median of roots-only runs. Words, Fails, Visit, Many, Two, Pool and
//! Pipe are programs that the model of the residual was not fitted to; the roots of the last three
//! wait for threads of theirs.

use crate::bench::{
    measure::{example, median},
    programs,
};
use crate::{
    java::{self, Jdk},
    shell,
};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};

const RUNS: usize = 5;
/// A run whose thread was off the processor for more milliseconds than this is made again, ...
const WAITED: f64 = 40.0;
/// ... so many times.
const TRIES: usize = 5;

/// Programs and their arguments; `JFATHOM_BENCH_RUNS` changes how often they run.
pub(super) const WORKLOADS: &[(&str, &[&str])] = &[
    ("Layer", &["200000", "3"]),
    ("Micro", &["150000", "3"]),
    ("Strs", &["30000", "3"]),
    ("Exc", &["1000000", "3"]),
    ("Fib", &["33", "3"]),
    ("Words", &["500", "3"]),
    ("Fails", &["300000", "3"]),
    ("Visit", &["1500", "3"]),
    (MANY, &["1000", "3"]),
    ("Two", &["50000", "3", "2"]),
    ("Pool", &["2000000", "3"]),
    ("Pipe", &["4000", "3"]),
];
/// Those whose roots wait for threads of theirs: being off the processor says nothing there.
const WAITING: &[&str] = &["Two", "Pool", "Pipe"];
/// Those of them that are in this repository.
const OWN: &[&str] = &["Micro", "Words", "Fails", "Visit", "Pool", "Pipe", "Rounds"];
/// The one that is made here.
const MANY: &str = "Many";
const ECJ: &str = "ECJ";
const ECJ_MAIN: &str = "org.eclipse.jdt.internal.compiler.batch.Main";

/// What is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    AllTimed,
    Demoted,
    RootAlone,
}

impl Mode {
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::AllTimed => &["--budget", "none"],
            Self::Demoted => &[],
            Self::RootAlone => &["--probe=**=off"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::AllTimed => "all timed",
            Self::Demoted => "demoted",
            Self::RootAlone => "roots only",
        }
    }
}

/// What the example `root_time` says of a profile; times in milliseconds.
#[derive(Clone, Debug)]
pub(super) struct Found {
    measured: f64,
    timed: f64,
    demoted: f64,
    /// Corrected time and its half width.
    pub(super) corrected: (f64, f64),
}

/// Prints the table; `names` chooses programs.
pub fn run(names: &[&str]) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("jfathom-bench-").tempdir()?;
    let runs =
        std::env::var("JFATHOM_BENCH_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS);
    let bench = Bench { jfathom: shell::jfathom()?, folder: folder.path().to_path_buf(), runs };
    let wanted = |name: &str| names.is_empty() || names.contains(&name);
    let known = |name: &&&str| **name == ECJ || WORKLOADS.iter().any(|(known, _)| known == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let known: Vec<&str> = WORKLOADS.iter().map(|(name, _)| *name).collect();
        bail!("no program {unknown}: {}, {ECJ}", known.join(", "));
    }
    println!(
        "| program | JVM | truth ms | calls | timed M | methods demoted | measured | error | inside | bar |\n\
         |---|---|---|---|---|---|---|---|---|---|"
    );
    if WORKLOADS.iter().any(|(name, _)| wanted(name)) {
        bench.compile(&[])?;
    }
    for jdk in java::main_and_25()? {
        for (name, arguments) in WORKLOADS.iter().filter(|(name, _)| wanted(name)) {
            bench.small(&jdk, name, arguments)?;
        }
        if wanted(ECJ) {
            bench.ecj(&jdk)?;
        }
    }
    Ok(())
}

/// Where the programs are, plain and rewritten.
pub(super) struct Bench {
    jfathom: PathBuf,
    folder: PathBuf,
    runs: usize,
}

impl Bench {
    /// Compiles and rewrites the small programs in this folder, with these options of `rewrite`.
    pub(super) fn small_programs(folder: &Path, rewriting: &[&str]) -> Result<Self> {
        let bench = Self::without_programs(folder)?;
        bench.compile(rewriting)?;
        Ok(bench)
    }

    /// Records in this folder what others have rewritten.
    pub(super) fn without_programs(folder: &Path) -> Result<Self> {
        Ok(Self { jfathom: shell::jfathom()?, folder: folder.to_path_buf(), runs: 0 })
    }

    /// Compiles and rewrites, in this folder, the small programs that are in this repository.
    pub(super) fn own_programs(folder: &Path) -> Result<()> {
        let sources = OWN
            .iter()
            .map(|class| shell::root().join(format!("xtask/src/bench/java/{class}.java")));
        let (plain, out) = (folder.join("plain"), folder.join("out"));
        let mut javac = Command::new(java::main()?.tool("javac"));
        let flags = ["-nowarn", "-g", "--release", "17", "-d"];
        shell::output(javac.args(flags).arg(&plain).args(sources))?;
        let mut rewrite = Command::new(shell::jfathom()?);
        rewrite.arg("rewrite").arg(&plain).args(["--include", "!Rounds", "-q", "-o"]).arg(out);
        shell::output(&mut rewrite)?;
        Ok(())
    }

    fn compile(&self, rewriting: &[&str]) -> Result<()> {
        let sources =
            shell::folder("JFATHOM_WORKLOADS", "the folder with the small Java programs")?;
        let many = self.folder.join(format!("{MANY}.java"));
        std::fs::write(&many, many_methods())?;
        let own = OWN
            .iter()
            .map(|class| shell::root().join(format!("xtask/src/bench/java/{class}.java")))
            .chain([many]);
        let others = WORKLOADS
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| *name != MANY && !OWN.contains(name));
        let files =
            others.chain(["Bt"]).map(|class| sources.join(format!("{class}.java"))).chain(own);
        let (plain, out) = (self.folder.join("plain"), self.folder.join("out"));
        let mut javac = Command::new(java::main()?.tool("javac"));
        shell::output(
            javac.args(["-nowarn", "-g", "--release", "17", "-d"]).arg(&plain).args(files),
        )?;
        let mut rewrite = Command::new(&self.jfathom);
        rewrite
            .arg("rewrite")
            .arg(&plain)
            .args(["--include", "!Bt", "--include", "!Rounds", "-q", "-o"])
            .arg(out)
            .args(rewriting);
        for (name, _) in WORKLOADS {
            rewrite.arg("--root").arg(format!("{name}::run"));
        }
        shell::output(&mut rewrite)?;
        Ok(())
    }

    fn small(&self, jdk: &Jdk, name: &str, arguments: &[&str]) -> Result<()> {
        let mut plain = Vec::new();
        let (mut all, mut demoted) = (Vec::new(), Vec::new());
        for _ in 0..self.runs {
            plain.push(self.plain(jdk, name, arguments)?);
            for (mode, found) in [(Mode::AllTimed, &mut all), (Mode::Demoted, &mut demoted)] {
                found.push(self.recorded(jdk, name, arguments, mode)?.0);
            }
        }
        let truth = median(plain);
        print(name, jdk, truth, (Mode::AllTimed, &all));
        print(name, jdk, truth, (Mode::Demoted, &demoted));
        Ok(())
    }

    /// Milliseconds in the root of an uninstrumented run.
    pub(super) fn plain(&self, jdk: &Jdk, name: &str, arguments: &[&str]) -> Result<f64> {
        let mut wall = 0.0;
        for _ in 0..tries(name) {
            let text = self.java(Command::new(jdk.tool("java")), "plain", name, arguments)?;
            wall = millis(&text, "ROOT_NS")?;
            if waited(&text)? < WAITED {
                break;
            }
        }
        Ok(wall)
    }

    /// What a recording says, and for how many milliseconds its thread was off the processor at
    /// that.
    pub(super) fn recorded(
        &self,
        jdk: &Jdk,
        name: &str,
        arguments: &[&str],
        mode: Mode,
    ) -> Result<(Found, f64)> {
        let text = self.recorded_text(jdk, name, arguments, mode)?;
        Ok((self.found()?, waited(&text)?))
    }

    /// What a recorded program prints.
    pub(super) fn recorded_text(
        &self,
        jdk: &Jdk,
        name: &str,
        arguments: &[&str],
        mode: Mode,
    ) -> Result<String> {
        let mut text = String::new();
        for _ in 0..tries(name) {
            let mut command = self.record(mode);
            command.arg(jdk.tool("java"));
            text = self.java(command, "out/plain", name, arguments)?;
            if waited(&text)? < WAITED {
                break;
            }
        }
        Ok(text)
    }

    /// The corrected self times of the last recording's methods, in nanoseconds.
    pub(super) fn self_times(&self) -> Result<BTreeMap<String, f64>> {
        let text = shell::output(example("jfathom-calibration", "self_times").arg(self.profile()))?;
        let of = |line: &str| {
            line.split_once(' ')
                .and_then(|(name, nanos)| Some((name.to_owned(), nanos.parse().ok()?)))
        };
        text.lines().map(|line| of(line).with_context(|| line.to_owned())).collect()
    }

    fn java(
        &self,
        mut command: Command,
        classes: &str,
        name: &str,
        arguments: &[&str],
    ) -> Result<String> {
        shell::output(
            command
                .args(["-Des=0", "-cp"])
                .arg(self.folder.join(classes))
                .arg(name)
                .args(arguments),
        )
    }

    fn ecj(&self, jdk: &Jdk) -> Result<()> {
        let ecj = programs::jars()?
            .into_iter()
            .find(|program| program.name == "ecj")
            .context("no ecj")?;
        let sources = std::env::var_os("JFATHOM_LOGGING_SOURCES")
            .context("set JFATHOM_LOGGING_SOURCES to java.logging's sources")?;
        let out = self.folder.join("ecj");
        let root = format!("{ECJ_MAIN}::performCompilation");
        let mut rewrite = Command::new(&self.jfathom);
        rewrite
            .arg("rewrite")
            .arg(&ecj.path)
            .args(["--libraries=off", "--force", "-q", "-o"])
            .arg(&out);
        shell::output(rewrite.arg("--root").arg(root))?;
        let jar = out.join(ecj.path.file_name().unwrap_or_default());
        let modes = [Mode::RootAlone, Mode::AllTimed, Mode::Demoted];
        let mut found = modes.map(|_| Vec::new());
        for _ in 0..self.runs {
            for (mode, found) in modes.into_iter().zip(&mut found) {
                let mut command = self.record(mode);
                command.arg(jdk.tool("java")).arg("-cp").arg(&jar).arg(ECJ_MAIN);
                command
                    .args(["-17", "-nowarn", "-proc:none", "-d"])
                    .arg(self.folder.join("classes"))
                    .arg(&sources);
                shell::output(&mut command)?;
                found.push(self.found()?);
            }
        }
        let [alone, all, demoted] = found;
        let truth = median(alone.iter().map(|found| found.corrected.0).collect());
        print(ECJ, jdk, truth, (Mode::AllTimed, &all));
        print(ECJ, jdk, truth, (Mode::Demoted, &demoted));
        Ok(())
    }

    fn profile(&self) -> PathBuf {
        self.folder.join("bench.jfp")
    }

    /// The command up to what is recorded, as [`Self::found`] then reads it.
    pub(super) fn record(&self, mode: Mode) -> Command {
        let mut command = Command::new(&self.jfathom);
        command
            .args(["record", "--force", "-q"])
            .args(mode.options())
            .arg("-o")
            .arg(self.profile())
            .arg("--");
        command
    }

    /// What the last recording says.
    pub(super) fn found(&self) -> Result<Found> {
        let text = shell::output(example("jfathom-calibration", "root_time").arg(self.profile()))?;
        let number = |before: &str, after: &str| -> Result<f64> {
            let end = text.split_once(after).with_context(|| format!("no {after:?} in {text}"))?.0;
            let number = end.rsplit_once(before).map_or(end, |(_, number)| number);
            number.trim().parse().with_context(|| format!("{number:?} in {text}"))
        };
        let corrected = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("Corrected: "))
            .context("no calibration")?;
        let (nanos, bar) = corrected.split_once(" ± ").context("no bar")?;
        Ok(Found {
            measured: number(": ", " ms measured")?,
            timed: number(", ", " timed calls")?,
            demoted: number(", ", " methods demoted")?,
            corrected: (nanos.trim().parse()?, bar.split(' ').next().unwrap_or_default().parse()?),
        })
    }
}

fn print(name: &str, jdk: &Jdk, truth: f64, (mode, found): (Mode, &[Found])) {
    let of = |part: &dyn Fn(&Found) -> f64| median(found.iter().map(part).collect());
    let part = |value: f64| value * 100.0 / truth;
    let error = of(&|found| part(found.corrected.0 - truth));
    let bar = of(&|found| part(found.corrected.1));
    let is_inside = |found: &&Found| (found.corrected.0 - truth).abs() <= found.corrected.1;
    let inside = found.iter().filter(is_inside).count();
    println!(
        "| {name} | {} | {truth:.0} | {} | {:.1} | {:.0} | {:.2} × | {error:+.0} % | {inside}/{} | {bar:.0} % |",
        jdk.version,
        mode.name(),
        of(&|found| found.timed) / 1e6,
        of(&|found| found.demoted),
        of(&|found| found.measured / truth),
        found.len(),
    );
}

fn tries(name: &str) -> usize {
    if WAITING.contains(&name) { 1 } else { TRIES }
}

/// A program of 2,000 methods with bodies of five kinds, called between a few and a thousand times
/// a round.
fn many_methods() -> String {
    let mut text = String::from(
        "/** Made by `cargo xtask bench`. */\npublic class Many {\n    static int[] A = new int[64];\n",
    );
    for i in 0..2_000_i32 {
        let odd = i | 1;
        let body = match i % 5 {
            0 => format!("return x * {odd} + 7;"),
            1 => format!(
                "int s = x; for (int i = 0; i < 5; i++) s = s * {odd} + A[(s >>> 3) & 63]; return s;"
            ),
            2 => format!("return (x & 1) == 0 ? m{}(x >> 1) : x ^ {i};", i - 1),
            3 => format!(
                "int s = x; for (int i = 0; i < 20; i++) s = (s ^ i) * {odd}; A[s & 63] = s; return s;"
            ),
            _ => format!("int s = m{}(x); if (s == {i}) s++; return s + m{}(s);", i - 1, i - 3),
        };
        text.push_str(&format!("    static int m{i}(int x) {{ {body} }}\n"));
    }
    let mut run = String::new();
    for group in 0..20 {
        let calls: String =
            (group * 100..group * 100 + 100).map(|i| format!("s += m{i}(s + {i}); ")).collect();
        text.push_str(&format!(
            "    static int g{group}(int x) {{ int s = x; {calls}return s; }}\n"
        ));
        run.push_str(&format!("if (i % {} == 0) s ^= g{group}(s + i); ", 1 + group * group / 8));
    }
    text.push_str(&format!(
        "    static int run(int n) {{ int s = n; for (int i = 0; i < n; i++) {{ {run}}} return s; }}\n"
    ));
    text.push_str(
        "    public static void main(String[] args) { Rounds.of(args, Many::run); }\n}\n",
    );
    text
}

/// For how many milliseconds the root was off the processor.
fn waited(text: &str) -> Result<f64> {
    Ok(millis(text, "ROOT_NS")? - millis(text, "CPU_NS")?)
}

/// The sum of all numbers behind `name`, as nanoseconds.
pub(super) fn millis(text: &str, name: &str) -> Result<f64> {
    let mut words = text.split_whitespace();
    let (mut sum, mut found) = (0.0, false);
    while let Some(word) = words.next() {
        if word == name {
            sum += words
                .next()
                .unwrap_or_default()
                .parse::<f64>()
                .with_context(|| format!("{name} in {text}"))?;
            found = true;
        }
    }
    if !found {
        bail!("the program printed no {name}");
    }
    Ok(sum / 1e6)
}
