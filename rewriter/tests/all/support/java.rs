//! Sources, their classes, and runs of the harness.

use jfathom_testkit::Javac;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the Java sources lie.
pub fn sources(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder)
}

/// Compiles sources into `out`, for class files of `release`.
pub fn javac(release: u32, sources: &[PathBuf], out: &Path) {
    Javac::release(release).option("-g").compile(sources, out);
}

/// Compiles sources of a JDK module's package into `out`, for class files of Java 11.
pub fn javac_into(module: &str, sources: &[PathBuf], out: &Path) {
    let package = sources[0].ancestors().nth(3).expect("a package");
    ["-source", "11", "-target", "11"]
        .into_iter()
        .fold(Javac::plain(), Javac::option)
        .option(format!("--patch-module={module}={}", package.display()))
        .compile(sources, out);
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
