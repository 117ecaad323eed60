//! Java homes of this machine.

use crate::error::{Error, Result, usage};
use std::path::PathBuf;

/// What to do where there is none.
const INSTALL: &str = "install a JDK 17 or later (Debian: `apt install openjdk-17-jdk-headless`) or \
                       set JAVA_HOME";

/// The Java home to use: `JAVA_HOME`, else that of `java` on the path, else one below
/// `/usr/lib/jvm`.
///
/// # Errors
/// Fails if `JAVA_HOME` has no `bin/java`, or if there is no Java.
pub fn java_home() -> Result<PathBuf> {
    find("java", "no Java found")
}

/// As [`java_home`], with a compiler.
///
/// # Errors
/// Fails if `JAVA_HOME` has no `bin/java`, or if there is no compiler.
pub fn jdk_home() -> Result<PathBuf> {
    find("javac", "no Java compiler found")
}

fn find(tool: &str, missing: &'static str) -> Result<PathBuf> {
    let has_tool = |home: &PathBuf| home.join("bin").join(tool).is_file();
    let variable = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    // A runtime without a compiler is a home, too.
    if let Some(home) = variable.as_ref().filter(|home| !home.join("bin/java").is_file()) {
        return Err(usage(format!("JAVA_HOME {}: has no bin/java", home.display())));
    }
    let found = variable
        .filter(has_tool)
        .or_else(|| on_path(tool).filter(has_tool))
        .or_else(|| installed().into_iter().find(has_tool));
    found.ok_or_else(|| Error::NoJava { problem: format!("{missing}; {INSTALL}") })
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
