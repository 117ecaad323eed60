//! The samples, compiled once for all tests of a process.

use crate::truth::{self, Sample};
pub use jfathom_testkit::java_files;
use jfathom_testkit::{Javac, Jdk, process_dir};
use std::{
    fs,
    path::{Path, PathBuf},
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
#[track_caller]
pub fn javac(options: &[&str], source: &Path, classes: &Path) {
    compile(Javac::release(17), options, source, classes);
}

/// Compiles all Java files below `source` for a release.
#[track_caller]
pub fn javac_for(release: u32, options: &[&str], source: &Path, classes: &Path) {
    compile(Javac::release(release), options, source, classes);
}

/// Compiles all Java files below `source` for a release, with the compiler of a JDK.
#[track_caller]
pub fn javac_of(jdk: &Jdk, release: u32, options: &[&str], source: &Path, classes: &Path) {
    compile(Javac::release(release).of(jdk), options, source, classes);
}

#[track_caller]
fn compile(javac: Javac, options: &[&str], source: &Path, classes: &Path) {
    let javac = options.iter().fold(javac.option("-g"), |javac, option| javac.option(*option));
    javac.compile(&java_files(source), classes);
}

/// A folder of a test's own, removed with the value; [`process_dir`] is for what all tests of a
/// process share.
pub fn temp_dir() -> TempDir {
    tempfile::Builder::new()
        .prefix("jfathom-test-")
        .tempdir()
        .expect("a temporary folder can be made")
}
