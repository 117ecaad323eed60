//! Code that another agent adds to the program: its calls are recorded like the program's own.

use super::neighbours::written;
use super::{assert_calls, live};
use crate::JFATHOM;
use jfathom_archive::{NewEntry, create_jar};
use jfathom_tests::{
    jdk::{self, Jdk},
    live::{Desk, Lines, Recording, classes},
    samples,
    tool::java,
};
use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// The program's class, and an act that has the agent begin.
const PROGRAM: [(&str, &str); 2] = [
    (
        "Weft",
        "public final class Weft implements Act {
            public String act(String[] words) { return Integer.toString(root(Integer.parseInt(words[0]))); }
            static int root(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += step(i); return sum; }
            static int step(int i) { return i; }
        }",
    ),
    (
        "Weave",
        "public final class Weave implements Act {
            public String act(String[] words) {
                try {
                    boolean again = words.length == 0;
                    Class.forName(\"live.Weaver\").getMethod(\"begin\", boolean.class).invoke(null, again);
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
                return \"woven\";
            }
        }",
    ),
];

/// What the agent makes of the class: `step` calls a class of the agent's, or a method that the
/// class has not had.
const WOVEN: [(&str, &str); 2] = [
    ("woven", "static int step(int i) { return Added.note(i); }"),
    (
        "extended",
        "static int step(int i) { return extra(i); } private static int extra(int i) { return Added.note(i); }",
    ),
];

/// The agent: it replaces the class file by another one, whatever it is given, at once or when it
/// is told.
const AGENT: [(&str, &str); 2] = [
    ("Added", "public final class Added { public static int note(int i) { return i + 100; } }"),
    (
        "Weaver",
        "import java.lang.instrument.*;
        public final class Weaver implements ClassFileTransformer {
            private static Instrumentation instrumentation;
            private static byte[] woven;
            public static void premain(String options, Instrumentation given) throws Exception {
                String[] words = options.split(\",\");
                instrumentation = given;
                woven = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(words[0]));
                if (!words[1].equals(\"later\")) {
                    given.addTransformer(new Weaver(), words[1].equals(\"again\"));
                }
            }
            public static void begin(boolean again) throws Exception {
                instrumentation.addTransformer(new Weaver(), true);
                if (again) instrumentation.retransformClasses(Class.forName(\"live.Weft\"));
            }
            @Override public byte[] transform(ClassLoader loader, String name, Class<?> before,
                    java.security.ProtectionDomain domain, byte[] bytes) {
                return \"live/Weft\".equals(name) ? woven : null;
            }
        }",
    ),
];

/// The program and the agent, compiled.
struct Loom {
    folder: TempDir,
}

impl Loom {
    fn new() -> Self {
        let loom = Self { folder: samples::temp_dir() };
        let step = PROGRAM[0].1.lines().find(|line| line.contains("static int step")).unwrap();
        loom.compile("program", &PROGRAM, &[classes().to_owned()]);
        let with_program = [loom.path("program"), classes().to_owned()];
        loom.compile("agent", &AGENT, &with_program);
        let all = [loom.path("program"), loom.path("agent"), classes().to_owned()];
        for (name, methods) in WOVEN {
            loom.compile(name, &[("Weft", &PROGRAM[0].1.replace(step, methods))], &all);
        }
        let manifest = "Manifest-Version: 1.0\r\nPremain-Class: live.Weaver\r\n\
                        Can-Retransform-Classes: true\r\n\r\n";
        let mut entries = vec![NewEntry::new("META-INF/MANIFEST.MF", manifest)];
        crate::add_files(&loom.path("agent"), "", &mut entries);
        fs::write(loom.path("agent.jar"), create_jar(&entries).unwrap()).unwrap();
        loom
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn compile(&self, name: &str, files: &[(&str, &str)], class_path: &[PathBuf]) {
        let source = self.path(&format!("{name}-source"));
        fs::create_dir_all(&source).unwrap();
        for (class, text) in files {
            let text = format!("package live;\n{text}");
            fs::write(source.join(format!("{class}.java")), text).unwrap();
        }
        let class_path = joined(class_path);
        let options = ["-cp", class_path.to_str().unwrap()];
        samples::javac_for(11, &options, &source, &self.path(name));
    }

    /// The flag of the agent that makes the class `woven`.
    fn flag(&self, woven: &str, when: &str) -> String {
        let file = self.path(woven).join("live/Weft.class");
        format!("-javaagent:{}={},{when}", self.path("agent.jar").display(), file.display())
    }

    fn desk(&self, jdk: &Jdk, flags: &[String]) -> Desk {
        let mut command = java(jdk);
        command.args(flags).arg("-cp");
        command.arg(joined(&[self.path("program"), classes().to_owned()])).arg("live.Desk");
        Desk::of(command)
    }
}

fn joined(paths: &[PathBuf]) -> OsString {
    std::env::join_paths(paths).unwrap()
}

/// The flag of our agent.
fn ours(scheme: &str, place: &Path) -> String {
    let library = JFATHOM.run(&["agent-path"]).fine().stdout.trim().to_owned();
    format!(
        "-agentpath:{library}=root=live.Weft::root,scheme={scheme},out={},jfathom={}",
        place.display(),
        JFATHOM.0
    )
}

/// On the command line, before us and after us, seeing classes once or again.
#[test]
fn as_classes_are_loaded() {
    let loom = Loom::new();
    for jdk in jdk::main_and_25("woven classes") {
        for (scheme, woven, when, first) in [
            ("lazy", "woven", "once", true),
            ("lazy", "extended", "again", false),
            ("eager", "extended", "again", true),
        ] {
            let place = loom.path(&format!("{}-{scheme}-{when}.jfp", jdk.version));
            let mut flags = [loom.flag(woven, when), ours(scheme, &place)];
            if !first {
                flags.reverse();
            }
            let mut desk = loom.desk(jdk, &flags);
            desk.expect("Weft 3", "303");
            let done = desk.finish().fine();
            let profile = written(&place);
            let extra = if woven == "extended" { 3 } else { 0 };
            let expected =
                [("Weft::root", 1), ("Weft::step", 3), ("Weft::extra", extra), ("Added::note", 3)];
            assert_calls(&profile, &Lines::default(), &expected);
            assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
        }
    }
}

/// In classes that run: before the recording, and during it by an agent that begins then. What the
/// agent has changed stays changed.
#[test]
fn in_classes_that_run() {
    let loom = Loom::new();
    for jdk in jdk::main_and_25("woven classes that run") {
        for (scheme, when, before) in
            [("eager", "again", "303"), ("lazy", "later", "3"), ("eager", "later", "3")]
        {
            let mut desk = loom.desk(jdk, &[loom.flag("woven", when)]);
            desk.expect("Weft 3", before);
            let mut recording =
                live(&["live.Weft::root"]).with(&["--scheme", scheme]).attach(desk.pid);
            recording.until_live();
            desk.expect("Weft 3", before);
            let mut added = 3;
            if when == "later" {
                desk.expect("Weave", "woven");
                added = 0;
            }
            desk.expect("Weft 3", "303");
            ended(recording, 2, added + 3);
            desk.expect("Weft 3", "303");
            desk.finish().fine();
        }
    }
}

/// By an agent that begins during the recording, as a class is loaded after that.
#[test]
fn after_us_as_classes_are_loaded() {
    let loom = Loom::new();
    for jdk in jdk::main_and_25("woven classes that come") {
        for scheme in ["lazy", "eager"] {
            let mut desk = loom.desk(jdk, &[loom.flag("extended", "later")]);
            let mut recording =
                live(&["live.Weft::root"]).with(&["--scheme", scheme]).attach(desk.pid);
            recording.until_waiting();
            desk.expect("Weave at-load", "woven");
            desk.expect("Weft 3", "303");
            ended(recording, 1, 3);
            desk.expect("Weft 3", "303");
            desk.finish().fine();
        }
    }
}

/// Ends a recording of so many calls of the root, and of the added method.
#[track_caller]
fn ended(recording: Recording, roots: u64, added: u64) {
    recording.interrupt();
    let (done, left) = recording.ended(0);
    let (profile, lines) = (left.read(&done), left.lines());
    let expected = [("Weft::root", roots), ("Weft::step", 3 * roots), ("Added::note", added)];
    assert_calls(&profile, &lines, &expected);
    assert_eq!(lines.total("restored_differently"), 0, "{lines:#?}\n{done}");
}

/// Classes that an agent puts where the boot loader finds them.
#[test]
fn by_classes_of_the_boot_loader() {
    let loom = Loom::new();
    let boot = format!("-Xbootclasspath/a:{}", loom.path("agent.jar").display());
    for jdk in jdk::main_and_25("classes of the boot loader") {
        let mut desk = loom.desk(jdk, &[boot.clone(), loom.flag("woven", "again")]);
        desk.expect("Weft 3", "303");
        let mut recording = live(&["live.Weft::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Weft 3", "303");
        ended(recording, 1, 3);
        desk.finish().fine();
    }
}
