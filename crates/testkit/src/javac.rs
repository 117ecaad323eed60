//! Compiled Java sources, kept between tests and runs.
//!
//! Starting `javac` takes longer than most tests. So what it made of the same sources with the same
//! options lies in `tmp/javac` of the target folder, and is copied from there.

use crate::{Jdk, jdk, process_dir::target_tmp};
use std::{
    fs::{self, File},
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

/// Variables that change what `javac` does.
const FOREIGN: [&str; 4] =
    ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "CLASSPATH"];

/// A compiler and its options.
#[derive(Clone, Debug)]
pub struct Javac {
    jdk: Jdk,
    options: Vec<String>,
}

impl Javac {
    /// The main JDK's compiler, for this release of Java.
    pub fn release(release: u32) -> Self {
        Self::plain().option("--release").option(release.to_string())
    }

    /// The main JDK's compiler, for its own release and with access to its internals.
    pub fn plain() -> Self {
        let options = ["-nowarn", "-Xlint:-options", "-proc:none", "-encoding", "UTF-8"];
        Self { jdk: jdk::main().clone(), options: options.map(str::to_owned).to_vec() }
    }

    /// The compiler of another JDK.
    pub fn of(mut self, jdk: &Jdk) -> Self {
        self.jdk = jdk.clone();
        self
    }

    /// One more word on the command line.
    pub fn option(mut self, option: impl Into<String>) -> Self {
        self.options.push(option.into());
        self
    }

    /// Compiles the sources into the folder, which is made where it is missing. The test fails
    /// where they do not compile.
    #[track_caller]
    pub fn compile(&self, sources: &[PathBuf], out: &Path) {
        // What lies at a path that an option names may change.
        if self.options.iter().any(|option| option.contains('/')) {
            return self.run(sources, out);
        }
        let cache = target_tmp().join("javac");
        fs::create_dir_all(&cache).expect("the target folder can be written");
        let key = self.key(sources);
        let lock = File::create(cache.join(format!("{key:016x}.lock"))).expect("a lock file");
        lock.lock().expect("the lock");
        let kept = cache.join(format!("{key:016x}"));
        if !kept.exists() {
            let half = cache.join(format!("{key:016x}.half"));
            // A killed test leaves one.
            let _ = fs::remove_dir_all(&half);
            self.run(sources, &half);
            fs::rename(&half, &kept).expect("a folder beside it");
        }
        copy(&kept, out);
    }

    /// Equal for the same compiler, options and sources, wherever the sources lie.
    fn key(&self, sources: &[PathBuf]) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.jdk.home.hash(&mut hasher);
        fs::read(self.jdk.home.join("release")).ok().hash(&mut hasher);
        self.options.hash(&mut hasher);
        for source in sources {
            source.file_name().hash(&mut hasher);
            fs::read(source)
                .unwrap_or_else(|error| panic!("{}: {error}", source.display()))
                .hash(&mut hasher);
        }
        hasher.finish()
    }

    #[track_caller]
    fn run(&self, sources: &[PathBuf], out: &Path) {
        fs::create_dir_all(out).expect("a folder for classes");
        let mut javac = Command::new(self.jdk.tool("javac"));
        for variable in FOREIGN {
            javac.env_remove(variable);
        }
        javac.args(&self.options).arg("-d").arg(out).args(sources);
        let output = javac.output().expect("javac runs");
        assert!(
            output.status.success(),
            "{javac:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// All Java files below the folder, sorted.
pub fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|end| end == "java"));
    files
}

/// All class files below the folder, sorted: path within it, bytes.
pub fn class_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = files_below(folder);
    files.retain(|path| path.extension().is_some_and(|end| end == "class"));
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).expect("it lies below");
        let name = name.to_str().expect("a plain file name").to_owned();
        (name, fs::read(&path).expect("a class file"))
    };
    files.into_iter().map(read).collect()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("the folder can be read").path()) {
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for classes");
    for file in files_below(from) {
        let to = to.join(file.strip_prefix(from).expect("it lies below"));
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder for classes");
        fs::copy(file, to).expect("a class file");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_sources_or_options_is_compiled_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("A.java");
        let compiled = |javac: Javac, text: &str, out: &str| {
            fs::write(&source, text).expect("a source");
            javac.compile(std::slice::from_ref(&source), &folder.path().join(out));
            class_files(&folder.path().join(out))
        };
        let first = compiled(Javac::release(11), "package p; class A {}", "first");
        assert_eq!(first.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["p/A.class"]);
        assert_eq!(compiled(Javac::release(11), "package p; class A {}", "same"), first);
        assert_ne!(compiled(Javac::release(17), "package p; class A {}", "release"), first);
        assert_ne!(compiled(Javac::release(11), "package p; class A { int a; }", "text"), first);
    }

    #[test]
    #[should_panic(expected = "A.java")]
    fn sources_that_do_not_compile_fail_the_test() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("A.java");
        fs::write(&source, "class {").expect("a source");
        Javac::release(11).compile(&[source], &folder.path().join("out"));
    }
}
