//! JDKs, javac, and runs of the harness.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program of the default JDK: `JAVA_HOME`'s, or the one on the path.
pub fn tool(name: &str) -> PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => Path::new(&home).join("bin").join(name),
        None => PathBuf::from(name),
    }
}

/// The `java` of a JDK 25, by `JFATHOM_JDK25` or among the machine's JDKs; none, and a line that
/// says so, without one.
pub fn java25() -> Option<PathBuf> {
    if let Some(home) = std::env::var_os("JFATHOM_JDK25") {
        return Some(Path::new(&home).join("bin/java"));
    }
    let homes =
        std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_25 = |home: &PathBuf| {
        std::fs::read_to_string(home.join("release"))
            .is_ok_and(|text| text.contains("JAVA_VERSION=\"25"))
    };
    let found = homes.filter(is_25).map(|home| home.join("bin/java")).find(|java| java.exists());
    if found.is_none() {
        eprintln!("skipped on JDK 25: none found (set JFATHOM_JDK25)");
    }
    found
}

/// The `java` of a JRE whose home an environment variable names; none, and a line that says so,
/// without one.
pub fn jre(variable: &str) -> Option<PathBuf> {
    let found = std::env::var_os(variable).map(|home| Path::new(&home).join("bin/java"));
    if found.is_none() {
        eprintln!("skipped on one more JRE: {variable} is not set");
    }
    found
}

/// Where the Java sources lie.
pub fn sources(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder)
}

/// All `.java` files below a folder.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(java_files(&path));
        } else if path.extension() == Some(OsStr::new("java")) {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Compiles sources into `out`, for class files of `release`.
pub fn javac(release: u32, sources: &[PathBuf], out: &Path) {
    std::fs::create_dir_all(out).expect("an output folder");
    let output = Command::new(tool("javac"))
        .args(["-g", "-nowarn", "-Xlint:-options", "-proc:none", "--release"])
        .arg(release.to_string())
        .arg("-d")
        .arg(out)
        .args(sources)
        .output()
        .expect("javac of a JDK 17 or later is on the path");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles sources of a JDK module's package into `out`, for class files of Java 11.
pub fn javac_into(module: &str, sources: &[PathBuf], out: &Path) {
    std::fs::create_dir_all(out).expect("an output folder");
    let output = Command::new(tool("javac"))
        .args(["-nowarn", "-Xlint:-options", "-proc:none", "-source", "11", "-target", "11"])
        .arg(format!(
            "--patch-module={module}={}",
            sources[0].ancestors().nth(3).expect("a package").display()
        ))
        .arg("-d")
        .arg(out)
        .args(sources)
        .output()
        .expect("javac of a JDK 17 or later is on the path");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}

/// All class files below a folder: path within it, bytes.
pub fn classes(folder: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(folder: &Path, prefix: &str, found: &mut Vec<(String, Vec<u8>)>) {
        for entry in std::fs::read_dir(folder).expect("a folder of classes").flatten() {
            let name = entry.file_name().into_string().expect("a plain file name");
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{prefix}{name}/"), found);
            } else if name.ends_with(".class") {
                found.push((
                    format!("{prefix}{name}"),
                    std::fs::read(entry.path()).expect("a class file"),
                ));
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, "", &mut found);
    found.sort();
    found
}

pub fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    std::fs::write(path, bytes).expect("a class file written");
}

/// What the harness says of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub folder: String,
    pub class: String,
    pub link: String,
    pub run: String,
    pub log: String,
}

/// Runs `Check` over the folders in one JVM.
pub fn check(java: &Path, harness: &Path, flags: &[&str], folders: &[&Path]) -> Vec<Outcome> {
    let output = Command::new(java)
        .args(["-Xshare:auto", "-Xverify:all", "-XX:TieredStopAtLevel=1"])
        .args(flags)
        .arg("-cp")
        .arg(harness)
        .arg("Check")
        .args(folders)
        .output()
        .expect("java starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text.lines()
        .map(|line| {
            let mut parts = line.split('\t').map(str::to_owned);
            let mut next = || parts.next().unwrap_or_default();
            Outcome { folder: next(), class: next(), link: next(), run: next(), log: next() }
        })
        .collect()
}

/// What the JVM says of its compilations when it compiles each `big()V` before its first call.
pub fn compiled(java: &Path, harness: &Path, folders: &[&Path]) -> String {
    let output = Command::new(java)
        .args(["-Xcomp", "-Xbatch", "-XX:TieredStopAtLevel=1", "-XX:+PrintCompilation"])
        .args(["-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,Huge*::big"])
        .arg("-cp")
        .arg(harness)
        .arg("Check")
        .args(folders)
        .output()
        .expect("java starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("\tok\tdone\t").count(), folders.len() * 5, "all ran: {text}");
    text
}
