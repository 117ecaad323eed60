//! Small programs, each with a root `run`, that print `ROOT_NS n CPU_NS n` for each call of it.
//!
//! Some are in `JFATHOM_WORKLOADS`, on which JFluid was measured, and some here: the model of the
//! residual was not fitted to Words, Fails, Visit, Many, Two, Pool and Pipe. The roots of the last
//! three wait for threads of theirs.

use crate::{given, jfathom::Jfathom, shell};
use anyhow::{Context, Result, ensure};
use jfathom_testkit::{Javac, Jdk};
use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// A program: its class, and its arguments.
pub type Small = (&'static str, &'static [&'static str]);

/// Those of the tables.
pub const PROGRAMS: &[Small] = &[
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
/// Those of them that are in this folder, and what calls their roots.
const OWN: &[&str] = &["Micro", "Words", "Fails", "Visit", "Pool", "Pipe", "Rounds"];
/// The one that is made here.
const MANY: &str = "Many";
/// Leaves out the class that only calls roots, here and among the others.
const OWN_DRIVER: &str = "--include=!Rounds";
const OTHER_DRIVER: &str = "--include=!Bt";
/// A run whose thread was off the processor for more milliseconds than this is made again, ...
const WAITED: f64 = 40.0;
/// ... so many times.
const TRIES: usize = 5;

/// The programs of these names, or all.
pub fn chosen(names: &[String]) -> impl Iterator<Item = Small> {
    PROGRAMS.iter().copied().filter(|(name, _)| names.is_empty() || names.iter().any(|n| n == name))
}

/// Compiled and rewritten programs.
pub struct Smalls {
    jfathom: Jfathom,
    folder: PathBuf,
}

impl Smalls {
    /// Compiles and rewrites all in this folder: below their roots, or with all methods recorded.
    pub fn all(jfathom: &Jfathom, folder: &Path, has_roots: bool) -> Result<Self> {
        let given = given::folder("JFATHOM_WORKLOADS", "the folder with the small Java programs")?;
        let many = folder.join("Many.java");
        std::fs::write(&many, many_methods())?;
        let names = PROGRAMS.iter().map(|(name, _)| *name);
        let others = names.clone().filter(|name| *name != MANY && !OWN.contains(name));
        let others = others.chain(["Bt"]).map(|class| given.join(format!("{class}.java")));
        let mut options: Vec<String> = [OWN_DRIVER, OTHER_DRIVER].map(str::to_owned).to_vec();
        if has_roots {
            options.extend(names.flat_map(|name| ["--root".to_owned(), format!("{name}::run")]));
        }
        Self::new(jfathom, folder, own().chain(others).chain([many]), &options)
    }

    /// Compiles and rewrites those that need nothing else, with all methods recorded.
    pub fn own(jfathom: &Jfathom, folder: &Path) -> Result<Self> {
        Self::new(jfathom, folder, own(), &[OWN_DRIVER.to_owned()])
    }

    fn new(
        jfathom: &Jfathom,
        folder: &Path,
        sources: impl Iterator<Item = PathBuf>,
        options: &[String],
    ) -> Result<Self> {
        let plain = folder.join("plain");
        let sources: Vec<PathBuf> = sources.collect();
        Javac::release(17).option("-g").compile(&sources, &plain);
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        jfathom.rewrite([&plain], &folder.join("out"), &options)?;
        Ok(Self { jfathom: jfathom.clone(), folder: folder.to_path_buf() })
    }

    /// Where a recording of one is kept.
    pub fn profile(&self) -> PathBuf {
        self.folder.join("small.jfp")
    }

    /// The times of an uninstrumented run.
    pub fn plain(&self, jdk: &Jdk, program: Small) -> Result<RootTimes> {
        self.run(program, "plain", || Command::new(jdk.java()))
    }

    /// The times of a recorded run.
    pub fn recorded(&self, jdk: &Jdk, program: Small, options: &[&str]) -> Result<RootTimes> {
        self.run(program, "out/plain", || {
            let mut record = self.jfathom.record(&self.profile(), options);
            record.arg(jdk.java());
            record
        })
    }

    fn run(&self, program: Small, classes: &str, java: impl Fn() -> Command) -> Result<RootTimes> {
        let (name, arguments) = program;
        let tries = if WAITING.contains(&name) { 1 } else { TRIES };
        let run = || {
            let mut command = java();
            command.args(["-Des=0", "-cp"]).arg(self.folder.join(classes)).arg(name);
            RootTimes::read(&shell::output(command.args(arguments))?)
        };
        let mut times = run()?;
        for _ in 1..tries {
            if times.waited() < WAITED {
                break;
            }
            times = run()?;
        }
        Ok(times)
    }
}

/// The sources in this folder.
fn own() -> impl Iterator<Item = PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/small");
    OWN.iter().map(move |class| folder.join(format!("{class}.java")))
}

/// Times in a root, all its calls together; in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct RootTimes {
    /// By the clock.
    pub wall: f64,
    cpu: f64,
}

impl RootTimes {
    /// Out of what a program prints.
    pub fn read(text: &str) -> Result<Self> {
        Ok(Self { wall: millis(text, "ROOT_NS")?, cpu: millis(text, "CPU_NS")? })
    }

    /// For how long the root was off the processor.
    fn waited(self) -> f64 {
        self.wall - self.cpu
    }
}

/// The sum of all nanoseconds behind `name`, in milliseconds.
pub fn millis(text: &str, name: &str) -> Result<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let values = words.windows(2).filter(|pair| pair[0] == name).map(|pair| pair[1].parse());
    let values: Vec<f64> =
        values.collect::<Result<_, _>>().with_context(|| format!("{name} in {text}"))?;
    ensure!(!values.is_empty(), "the program printed no {name}");
    Ok(values.iter().sum::<f64>() / 1e6)
}

/// A program of 2,000 methods with bodies of five kinds, called between a few and a thousand times
/// a round.
fn many_methods() -> String {
    let mut text = String::from("public class Many {\n    static int[] A = new int[64];\n");
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
        let _ = writeln!(text, "    static int m{i}(int x) {{ {body} }}");
    }
    let mut run = String::new();
    for group in 0..20 {
        let calls: String =
            (group * 100..group * 100 + 100).map(|i| format!("s += m{i}(s + {i}); ")).collect();
        let _ = writeln!(text, "    static int g{group}(int x) {{ int s = x; {calls}return s; }}");
        let _ = write!(run, "if (i % {} == 0) s ^= g{group}(s + i); ", 1 + group * group / 8);
    }
    let _ = writeln!(
        text,
        "    static int run(int n) {{ int s = n; for (int i = 0; i < n; i++) {{ {run}}} return s; }}\n    \
         public static void main(String[] args) {{ Rounds.of(args, Many::run); }}\n}}"
    );
    text
}
