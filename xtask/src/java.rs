//! The JDKs that jobs use.

use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// A JDK and its feature version.
#[derive(Clone, Debug)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// 17, 25, …
    pub version: u32,
}

impl Jdk {
    fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        let output = Command::new(home.join("bin/java")).arg("-version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let version = text.split('"').nth(1)?.split('.').next()?.parse().ok()?;
        Some(Self { home, version })
    }
}

/// `JAVA_HOME`, or the first JDK in `/usr/lib/jvm`.
pub fn main() -> Result<Jdk> {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    home.into_iter()
        .chain(installed())
        .filter(|home| home.join("bin/javac").is_file())
        .find_map(|home| Jdk::at(&home))
        .context("no JDK: set JAVA_HOME")
}

/// [`main`], and JVM 25 where there is one: what figures are measured on.
pub fn main_and_25() -> Result<Vec<Jdk>> {
    let first = main()?;
    let given = std::env::var_os("JFATHOM_JDK25").map(PathBuf::from);
    let newer = given
        .into_iter()
        .chain(installed())
        .filter_map(|home| Jdk::at(&home))
        .find(|jdk| jdk.version == 25);
    let other = newer.filter(|newer| newer.version != first.version);
    Ok(std::iter::once(first).chain(other).collect())
}

fn installed() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|home| home.join("bin/java").is_file())
        .collect();
    homes.sort();
    homes
}
