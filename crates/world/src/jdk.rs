//! Choice of the JDK, and its version.

use crate::Error;
use std::path::{Path, PathBuf};

/// Facts about the JDK of a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JdkInfo {
    /// Its home directory.
    pub home: PathBuf,
    /// The feature release, such as 17.
    pub release: u16,
    /// The version in its `release` file, such as `17.0.12`. Without that file the feature release.
    pub version: String,
}

/// The home to use: the requested one, else `JAVA_HOME`, else the first of `java` on the path and
/// `/usr/lib/jvm/*` that has modules.
pub(crate) fn find(asked: Option<&Path>) -> Result<PathBuf, Error> {
    let variable = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty());
    if let Some(home) = asked.map(Path::to_owned).or(variable.map(PathBuf::from)) {
        return check(&home).map(|()| home);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&folders)
        .map(|folder| folder.join("java"))
        .find(|tool| tool.is_file());
    let behind_links =
        on_path.and_then(|tool| Some(tool.canonicalize().ok()?.parent()?.parent()?.to_owned()));
    behind_links.into_iter().chain(installed()).find(|home| has_modules(home)).ok_or(Error::NoJdk)
}

fn check(home: &Path) -> Result<(), Error> {
    if has_modules(home) {
        return Ok(());
    }
    let no_jdk =
        |problem: &str| Error::NotAJdk { home: home.to_owned(), problem: problem.to_owned() };
    if !home.exists() {
        return Err(no_jdk("there is no such directory"));
    }
    if !home.is_dir() {
        return Err(no_jdk("is no directory"));
    }
    let is_old = ["lib/rt.jar", "jre/lib/rt.jar"].iter().any(|file| home.join(file).is_file());
    match version_of(home) {
        Some(version) if is_old || feature(&version).is_some_and(|feature| feature < 9) => {
            Err(Error::TooOld { home: home.to_owned(), version })
        }
        None if is_old => {
            Err(Error::TooOld { home: home.to_owned(), version: "8 or before".to_owned() })
        }
        _ => Err(no_jdk("has neither lib/modules nor jmods")),
    }
}

fn has_modules(home: &Path) -> bool {
    home.join("lib/modules").is_file() || home.join("jmods/java.base.jmod").is_file()
}

/// Java homes where Linux distributions put them, by name.
fn installed() -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir("/usr/lib/jvm") else { return Vec::new() };
    let mut homes: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    homes.sort();
    homes
}

/// `JAVA_VERSION` of the file `release`.
pub(crate) fn version_of(home: &Path) -> Option<String> {
    let text = jfathom_archive::read_release(home)?;
    let text = String::from_utf8_lossy(&text);
    let value =
        text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?.trim().trim_matches('"');
    (!value.is_empty()).then(|| value.to_owned())
}

/// The feature release of a version: 8 of `1.8.0_392`, 17 of `17.0.12+7`.
pub(crate) fn feature(version: &str) -> Option<u16> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    match numbers.next()?.ok()? {
        1 => numbers.next()?.ok(),
        number => Some(number),
    }
}

#[cfg(test)]
mod tests;
