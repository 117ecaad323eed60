//! The hooks in the JDK's reflective methods, on each JDK at hand: found, verified, and told what
//! they should be.

use crate::support::java;
use jfathom_rewriter::{HOOKS, add_hooks, installed_hooks};
use jfathom_testkit::{Jdk, class_files, java_files, jdk};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

const CLASSES: [&str; 3] = [
    "java/lang/reflect/Method.class",
    "java/lang/reflect/Constructor.class",
    "java/lang/invoke/MethodHandles$Lookup.class",
];

fn run(java: &Path, flags: &[&str], classes: &Path, args: &[&OsStr]) -> String {
    let output = Command::new(java)
        .args(["-Xshare:auto", "-Xverify:all"])
        .args(flags)
        .arg("-cp")
        .arg(classes)
        .arg("Reflects")
        .args(args)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("java starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{}: {text}\n{}",
        java.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

#[test]
fn each_jdk_has_the_methods_and_tells_of_calls() {
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(11, &java_files(&java::sources("hooks/program")), &folder("program"));
    java::javac_into("java.base", &java_files(&java::sources("hooks/patch")), &folder("stand-in"));
    let mut javas = vec![jdk::main().java()];
    javas.extend(jdk::jdk25("rewritten classes").map(Jdk::java));
    javas.extend(jdk::jre11("rewritten classes").map(Jdk::java));
    javas.extend(jdk::jre21("rewritten classes").map(Jdk::java));
    for (number, java) in javas.iter().enumerate() {
        let (dump, patch) = (folder(&format!("dump{number}")), folder(&format!("patch{number}")));
        let mut args = vec![OsStr::new("dump"), dump.as_os_str()];
        args.extend(CLASSES.iter().map(OsStr::new));
        run(java, &[], &folder("program"), &args);
        let mut found = Vec::new();
        for (file, bytes) in class_files(&dump) {
            found.extend(installed_hooks(&bytes, HOOKS));
            java::write(&patch, &file, &add_hooks(&bytes, HOOKS).expect("hooks"));
        }
        for (file, bytes) in class_files(&folder("stand-in")) {
            java::write(&patch, &file, &bytes);
        }
        // JDK 11 has no newInstanceWithCaller.
        assert!(
            found.len() == HOOKS.len() || found.len() == HOOKS.len() - 1,
            "{}: {found:?}",
            java.display()
        );
        let patch = format!("--patch-module=java.base={}", patch.display());
        let told = run(java, &[&patch], &folder("program"), &[OsStr::new("run")]);
        // From 18 on the JDK makes method handles of its own for what is invoked.
        let mut lines = told.lines();
        for line in TOLD {
            assert!(
                lines.any(|other| other == line),
                "{}: no {line} in its place of:\n{told}",
                java.display()
            );
        }
    }
}

/// In the order of the program, without repetitions in a row.
const TOLD: [&str; 12] = [
    "invoked plain 1",
    "invoked fixed 0",
    "invoked Reflects 1",
    "invoked Reflects 0",
    "lookedUp plain (int)int",
    "bound plain (int)int",
    "lookedUp fixed ()String",
    "constructorLookedUp (int)void",
    "unreflected plain 1",
    "unreflected Reflects 1",
    "lookedUp toString ()String",
    "unreflected toString 0",
];

#[test]
fn a_class_without_such_methods_is_refused() {
    assert!(add_hooks(b"no class", HOOKS).is_err());
    let temp = tempfile::tempdir().expect("a folder");
    java::javac(11, &java_files(&java::sources("hooks/program")), temp.path());
    for (_, bytes) in class_files(temp.path()) {
        assert!(installed_hooks(&bytes, HOOKS).is_empty());
        assert!(add_hooks(&bytes, HOOKS).is_err());
    }
}
