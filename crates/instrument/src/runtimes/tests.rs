//! Class paths with runtimes that lack probes.

use super::*;
use jfathom_archive::{NewEntry, create_jar};
use jfathom_testkit::without_methods;
use std::fs;

/// A jar with the runtime's public class, without probes of this name, a manifest of ours if
/// `calls`, and this `Class-Path`.
fn jar(path: &Path, missing: &str, calls: bool, class_path: &str) {
    let class = without_methods(our_class().unwrap(), missing);
    let jar_manifest = format!("Manifest-Version: 1.0\r\nClass-Path: {class_path}\r\n\r\n");
    let mut entries = vec![
        NewEntry::new("META-INF/MANIFEST.MF", jar_manifest),
        NewEntry::new(class_file(), class),
    ];
    entries.extend(calls.then(|| NewEntry::new(MANIFEST_PATH, "{}")));
    fs::write(path, create_jar(&entries).unwrap()).unwrap();
}

/// A folder with the jars `old`, `new`, `also-new`, `plain` (no method of it calls a probe), and
/// `names-new` (old, and its `Class-Path` has `new`).
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    jar(&place("old.jar"), "handleAny", true, "");
    jar(&place("new.jar"), "", true, "");
    jar(&place("also-new.jar"), "", true, "");
    jar(&place("plain.jar"), "", false, "");
    jar(&place("names-new.jar"), "handleAny", true, "no.jar ./n%65w.jar");
    folder
}

fn refusal(folder: &Path, boot: &[&str], entries: &[&str]) -> Option<String> {
    let boot: Vec<OsString> =
        boot.iter().map(|flag| flag.replace("DIR", &folder.display().to_string()).into()).collect();
    let entries: Vec<PathBuf> = entries.iter().map(|entry| folder.join(entry)).collect();
    let checked = require_fitting(&boot, entries.iter().map(PathBuf::as_path));
    checked.err().map(|error| error.to_string())
}

#[test]
fn a_runtime_without_probes_of_a_later_file_is_refused() {
    let folder = folder();
    let refused = |entries: &[&str]| refusal(folder.path(), &[], entries);
    let text = refused(&["none.jar", "old.jar", "new.jar"]).unwrap();
    assert!(text.contains("old.jar: comes before ") && text.contains("/new.jar and has"), "{text}");
    assert!(text.contains("(handleAny(I)V)"), "{text}");
    assert!(refused(&["old.jar", "plain.jar", "new.jar"]).is_some());
    assert!(refused(&["names-new.jar"]).is_some());
    // The first jar of the folder by name is `also-new.jar`.
    assert_eq!(refused(&["*"]), None);
    for fitting in [&["new.jar", "old.jar"][..], &["old.jar"], &["old.jar", "plain.jar"], &[]] {
        assert_eq!(refused(fitting), None, "{fitting:?}");
    }
}

#[test]
fn what_is_on_the_boot_class_path_comes_first() {
    let folder = folder();
    let refused = |boot: &[&str], entries: &[&str]| refusal(folder.path(), boot, entries);
    let old = "-Xbootclasspath/a:DIR/old.jar";
    assert!(refused(&[old], &["new.jar"]).is_some());
    assert_eq!(refused(&["-Xbootclasspath/a:DIR/new.jar"], &["old.jar", "also-new.jar"]), None);
    let patch = folder.path().join("patch").join(class_file());
    fs::create_dir_all(patch.parent().unwrap()).unwrap();
    fs::write(&patch, our_class().unwrap()).unwrap();
    assert_eq!(refused(&[old, "--patch-module=java.base=DIR/patch"], &["new.jar"]), None);
}

#[test]
fn older_runtimes_are_found() {
    let folder = folder();
    let files = ["new.jar", "old.jar", "plain.jar"].map(|name| folder.path().join(name));
    assert_eq!(older(files.iter().map(PathBuf::as_path)), [folder.path().join("old.jar")]);
}

#[test]
fn probes_are_the_public_methods() {
    let names = Probes::ours().unwrap().into_names();
    for probe in ["handleAny(I)V", "handleCatch(Ljava/lang/Object;I)V", "methodEntry(I)I"] {
        assert!(names.contains(probe), "{probe}: {names:?}");
    }
    assert!(!names.iter().any(|name| name.starts_with('<')), "{names:?}");
}
