//! Several inputs, and what their manifests pull in.

mod common;

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use common::*;
use jfathom_archive::{ErrorKind, Limits, Notice, Opened, OutsideReason, open_all};

/// A jar whose manifest has this `Class-Path`.
fn jar(class_path: &str) -> Vec<u8> {
    let manifest = format!("Manifest-Version: 1.0\r\nClass-Path: {class_path}\r\n\r\n");
    make_zip(&[("META-INF/MANIFEST.MF", DEFLATED, manifest.as_bytes()), ("A.class", DEFLATED, b"a")])
}

fn open(dir: &Dir, names: &[&str]) -> Opened {
    let paths: Vec<PathBuf> = names.iter().map(|n| dir.path(n)).collect();
    open_all(&paths, true, &Limits::default()).unwrap()
}

fn outputs(opened: &Opened) -> Vec<&str> {
    opened.inputs.iter().map(|i| i.relative_path().to_str().unwrap()).collect()
}

fn reasons(opened: &Opened) -> Vec<(&str, OutsideReason)> {
    let reason = |n| match n {
        &Notice::ClassPathOutside { ref entry, reason, .. } => (entry.as_str(), reason),
        other => panic!("{other}"),
    };
    opened.notices.iter().map(reason).collect()
}

#[test]
fn siblings_keep_their_place() {
    let dir = Dir::new();
    dir.file("app/app.jar", &jar("lib/a.jar ./lib/b%20c.jar conf/ lib/a.jar"));
    dir.file("app/lib/a.jar", &jar("d.jar ../e.jar"));
    dir.file("app/lib/b c.jar", &jar("a.jar ../app.jar"));
    dir.file("app/lib/d.jar", &jar(""));
    dir.file("app/e.jar", &jar(""));
    dir.file("app/conf/C.class", b"c");
    let opened = open(&dir, &["app/app.jar"]);
    assert_eq!(outputs(&opened), ["app.jar", "lib/a.jar", "lib/b c.jar", "lib/d.jar", "e.jar", "conf"]);
    assert_eq!(opened.notices, []);
    let alone = open_all(&[dir.path("app/app.jar")], false, &Limits::default()).unwrap();
    assert_eq!(outputs(&alone), ["app.jar"]);
}

#[test]
fn what_leads_outside_is_noticed() {
    use OutsideReason::*;
    let dir = Dir::new();
    let entries = [
        ("../up.jar", AboveOutput),
        ("lib/../../up.jar", AboveOutput),
        ("%2e%2e/up.jar", AboveOutput),
        ("/abs.jar", Absolute),
        ("file:/abs.jar", Absolute),
        ("https://example.org/x.jar", Absolute),
        ("missing.jar", Missing),
        ("text.txt", Unreadable),
        (".", AroundInputs),
        ("./", AroundInputs),
        ("lib/", AroundInputs),
    ];
    let all: Vec<_> = entries.iter().map(|e| e.0).chain(["lib/in.jar"]).collect();
    dir.file("x/app.jar", &jar(&all.join(" ")));
    dir.file("up.jar", &jar(""));
    dir.file("x/text.txt", b"text");
    dir.file("x/lib/in.jar", &jar(""));
    let opened = open(&dir, &["x/app.jar"]);
    assert_eq!(outputs(&opened), ["app.jar", "lib/in.jar"]);
    let mut found = reasons(&opened);
    let mut want = entries.to_vec();
    found.sort_by_key(|f| f.0);
    want.sort_by_key(|f| f.0);
    assert_eq!(found, want);
}

#[test]
fn a_file_is_opened_once() {
    let dir = Dir::new();
    dir.file("a.jar", &jar("lib/b.jar"));
    dir.file("lib/b.jar", &jar("../a.jar"));
    symlink(dir.path("a.jar"), dir.path("same.jar")).unwrap();
    let opened = open(&dir, &["a.jar", "a.jar", "same.jar"]);
    assert_eq!(outputs(&opened), ["a.jar", "lib/b.jar"]);
    assert_eq!(opened.notices, []);
    let opened = open(&dir, &["lib/b.jar", "a.jar"]);
    assert_eq!(outputs(&opened), ["lib/b.jar", "a.jar"]);
    assert_eq!(placed(&opened), ["lib/b.jar"]);
}

fn placed(opened: &Opened) -> Vec<&str> {
    let mut found = Vec::new();
    for notice in &opened.notices {
        if let Notice::PlacedByClassPath { output, .. } = notice {
            found.push(output.to_str().unwrap());
        }
    }
    found
}

#[test]
fn two_inputs_of_one_name_are_refused() {
    let dir = Dir::new();
    let paths = [dir.file("a/x.jar", &jar("")), dir.file("b/x.jar", &jar(""))];
    let e = open_all(&paths, true, &Limits::default()).map(|_| ()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::SameOutput { .. }) && e.is_usage(), "{e}");
    assert!(e.to_string().contains("a/x.jar") && e.to_string().contains("b/x.jar"), "{e}");
}

#[test]
fn a_directory_has_a_name_however_it_is_written() {
    let dir = Dir::new();
    dir.file("classes/a/A.class", b"a");
    let opened = open(&dir, &["classes/a/..", "classes/"]);
    assert_eq!(outputs(&opened), ["classes"]);
    assert!(open_all(&[dir.path("no/such.jar")], true, &Limits::default()).is_err());
}
