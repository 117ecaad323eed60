//! The jars and class folders on which rewriting is measured.

use crate::{java::Jdk, shell};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Something to rewrite.
pub struct Program {
    /// Short name for tables.
    pub name: &'static str,
    /// A jar, or a folder of classes.
    pub path: PathBuf,
}

/// closure, ecj and Scala's library, out of the corpus.
pub fn jars() -> Result<Vec<Program>> {
    let store = store();
    let jar = |name, workload, contains: &str| -> Result<Program> {
        let jars = shell::output(&mut script("run.sh", &["-c", workload])?)?;
        let jar = jars
            .lines()
            .find(|jar| jar.contains(contains))
            .with_context(|| format!("{workload}: no {contains}"))?;
        Ok(Program { name, path: store.join(jar) })
    };
    Ok(vec![
        jar("closure", "closure", "compiler")?,
        jar("ecj", "ecj", "jdt")?,
        jar("scala-library", "scalac", "scala-library")?,
    ])
}

/// Where the corpus keeps what it has fetched.
pub fn store() -> PathBuf {
    let store = std::env::var_os("CORPUS").map(PathBuf::from);
    store.unwrap_or_else(|| {
        PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache/corpus")
    })
}

/// The jars of a program of the corpus.
pub fn class_path(workload: &str) -> Result<Vec<PathBuf>> {
    let jars = shell::output(&mut script("run.sh", &["-c", workload])?)?;
    Ok(jars.lines().map(|jar| store().join(jar)).collect())
}

/// A script of the corpus.
pub fn script(name: &str, arguments: &[&str]) -> Result<Command> {
    let scripts = shell::folder("JFATHOM_CORPUS", "the folder with fetch.sh and run.sh")?;
    let mut command = Command::new("bash");
    command.arg(scripts.join(name)).args(arguments).env_remove("OVERLAY");
    Ok(command)
}

/// The classes of a JDK's module, unpacked below `folder`.
pub fn module(jdk: &Jdk, module: &'static str, folder: &Path) -> Result<Program> {
    let out = folder.join(format!("{}", jdk.version));
    shell::output(
        Command::new(jdk.tool("jimage"))
            .arg("extract")
            .arg(format!("--include=regex:/{}/.*", module.replace('.', "\\.")))
            .arg("--dir")
            .arg(&out)
            .arg(jdk.home.join("lib/modules")),
    )?;
    Ok(Program { name: module, path: out.join(module) })
}
