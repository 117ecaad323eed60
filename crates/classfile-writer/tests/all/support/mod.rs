//! What the tests share: a JVM to judge classes, streams of classes, and ways to splice every
//! method of a class.
#![allow(dead_code)]

pub mod builder;
pub mod stress;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A class by name.
pub type Named = (String, Vec<u8>);

/// A directory of this test's own, with the Java helper compiled in it.
pub struct Jvm {
    dir: tempfile::TempDir,
    java: PathBuf,
}

impl Jvm {
    /// The JDK on the path.
    pub fn new() -> Jvm {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let helper = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/Link.java");
        let jvm = Jvm { dir, java: "java".into() };
        jvm.javac(&["-d", &jvm.path("helper"), &helper.to_string_lossy()]);
        jvm
    }

    /// The same helper on another JVM.
    pub fn with_java(mut self, java: PathBuf) -> Jvm {
        self.java = java;
        self
    }

    pub fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_string_lossy().into_owned()
    }

    pub fn javac(&self, args: &[&str]) {
        let output = Command::new("javac")
            .args(args)
            .output()
            .expect("javac on the path (install a JDK 17 or later)");
        assert!(
            output.status.success(),
            "javac {args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// Compiles the Java file of that name in `tests/java`, and returns its classes.
    pub fn compile(&self, name: &str, options: &[&str]) -> Vec<Named> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(name);
        let out = tempfile::tempdir_in(self.dir.path()).expect("a temporary directory");
        let (out_path, source) =
            (out.path().to_string_lossy().into_owned(), source.to_string_lossy().into_owned());
        let mut args = vec!["-Xlint:none", "-nowarn", "-d", &out_path, &source];
        args.extend(options);
        self.javac(&args);
        let mut classes: Vec<Named> = std::fs::read_dir(out.path())
            .expect("the directory of classes")
            .map(|entry| entry.expect("a directory entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "class"))
            .map(|path| {
                let name = path.file_stem().expect("a file name").to_string_lossy().into_owned();
                (name, std::fs::read(&path).expect("a class file"))
            })
            .collect();
        classes.sort();
        classes
    }

    /// All classes of modules of the JDK.
    pub fn dump(&self, modules: &str) -> Vec<Named> {
        let file = self.path("dump");
        self.java(&["dump", &file, modules]);
        read(&file)
    }

    /// Links each set of classes; fails if one links otherwise than in the first. Returns how many
    /// of the first link.
    pub fn link(&self, sets: &[&[Named]]) -> usize {
        let output = self.on_sets("link", None, sets);
        let different: Vec<&str> =
            output.lines().filter(|line| line.starts_with("DIFFERENT")).take(20).collect();
        assert!(
            different.is_empty(),
            "{}\n{}",
            different.join("\n"),
            output.lines().last().unwrap_or_default()
        );
        let linked = output
            .lines()
            .find_map(|line| line.strip_prefix("LINKED "))
            .expect("a line with the count");
        linked.split(' ').next().and_then(|count| count.parse().ok()).expect("a count")
    }

    /// Runs `static String run()` of a class in each set; returns what each gave.
    pub fn run(&self, class: &str, sets: &[&[Named]]) -> Vec<String> {
        let output = self.on_sets("run", Some(class), sets);
        output.split("RESULT ").skip(1).map(|result| result.trim_end().to_string()).collect()
    }

    /// Runs `static String run()` of each class in one set; returns what each gave.
    pub fn run_each(&self, classes: &[&str], set: &[Named]) -> Vec<String> {
        let output = self.on_sets("run", Some(&classes.join(",")), &[set]);
        output.split("RESULT ").skip(1).map(|result| result.trim_end().to_string()).collect()
    }

    fn on_sets(&self, command: &str, class: Option<&str>, sets: &[&[Named]]) -> String {
        let files: Vec<String> =
            (0..sets.len()).map(|number| self.path(&format!("set{number}"))).collect();
        let mut args = vec![command];
        args.extend(class);
        for (file, set) in files.iter().zip(sets) {
            write(file, set);
            args.push(file);
        }
        self.java(&args)
    }

    fn java(&self, args: &[&str]) -> String {
        let output = Command::new(&self.java)
            .args([
                "-Xverify:all",
                "-Xshare:auto",
                "-XX:-PrintWarnings",
                "-cp",
                &self.path("helper"),
                "Link",
            ])
            .args(args)
            .output()
            .expect("java on the path (install a JDK 17 or later)");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "java {args:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        text
    }
}

/// The JDK 25, if this machine has one.
pub fn java_25() -> Option<PathBuf> {
    let named = std::env::var_os("JFATHOM_JDK25").map(PathBuf::from).into_iter();
    let installed =
        std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    named.chain(installed).map(|home| home.join("bin/java")).find(|java| {
        let Ok(output) = Command::new(java).arg("-version").output() else { return false };
        String::from_utf8_lossy(&output.stderr).contains("version \"25")
    })
}

/// Reads a stream of classes.
pub fn read(file: &str) -> Vec<Named> {
    let bytes = std::fs::read(file).expect("the stream of classes");
    let mut rest = &bytes[..];
    let mut classes = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<2>() {
        let (name, after) = after.split_at(usize::from(u16::from_be_bytes(*length)));
        let (length, after) = after.split_first_chunk::<4>().expect("a length");
        let (class, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        classes.push((String::from_utf8_lossy(name).into_owned(), class.to_vec()));
        rest = after;
    }
    classes
}

fn write(file: &str, classes: &[Named]) {
    let mut bytes = Vec::new();
    for (name, class) in classes {
        bytes.extend_from_slice(&(name.len() as u16).to_be_bytes());
        bytes.extend_from_slice(name.as_bytes());
        bytes.extend_from_slice(&(class.len() as u32).to_be_bytes());
        bytes.extend_from_slice(class);
    }
    std::fs::write(file, bytes).expect("the stream of classes");
}
