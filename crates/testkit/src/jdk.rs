//! The JVMs of this machine.

use std::{
    fmt,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

/// A Java installation: a JDK, or a runtime without compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// Its feature version: 17.
    pub version: u32,
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JVM {} at {}", self.version, self.home.display())
    }
}

impl Jdk {
    /// A program of its `bin` folder.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// Its `java`.
    pub fn java(&self) -> PathBuf {
        self.tool("java")
    }

    /// The installation in this folder, if its `java` answers.
    pub fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        let output = Command::new(home.join("bin/java")).arg("-version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr);
        let quoted = text.split('"').nth(1)?;
        let version = quoted.split(['.', '-', '+']).next()?.parse().ok()?;
        Some(Self { home, version })
    }
}

/// The JDK that compiles the samples and runs them where nothing else is asked for: 17 or later,
/// with `javac`.
pub fn main() -> &'static Jdk {
    static MAIN: OnceLock<Jdk> = OnceLock::new();
    MAIN.get_or_init(|| {
        candidates()
            .filter(|home| home.join("bin/javac").is_file())
            .filter_map(|home| Jdk::at(&home))
            .find(|jdk| jdk.version >= 17)
            .expect("no JDK of version 17 or later: install one (Debian: openjdk-17-jdk-headless) or set JAVA_HOME")
    })
}

/// JVM 25 (`JFATHOM_JDK25`, or an installed one); without one, says that `test` is skipped.
pub fn jdk25(test: &str) -> Option<&'static Jdk> {
    static FOUND: OnceLock<Option<Jdk>> = OnceLock::new();
    said(FOUND.get_or_init(|| find("JFATHOM_JDK25", 25)), 25, test)
}

/// JVM 21 (`JFATHOM_JRE21`, or an installed one); without one, says that `test` is skipped.
pub fn jre21(test: &str) -> Option<&'static Jdk> {
    static FOUND: OnceLock<Option<Jdk>> = OnceLock::new();
    said(FOUND.get_or_init(|| find("JFATHOM_JRE21", 21)), 21, test)
}

/// JVM 11 (`JFATHOM_JRE11`, or an installed one); without one, says that `test` is skipped.
pub fn jre11(test: &str) -> Option<&'static Jdk> {
    static FOUND: OnceLock<Option<Jdk>> = OnceLock::new();
    said(FOUND.get_or_init(|| find("JFATHOM_JRE11", 11)), 11, test)
}

/// The main JDK, and one JVM of each other version that is here.
pub fn all(test: &str) -> Vec<&'static Jdk> {
    let others = [jre11(test), jre21(test), jdk25(test)].into_iter().flatten();
    let others = others.filter(|jdk| jdk.version != main().version);
    std::iter::once(main()).chain(others).collect()
}

/// The main JDK, and JVM 25 where there is one and it is not the same.
pub fn main_and_25(test: &str) -> Vec<&'static Jdk> {
    let mut all = vec![main()];
    all.extend(jdk25(test).filter(|jdk| jdk.version != main().version));
    all
}

fn said(found: &'static Option<Jdk>, version: u32, test: &str) -> Option<&'static Jdk> {
    if found.is_none() {
        eprintln!("{test}: skipped for JVM {version}, of which there is none here");
    }
    found.as_ref()
}

fn find(variable: &str, version: u32) -> Option<Jdk> {
    let installed = || candidates().find_map(|home| of_version(&home, version));
    from_variable(variable, version).or_else(installed)
}

fn from_variable(variable: &str, version: u32) -> Option<Jdk> {
    let home = PathBuf::from(std::env::var_os(variable).filter(|value| !value.is_empty())?);
    let jdk = of_version(&home, version);
    assert!(jdk.is_some(), "{variable}={} is no JVM of version {version}", home.display());
    jdk
}

fn of_version(home: &Path, version: u32) -> Option<Jdk> {
    Jdk::at(home).filter(|jdk| jdk.version == version)
}

/// `JAVA_HOME`, the `javac` on the path, and all of `/usr/lib/jvm`, in this order.
fn candidates() -> impl Iterator<Item = PathBuf> {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    let on_path = std::env::var_os("PATH")
        .into_iter()
        .flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let on_path = on_path.filter_map(|folder| {
        let javac = folder.join("javac").canonicalize().ok()?;
        Some(javac.parent()?.parent()?.to_path_buf())
    });
    let mut installed: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|home| home.join("bin/java").is_file())
        .collect();
    installed.sort();
    home.into_iter().chain(on_path).chain(installed)
}
