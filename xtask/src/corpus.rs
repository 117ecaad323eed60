//! Real programs, plain and rewritten: the checksum of what they print must be the same, without
//! and with a recording.
//!
//! `JFATHOM_CORPUS` names a folder with two scripts: `fetch.sh NAME` brings a program into
//! `$CORPUS`; `run.sh NAME` runs it and prints `NAME rc=… wall=… cpu=… sum=…`, `run.sh -c NAME`
//! prints its jars relative to `$CORPUS`, and `OVERLAY` names a folder whose jars win over those,
//! and `JAVA_OPTS` more JVM options. A program without jars is the JDK's own javac: its
//! module is rewritten.

pub mod live;

use crate::{java, java::Jdk, shell, shell::Cost};
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Runs the named programs, or all, on each JDK, and prints a table. With `--live` among the names
/// the uninstrumented programs are recorded live, under schemes lazy and total.
pub fn run(names: &[&str]) -> Result<()> {
    let is_live = names.contains(&"--live");
    let names: Vec<&str> = names.iter().copied().filter(|name| *name != "--live").collect();
    let corpus = Corpus::find()?;
    let mut all: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    if all.is_empty() {
        all = fs::read_dir(corpus.scripts.join("w"))?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<_>>()?;
        all.sort();
    }
    println!("{}", if is_live { live::HEAD } else { HEAD });
    let mut different = Vec::new();
    for name in &all {
        corpus.fetch(name)?;
        for jdk in java::main_and_25()? {
            if is_live {
                if !live::rows(&corpus, name, &jdk)? {
                    different.push(format!("{name} on {}", jdk.version));
                }
                continue;
            }
            match corpus.row(name, &jdk) {
                Ok(row) => println!("{row}"),
                Err(error) => {
                    println!("| {name} | {} | | | | | **{error:#}** |", jdk.version);
                    different.push(format!("{name} on {}", jdk.version));
                }
            }
        }
    }
    ensure!(different.is_empty(), "not the same as plain: {}", different.join(", "));
    Ok(())
}

const HEAD: &str = "\
| program | JVM | plain s | rewritten, no recording s | recorded s | calls | output |
|---|---|---|---|---|---|---|";

/// The programs, and the command that is tried on them.
pub struct Corpus {
    scripts: PathBuf,
    store: PathBuf,
    jfathom: PathBuf,
}

/// What `run.sh` prints at the end.
struct Outcome {
    wall: String,
    sum: String,
}

impl Corpus {
    /// What the environment names.
    pub fn find() -> Result<Self> {
        let store = std::env::var_os("CORPUS").map(PathBuf::from);
        let store = store.unwrap_or_else(|| {
            PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/corpus")
        });
        Ok(Self {
            scripts: shell::folder("JFATHOM_CORPUS", "the folder with fetch.sh and run.sh")?,
            store,
            jfathom: shell::jfathom()?,
        })
    }

    /// Brings a program here.
    pub fn fetch(&self, name: &str) -> Result<()> {
        shell::output(Command::new("bash").arg(self.scripts.join("fetch.sh")).arg(name)).map(drop)
    }

    /// Rewrites a program into a folder. Gives the environment variable that has it run.
    pub fn rewrite(
        &self,
        name: &str,
        jdk: &Jdk,
        folder: &Path,
    ) -> Result<(&'static str, OsString)> {
        let jars = shell::output(self.script(jdk).arg("-c").arg(name))?;
        let jars: Vec<&str> = jars.lines().filter(|line| !line.is_empty()).collect();
        Ok(match jars.as_slice() {
            [] => ("JAVA_OPTS", self.module_flags(jdk, folder)?),
            jars => ("OVERLAY", self.rewritten(jars, folder)?),
        })
    }

    /// `record OPTIONS -o PROFILE` of a program.
    pub fn record(&self, name: &str, jdk: &Jdk, profile: &Path, options: &[&str]) -> Command {
        let mut record = Command::new(&self.jfathom);
        record.args(["record", "-q"]).args(options).arg("-o").arg(profile).args(["--", "bash"]);
        record.arg(self.scripts.join("run.sh")).arg(name);
        record.env("JAVA", jdk.tool("java")).env_remove("OVERLAY");
        record
    }

    /// The command that is tried.
    pub fn command(&self) -> Command {
        Command::new(&self.jfathom)
    }

    fn row(&self, name: &str, jdk: &Jdk) -> Result<String> {
        let version = jdk.version;
        let plain = match self.outcome(self.script(jdk).arg(name)) {
            Ok(plain) => plain,
            Err(_) => {
                return Ok(format!(
                    "| {name} | {version} | | | | | the uninstrumented program does not run |"
                ));
            }
        };
        let folder = tempfile::Builder::new().prefix("jfathom-corpus-").tempdir()?;
        let change = self.rewrite(name, jdk, folder.path())?;
        let inert = self
            .outcome(self.script(jdk).arg(name).env(change.0, &change.1))
            .context("rewritten")?;
        ensure!(inert.sum == plain.sum, "rewritten, the output differs");
        let profile = folder.path().join("p.jfp");
        let mut record = self.record(name, jdk, &profile, &[]);
        let recorded = self.outcome(record.env(change.0, &change.1)).context("recorded")?;
        ensure!(recorded.sum == plain.sum, "recorded, the output differs");
        let report =
            shell::output(Command::new(&self.jfathom).args(["report", "--json"]).arg(&profile))?;
        let calls = calls(&report);
        ensure!(calls > 0, "the profile is empty");
        Ok(format!(
            "| {name} | {version} | {} | {} | {} | {:.1} M | same |",
            plain.wall,
            inert.wall,
            recorded.wall,
            calls as f64 / 1e6
        ))
    }

    /// `run.sh` of the uninstrumented programs.
    pub fn script(&self, jdk: &Jdk) -> Command {
        let mut command = Command::new("bash");
        command
            .arg(self.scripts.join("run.sh"))
            .env("JAVA", jdk.tool("java"))
            .env_remove("OVERLAY");
        command
    }

    fn outcome(&self, command: &mut Command) -> Result<Outcome> {
        Self::read_outcome(&shell::output(command)?)
    }

    /// What a run took, and the checksum of what the program printed.
    pub fn cost(&self, command: &mut Command) -> Result<(Cost, String)> {
        let (cost, text) = shell::cost_and_output(command)?;
        Ok((cost, Self::read_outcome(&text)?.sum))
    }

    fn read_outcome(text: &str) -> Result<Outcome> {
        let line =
            text.lines().find(|line| line.contains(" sum=")).context("run.sh printed no sum")?;
        let words: HashMap<&str, &str> =
            line.split_whitespace().filter_map(|word| word.split_once('=')).collect();
        let word = |name: &str| {
            words.get(name).map(|word| (*word).to_owned()).with_context(|| format!("no {name}="))
        };
        if word("rc")? != "0" {
            bail!("ended with {}", word("rc")?);
        }
        Ok(Outcome { wall: word("wall")?, sum: word("sum")? })
    }

    /// Rewrites all jars by one command and lays them out as the store has them.
    fn rewritten(&self, jars: &[&str], folder: &Path) -> Result<OsString> {
        let (out, overlay) = (output(folder), folder.join("overlay"));
        let inputs = jars.iter().map(|jar| self.store.join(jar));
        shell::output(
            Command::new(&self.jfathom)
                .arg("rewrite")
                .args(inputs)
                .args(["--libraries=off", "-q", "-o"])
                .arg(&out),
        )?;
        for jar in jars {
            let name = Path::new(jar).file_name().context("a jar has a name")?;
            let place = overlay.join(jar);
            fs::create_dir_all(place.parent().context("a jar has a folder")?)?;
            fs::hard_link(out.join(name), &place)
                .with_context(|| format!("no {} among the output", name.display()))?;
        }
        Ok(overlay.into_os_string())
    }

    /// Rewrites javac's module and gives the JVM flags that put it in place.
    fn module_flags(&self, jdk: &Jdk, folder: &Path) -> Result<OsString> {
        let out = output(folder);
        let mut rewrite = Command::new(&self.jfathom);
        rewrite
            .args(["rewrite", "-q", "jrt:/jdk.compiler"])
            .env("JAVA_HOME", &jdk.home)
            .arg("-o")
            .arg(&out);
        shell::output(&mut rewrite)?;
        let inspected = shell::output(Command::new(&self.jfathom).arg("inspect").arg(&out))?;
        let flags = inspected
            .lines()
            .find_map(|line| line.trim().strip_prefix("flags "))
            .context("inspect names no flags")?;
        Ok(flags.trim().into())
    }
}

/// The output directory of a rewriting in this folder.
pub fn output(folder: &Path) -> PathBuf {
    folder.join("out")
}

/// All calls of a JSON report: the sum of the methods' entries.
fn calls(report: &str) -> u64 {
    entries(report).sum()
}

/// The methods that were called.
fn called(report: &str) -> usize {
    entries(report).filter(|entries| *entries > 0).count()
}

fn entries(report: &str) -> impl Iterator<Item = u64> + '_ {
    let digits =
        |text: &str| text.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>();
    report.split("\"entries\":").skip(1).filter_map(move |rest| digits(rest).parse::<u64>().ok())
}
