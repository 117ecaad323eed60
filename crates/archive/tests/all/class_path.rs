//! Several inputs, and what their manifests pull in.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::common::*;
use jfathom_archive::{Limits, Notice, Opened, OutsideReason, open_all};

/// A jar whose manifest has this `Class-Path`.
fn jar(class_path: &str) -> Vec<u8> {
    let manifest = format!("Manifest-Version: 1.0\r\nClass-Path: {class_path}\r\n\r\n");
    make_zip(&[
        ("META-INF/MANIFEST.MF", DEFLATED, manifest.as_bytes()),
        ("A.class", DEFLATED, b"a"),
    ])
}

fn open(dir: &Dir, names: &[&str]) -> Opened {
    let paths: Vec<PathBuf> = names.iter().map(|n| dir.path(n)).collect();
    open_all(&paths, true, &Limits::default()).unwrap()
}

fn outputs(opened: &Opened) -> Vec<&str> {
    opened.inputs.iter().map(|i| i.relative_path().to_str().unwrap()).collect()
}

fn reasons(opened: &Opened) -> Vec<(&str, OutsideReason)> {
    let mut reasons = Vec::new();
    for notice in &opened.notices {
        match notice {
            Notice::ClassPathOutside { entry, reason, .. } => {
                reasons.push((entry.as_str(), reason.clone()))
            }
            other => panic!("{other}"),
        }
    }
    reasons
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
    assert_eq!(
        outputs(&opened),
        ["app.jar", "lib/a.jar", "lib/b c.jar", "lib/d.jar", "e.jar", "conf"]
    );
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
        ("text.txt", Unreadable("not a zip file (no end of central directory)".to_owned())),
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
    assert_eq!(links(&opened), [["same.jar"].as_slice(), &[]]);
    assert!(
        matches!(opened.notices.as_slice(), [Notice::SeveralNames { .. }]),
        "{:?}",
        opened.notices
    );
    let opened = open(&dir, &["a.jar", "./a.jar"]);
    assert_eq!(opened.notices, []);
}

/// The names that lead to each input.
fn links(opened: &Opened) -> Vec<Vec<&str>> {
    opened
        .inputs
        .iter()
        .map(|input| input.links().iter().map(|link| link.to_str().unwrap()).collect())
        .collect()
}

#[test]
fn an_input_keeps_its_name_where_a_class_path_looks_elsewhere() {
    let dir = Dir::new();
    dir.file("a.jar", &jar("lib/b.jar"));
    dir.file("lib/b.jar", &jar("../a.jar c.jar"));
    dir.file("lib/c.jar", &jar(""));
    for names in [["lib/b.jar", "a.jar"], ["a.jar", "lib/b.jar"]] {
        let opened = open(&dir, &names);
        let mut all: Vec<_> = outputs(&opened).into_iter().zip(links(&opened)).collect();
        all.sort();
        assert_eq!(all, [("a.jar", vec![]), ("lib/b.jar", vec!["b.jar"]), ("lib/c.jar", vec![])]);
        assert!(
            matches!(opened.notices.as_slice(), [Notice::SeveralNames { .. }]),
            "{:?}",
            opened.notices
        );
    }
}

#[test]
fn an_input_keeps_its_name_where_a_class_path_finds_it_through_a_link() {
    let dir = Dir::new();
    dir.file("app.jar", &jar("lib/latest.jar"));
    dir.file("tool-1.0.jar", &jar("more.jar"));
    dir.file("more.jar", &jar(""));
    dir.file("lib/more.jar", &jar("../more.jar"));
    symlink("../tool-1.0.jar", dir.path("lib/latest.jar")).unwrap();
    let opened = open(&dir, &["app.jar", "tool-1.0.jar"]);
    // Beside each name of the tool lies what it names.
    assert_eq!(outputs(&opened), ["app.jar", "tool-1.0.jar", "lib/more.jar", "more.jar"]);
    assert_eq!(links(&opened), [&[][..], &["lib/latest.jar"], &[], &[]]);
    // Nobody named the file itself: its name is that of the link.
    let opened = open(&dir, &["app.jar"]);
    assert_eq!(outputs(&opened), ["app.jar", "lib/latest.jar", "lib/more.jar", "more.jar"]);
    // A class path names the link, and the JVM looks for siblings beside the file.
    let opened = open(&dir, &["lib/latest.jar"]);
    assert_eq!(outputs(&opened), ["latest.jar", "more.jar"]);
}

#[test]
fn links_in_circles_end() {
    let dir = Dir::new();
    dir.file("lib/a.jar", &jar("loop/a.jar ring/a.jar"));
    symlink(".", dir.path("lib/loop")).unwrap();
    symlink(".", dir.path("lib/ring")).unwrap();
    let opened = open(&dir, &["lib/a.jar"]);
    assert_eq!((outputs(&opened), links(&opened)[0].len()), (vec!["a.jar"], 15));
    let more = |notice: &Notice| {
        matches!(notice, Notice::ClassPathOutside { reason: OutsideReason::Elsewhere, .. })
    };
    assert!(opened.notices.iter().any(more), "{:?}", opened.notices);
}

/// Outputs of inputs that did not keep their file names.
fn renamed_outputs(opened: &Opened) -> Vec<&str> {
    let mut outputs = Vec::new();
    for notice in &opened.notices {
        match notice {
            Notice::PlacedApart { output, .. } => outputs.push(output.to_str().unwrap()),
            other => panic!("{other}"),
        }
    }
    outputs
}

#[test]
fn inputs_of_one_name_go_to_places_of_their_own() {
    let dir = Dir::new();
    dir.file("a/lib/x.jar", &jar("../../b/lib/x.jar"));
    dir.file("b/lib/x.jar", &jar("y.jar"));
    dir.file("b/lib/y.jar", &jar(""));
    dir.file("a/target/classes/A.class", b"a");
    dir.file("b/target/classes/B.class", b"b");
    let opened = open(&dir, &["a/target/classes", "b/target/classes", "b/lib/y.jar"]);
    assert_eq!(outputs(&opened), ["a/target/classes", "b/target/classes", "y.jar"]);
    assert_eq!(renamed_outputs(&opened), ["a/target/classes", "b/target/classes"]);
    // The jars find each other there as they do here.
    let opened = open(&dir, &["a/lib/x.jar", "b/lib/x.jar"]);
    assert_eq!(outputs(&opened), ["a/lib/x.jar", "b/lib/x.jar", "b/lib/y.jar"]);
    assert_eq!(renamed_outputs(&opened), ["a/lib/x.jar", "b/lib/x.jar"]);
    assert_eq!(links(&opened), [[""; 0]; 3]);
}

#[test]
fn inputs_whose_siblings_have_one_name_keep_their_folders() {
    let dir = Dir::new();
    for name in ["one", "two"] {
        dir.file(&format!("{name}/{name}.jar"), &jar("lib.jar"));
        dir.file(&format!("{name}/lib.jar"), &jar(""));
    }
    let opened = open(&dir, &["one/one.jar", "two/two.jar"]);
    let mut places = outputs(&opened);
    places.sort_unstable();
    assert_eq!(places, ["one/lib.jar", "one/one.jar", "two/lib.jar", "two/two.jar"]);
    assert_eq!(renamed_outputs(&opened), ["one/one.jar", "two/two.jar"]);
}

#[test]
fn a_directory_has_a_name_however_it_is_written() {
    let dir = Dir::new();
    dir.file("classes/a/A.class", b"a");
    let opened = open(&dir, &["classes/a/..", "classes/"]);
    assert_eq!(outputs(&opened), ["classes"]);
    assert!(open_all(&[dir.path("no/such.jar")], true, &Limits::default()).is_err());
}
