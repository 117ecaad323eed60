//! The samples, compiled once for all tests of a process.

use crate::{
    jdk,
    jdk::Jdk,
    run,
    truth::{self, Sample},
};
use jfathom_testkit::process_dir;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};
use tempfile::TempDir;

/// Folders of class files, one for each source folder in `samples/`. They live as long as the
/// process.
#[derive(Debug)]
pub struct Compiled {
    /// `samples/java`: package `samples`.
    pub java: PathBuf,
    /// `samples/demo`.
    pub demo: PathBuf,
    /// `samples/modular`: the module `samples.modular`.
    pub modular: PathBuf,
    /// `samples/isolated`.
    pub isolated: PathBuf,
}

/// The folder `samples` of the workspace.
pub fn sources() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).join("samples")
}

/// All samples, compiled with the main JDK for release 17.
pub fn compiled() -> &'static Compiled {
    static COMPILED: OnceLock<(TempDir, Compiled)> = OnceLock::new();
    let (_, compiled) = COMPILED.get_or_init(|| {
        let folder = process_dir();
        let compile = |name: &str| {
            let classes = folder.path().join(name);
            javac(&["-parameters"], &sources().join(name), &classes);
            classes
        };
        let compiled = Compiled {
            java: compile("java"),
            demo: compile("demo"),
            modular: compile("modular"),
            isolated: compile("isolated"),
        };
        (folder, compiled)
    });
    compiled
}

/// The samples of `samples/java` with their truth, by name.
pub fn all() -> &'static [Sample] {
    static ALL: OnceLock<Vec<Sample>> = OnceLock::new();
    ALL.get_or_init(|| {
        let folder = sources().join("java/samples");
        let mut samples: Vec<Sample> =
            java_files(&folder).iter().map(|path| read_sample(path)).collect();
        samples.retain(|sample| sample.has_main);
        assert!(samples.len() > 15, "only {} samples in {}", samples.len(), folder.display());
        samples
    })
}

/// The truth that stands in one source file.
pub fn read_sample(path: &Path) -> Sample {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    truth::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The samples that run together in one JVM under `samples.All`: their simple names.
pub fn together(with_roots: bool) -> Vec<&'static str> {
    all()
        .iter()
        .filter(|sample| {
            !sample.alone && sample.roots.is_empty() != with_roots && sample.name != "All"
        })
        .map(|sample| sample.name.as_str())
        .collect()
}

/// Compiles all Java files below `source` for release 17.
pub fn javac(options: &[&str], source: &Path, classes: &Path) {
    javac_for("17", options, source, classes);
}

/// Compiles all Java files below `source` for a release.
pub fn javac_for(release: &str, options: &[&str], source: &Path, classes: &Path) {
    javac_of(jdk::main(), release, options, source, classes);
}

/// Compiles all Java files below `source` for a release, with the compiler of a JDK.
pub fn javac_of(jdk: &Jdk, release: &str, options: &[&str], source: &Path, classes: &Path) {
    let mut command = Command::new(jdk.tool("javac"));
    command
        .args(["-nowarn", "-g", "--release", release, "-encoding", "UTF-8", "-d"])
        .arg(classes)
        .args(options);
    run::run(command.args(java_files(source))).fine();
}

/// A folder of a test's own, removed with the value; [`process_dir`] is for what all tests of a
/// process share.
pub fn temp_dir() -> TempDir {
    tempfile::Builder::new()
        .prefix("jfathom-test-")
        .tempdir()
        .expect("a temporary folder can be made")
}

/// All Java files below `folder`, sorted.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("folders of the workspace can be read").path())
        {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "java") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
