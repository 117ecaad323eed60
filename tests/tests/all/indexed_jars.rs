//! A jar with an index (`META-INF/INDEX.LIST`), which JVMs up to 17 ask for all classes of it and
//! of the jars that it needs.

use crate::{JFATHOM, jar};
use jfathom_archive::{NewEntry, create_jar};
use jfathom_tests::{jdk, run, samples};
use std::fs;

const MAIN: &str = "package app; public class Main { public static void main(String[] a) {
    int sum = 0; for (int i = 0; i < 10; i++) sum += lib.Part.turn(i); System.out.println(sum); } }";
const PART: &str =
    "package lib; public class Part { public static int turn(int by) { return by + 1; } }";
const MANIFEST: &str =
    "Manifest-Version: 1.0\r\nMain-Class: app.Main\r\nClass-Path: lib.jar\r\n\r\n";
const INDEX: &str = "JarIndex-Version: 1.0\n\napp.jar\napp\n\nlib.jar\nlib\n\n";

#[test]
fn the_copy_of_an_indexed_jar_finds_what_was_added_and_all_names() {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    for (file, text) in [("src/app/Main.java", MAIN), ("src/lib/Part.java", PART)] {
        fs::create_dir_all(place(file).parent().unwrap()).unwrap();
        fs::write(place(file), text).unwrap();
    }
    samples::javac_for(11, &[], &place("src"), &place("classes"));
    fs::create_dir(place("lib")).unwrap();
    fs::rename(place("classes/lib"), place("lib/lib")).unwrap();
    jar(&place("lib"), "none", &place("lib.jar"));
    let class = fs::read(place("classes/app/Main.class")).unwrap();
    let entries = [
        NewEntry::new("META-INF/INDEX.LIST", INDEX),
        NewEntry::new("META-INF/MANIFEST.MF", MANIFEST),
        NewEntry::new("app/Main.class", class),
    ];
    fs::write(place("app.jar"), create_jar(&entries).unwrap()).unwrap();

    let mut command = JFATHOM.command();
    command.arg("rewrite").arg(place("app.jar")).arg("-o").arg(place("out")).arg("--check");
    let done = run::run(&mut command).fine();
    let notice = format!("{}: META-INF/INDEX.LIST was left out", place("app.jar").display());
    assert!(format!("{}{}", done.stdout, done.stderr).contains(&notice), "{done}");
    let out = place("out/app.jar").display().to_string();
    for jdk in jdk::all("indexed jars") {
        let (done, profile) = JFATHOM.record(&[], jdk, &["-jar", &out], 0);
        assert_eq!(done.stdout, "55\n", "{jdk}: {done}");
        assert!(profile.quality.is_clean(), "{jdk}: {:?}", profile.quality);
        let turns = profile.methods.iter().find(|method| method.info.key.name == "turn");
        assert_eq!(turns.map(|method| method.calls()), Some(10), "{jdk}: {done}");
    }
}
