//! Java homes of this machine.

use crate::failure::usage;
use anyhow::Result;
use std::path::{Path, PathBuf};

/// What to say where there is no Java.
const NO_JAVA: &str = "no Java found; install a JDK 17 or later (Debian: `apt install openjdk-17-jdk-headless`) or set JAVA_HOME";
/// What to say where there is no compiler.
const NO_JDK: &str = "no Java compiler found; install a JDK 17 or later (Debian: `apt install openjdk-17-jdk-headless`) or set JAVA_HOME";

/// The Java home to use: the one that was asked for, `JAVA_HOME`, that of `java` on the path, or
/// one below `/usr/lib/jvm`.
pub(crate) fn home(asked: Option<&Path>) -> Result<PathBuf> {
    find(asked, "java", NO_JAVA)
}

/// As [`home`], with a compiler.
pub(crate) fn jdk(asked: Option<&Path>) -> Result<PathBuf> {
    find(asked, "javac", NO_JDK)
}

fn find(asked: Option<&Path>, tool: &str, without: &'static str) -> Result<PathBuf> {
    let has = |home: &PathBuf| home.join("bin").join(tool).is_file();
    if let Some(home) = asked.map(Path::to_owned) {
        return match has(&home) {
            true => Ok(home),
            false => {
                Err(usage(format!("{}: has no bin/{tool}; name another Java home", home.display())))
            }
        };
    }
    let variable = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let found = variable
        .filter(has)
        .or_else(|| on_path(tool).filter(has))
        .or_else(|| installed().into_iter().find(has));
    found.ok_or_else(|| anyhow::anyhow!(without))
}

/// The home of the first tool of this name on the path, behind its symbolic links.
fn on_path(tool: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let found =
        std::env::split_paths(&path).map(|folder| folder.join(tool)).find(|tool| tool.is_file())?;
    let home = found.canonicalize().ok()?.parent()?.parent()?.to_owned();
    // A launcher script such as jenv's or SDKMAN's lies outside of any home.
    home.join("lib/modules").is_file().then_some(home)
}

/// Java homes where Linux distributions put them.
fn installed() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/usr/lib/jvm") else { return Vec::new() };
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    homes
}
