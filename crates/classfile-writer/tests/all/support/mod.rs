//! What the tests share: a JVM to judge classes, streams of classes, and ways to splice every
//! method of a class.

pub mod builder;
pub mod stress;

use jfathom_testkit::{Javac, class_files, jdk};
use std::path::{Path, PathBuf};
use std::process::Command;

fn java_source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(name)
}

/// A class by name.
pub type Named = (String, Vec<u8>);

/// A directory of this test's own, with the Java helper compiled in it.
pub struct Jvm {
    dir: tempfile::TempDir,
    java: PathBuf,
}

impl Jvm {
    /// The main JDK.
    pub fn new() -> Jvm {
        let dir = tempfile::tempdir().expect("a temporary directory");
        Javac::plain().compile(&[java_source("Link.java")], &dir.path().join("helper"));
        Jvm { dir, java: jdk::main().java() }
    }

    /// The same helper on another JVM.
    pub fn with_java(mut self, java: PathBuf) -> Jvm {
        self.java = java;
        self
    }

    pub fn path(&self, name: &str) -> String {
        self.dir.path().join(name).to_string_lossy().into_owned()
    }

    /// Compiles `tests/java/Shapes.java` with this option for its debug tables.
    pub fn shapes(&self, debug: &str) -> Vec<Named> {
        let out = tempfile::tempdir_in(self.dir.path()).expect("a temporary directory");
        Javac::plain().option(debug).compile(&[java_source("Shapes.java")], out.path());
        class_files(out.path())
            .into_iter()
            .map(|(file, bytes)| (file.trim_end_matches(".class").to_owned(), bytes))
            .collect()
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
