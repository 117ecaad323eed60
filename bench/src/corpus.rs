//! Real programs.
//!
//! `JFATHOM_CORPUS` names a folder with two scripts: `fetch.sh NAME` brings a program into
//! `$CORPUS`; `run.sh NAME` runs it and prints `NAME rc=… wall=… cpu=… sum=…`, `run.sh -c NAME`
//! prints its jars relative to `$CORPUS`, and `OVERLAY` names a folder whose jars win over those,
//! and `JAVA_OPTS` more JVM options. A program without jars is the JDK's own javac: its
//! module is rewritten.

mod live;
pub mod roots;
pub mod same;

use crate::{given, jfathom::Jfathom, shell, spent::Spent};
use anyhow::{Context, Result, bail};
use jfathom_testkit::Jdk;
use std::{
    collections::HashMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The programs, and the command that is tried on them.
pub struct Corpus {
    /// The command.
    pub jfathom: Jfathom,
    scripts: PathBuf,
    store: PathBuf,
}

/// What `run.sh` prints at the end.
struct Outcome {
    wall: String,
    sum: String,
}

/// An environment variable that has a program run rewritten.
pub type Change = (&'static str, OsString);

impl Corpus {
    /// What the environment names.
    pub fn find() -> Result<Self> {
        let store = std::env::var_os("CORPUS").map(PathBuf::from);
        let store = store.unwrap_or_else(|| {
            PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/corpus")
        });
        Ok(Self {
            scripts: given::folder("JFATHOM_CORPUS", "the folder with fetch.sh and run.sh")?,
            store,
            jfathom: Jfathom::find()?,
        })
    }

    /// Where the corpus keeps what it has fetched.
    pub fn store(&self) -> &Path {
        &self.store
    }

    /// Brings a program here.
    pub fn fetch(&self, name: &str) -> Result<()> {
        shell::output(Command::new("bash").arg(self.scripts.join("fetch.sh")).arg(name)).map(drop)
    }

    /// `run.sh` of the uninstrumented programs.
    pub fn script(&self, jdk: &Jdk) -> Command {
        let mut command = Command::new("bash");
        command.arg(self.scripts.join("run.sh")).env("JAVA", jdk.java()).env_remove("OVERLAY");
        command
    }

    /// The jars of a program, below [`Self::store`].
    fn jars(&self, name: &str) -> Result<Vec<String>> {
        let mut script = Command::new("bash");
        script.arg(self.scripts.join("run.sh")).args(["-c", name]).env_remove("OVERLAY");
        let jars = shell::output(&mut script)?;
        Ok(jars.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
    }

    /// The jars of a program.
    pub fn class_path(&self, name: &str) -> Result<Vec<PathBuf>> {
        Ok(self.jars(name)?.iter().map(|jar| self.store.join(jar)).collect())
    }

    /// The jar of a program whose path contains a word.
    pub fn jar(&self, name: &str, word: &str) -> Result<PathBuf> {
        self.fetch(name)?;
        let jars = self.jars(name)?;
        let jar = jars.iter().find(|jar| jar.contains(word));
        Ok(self.store.join(jar.with_context(|| format!("{name}: no jar {word}"))?))
    }

    /// Rewrites a program into a folder: all jars by one command, laid out as the store has them.
    pub fn rewrite(&self, name: &str, jdk: &Jdk, folder: &Path) -> Result<Change> {
        let jars = self.jars(name)?;
        let (out, overlay) = (output(folder), folder.join("overlay"));
        if jars.is_empty() {
            return Ok(("JAVA_OPTS", self.module_flags(jdk, &out)?));
        }
        self.jfathom.rewrite(jars.iter().map(|jar| self.store.join(jar)), &out, &[])?;
        for jar in jars {
            let name = Path::new(&jar).file_name().context("a jar has a name")?;
            let place = overlay.join(&jar);
            fs::create_dir_all(place.parent().context("a jar has a folder")?)?;
            fs::hard_link(out.join(name), &place)
                .with_context(|| format!("no {} among the output", name.display()))?;
        }
        Ok(("OVERLAY", overlay.into_os_string()))
    }

    /// Rewrites javac's module and gives the JVM flags that put it in place.
    fn module_flags(&self, jdk: &Jdk, out: &Path) -> Result<OsString> {
        let mut rewrite = self.jfathom.command();
        rewrite.args(["rewrite", "-q", "jrt:/jdk.compiler"]).env("JAVA_HOME", &jdk.home);
        shell::output(rewrite.arg("-o").arg(out))?;
        let inspected = shell::output(self.jfathom.command().arg("inspect").arg(out))?;
        let mut lines = inspected.lines();
        let flags = lines.find_map(|line| line.trim().strip_prefix("flags "));
        Ok(flags.context("inspect names no flags")?.trim().into())
    }

    /// `record OPTIONS -o PROFILE` of a program.
    pub fn record(&self, name: &str, jdk: &Jdk, profile: &Path, options: &[&str]) -> Command {
        let mut record = self.jfathom.record(profile, options);
        record.arg("bash").arg(self.scripts.join("run.sh")).arg(name);
        record.env("JAVA", jdk.java()).env_remove("OVERLAY");
        record
    }

    fn outcome(&self, command: &mut Command) -> Result<Outcome> {
        read_outcome(&shell::output(command)?)
    }

    /// What a run took, and the checksum of what the program printed.
    pub fn spent(&self, command: &mut Command) -> Result<(Spent, String)> {
        let (spent, text) = Spent::by(command)?;
        Ok((spent, read_outcome(&text)?.sum))
    }

    /// All calls of a profile, and the methods that were called.
    fn calls(&self, profile: &Path) -> Result<(f64, usize)> {
        let report = self.jfathom.report(profile)?;
        let methods = report["methods"].as_array().context("no methods")?;
        let calls: Vec<f64> = methods.iter().filter_map(|row| row["calls"].as_f64()).collect();
        Ok((calls.iter().sum(), calls.iter().filter(|calls| **calls > 0.0).count()))
    }
}

fn read_outcome(text: &str) -> Result<Outcome> {
    let line = text.lines().find(|line| line.contains(" sum=")).context("run.sh printed no sum")?;
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

/// The output directory of a rewriting in this folder.
pub fn output(folder: &Path) -> PathBuf {
    folder.join("out")
}
