//! Java homes of this machine.

use crate::failure::usage;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// What to say where there is no Java.
pub(crate) const NO_JAVA: &str =
    "no Java found; install a JDK 17 or later (Debian: `apt install openjdk-17-jdk-headless`) or set JAVA_HOME";

/// The Java home to use: the one that was asked for, `JAVA_HOME`, that of `java` on the path, or one below `/usr/lib/jvm`.
pub(crate) fn home(asked: Option<&Path>) -> Result<PathBuf> {
    if let Some(home) = asked {
        return match home.join("bin/java").is_file() {
            true => Ok(home.to_owned()),
            false => Err(usage(format!("{}: has no bin/java; name the home directory of a Java", home.display()))),
        };
    }
    let variable = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(|home| home.join("bin/java").is_file());
    variable.or_else(on_path).or_else(installed).ok_or_else(|| anyhow::anyhow!(NO_JAVA))
}

/// The home of the first `java` on the path, behind its symbolic links.
fn on_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let launcher = std::env::split_paths(&path).map(|folder| folder.join("java")).find(|java| java.is_file())?;
    let home = launcher.canonicalize().ok()?.parent()?.parent()?.to_owned();
    // A launcher script such as jenv's or SDKMAN's lies outside of any home.
    (home.join("lib/modules").is_file() || home.join("lib").join("jvm.cfg").is_file()).then_some(home)
}

fn installed() -> Option<PathBuf> {
    let mut homes: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm").ok()?.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    homes.into_iter().find(|home| home.join("bin/java").is_file())
}
