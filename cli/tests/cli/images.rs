//! Modules, images of `jlink`, jmod files, and jars that name others by URLs.

use super::support::{PRINTS, Place, classes, jar, java_home};
use jfathom_archive::ManifestEdit;
use jfathom_testkit::Javac;
use std::process::Command;

fn java() -> String {
    java_home().join("bin/java").display().to_string()
}

/// Two modules: `app` calls `parts`.
fn modules(place: &Place) {
    place.write("src/parts/module-info.java", b"module parts { exports parts; }");
    place.write(
        "src/parts/parts/Part.java",
        b"package parts; public class Part { public static int turn() { return 1; } }",
    );
    place.write("src/app/module-info.java", b"module app { requires parts; }");
    place.write(
        "src/app/app/Main.java",
        b"package app; public class Main {
            static int work() { return parts.Part.turn(); }
            public static void main(String[] a) { System.out.println(work() + work()); } }",
    );
    let javac = |out: &str| {
        Javac::release(11)
            .option("--module-path")
            .option(place.path("mods").display().to_string())
            .compile(
                &jfathom_testkit::java_files(&place.path(&format!("src/{out}"))),
                &place.path(&format!("mods/{out}")),
            )
    };
    javac("parts");
    javac("app");
}

fn calls(place: &Place, profile: &str, class: &str, name: &str) -> u64 {
    let report = place.jfathom(&["report", profile, "--json"]).fine().out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let methods = report["methods"].as_array().unwrap().iter();
    let mut meant = methods.filter(|method| method["class"] == class && method["name"] == name);
    meant.next().map_or(0, |method| method["calls"].as_u64().unwrap())
}

#[test]
fn roots_in_an_image_are_the_programs() {
    let jlink = java_home().join("bin/jlink");
    if !jlink.is_file() {
        println!("skipped: there is no jlink");
        return;
    }
    let place = Place::new();
    modules(&place);
    let mut command = Command::new(jlink);
    command.args(["--module-path", "mods", "--add-modules", "app", "--output", "image"]);
    let done = command.current_dir(place.path("")).output().unwrap();
    if !done.status.success() {
        println!("skipped: jlink cannot link here: {done:?}");
        return;
    }
    let java = place.path("image/bin/java").display().to_string();
    let record = |root: &str| {
        place.jfathom(&[
            "record",
            "-f",
            "-o",
            "p.jfp",
            "--root",
            root,
            "--",
            &java,
            "-m",
            "app/app.Main",
        ])
    };
    assert_eq!(record("app.Main::work").fine().out, "2\n");
    assert_eq!(calls(&place, "p.jfp", "app/Main", "work"), 2);
    assert_eq!(calls(&place, "p.jfp", "parts/Part", "turn"), 2);
    let answer = record("java.lang.Thread::sleep");
    assert!(answer.err.contains("java.lang.Thread is the JDK's"), "{}", answer.err);
}

#[test]
fn modules_need_a_placement_of_their_own() {
    let place = Place::new();
    modules(&place);
    let record = |out: &str| {
        let words = ["record", "-f", "-o", "p.jfp", "--", &java(), "-p", out, "-m", "app/app.Main"];
        place.jfathom(&words)
    };
    place.jfathom(&["rewrite", "mods/app", "mods/parts", "-o", "main"]).fine();
    record("main").refused(2, &["is on the module path", "--placement modular"]);
    let modular = ["rewrite", "mods/app", "mods/parts", "-o", "modular", "--placement", "modular"];
    place.jfathom(&modular).fine();
    assert_eq!(record("modular").fine().out, "2\n");
    assert_eq!(calls(&place, "p.jfp", "parts/Part", "turn"), 2);
}

#[test]
fn a_jmod_file_is_refused_with_the_way_that_works() {
    let place = Place::new();
    place.write("app.jmod", b"JM\x01\x00");
    place.jfathom(&["rewrite", "app.jmod", "-o", "out"]).refused(2, &["is a jmod file", "--root"]);
    place.jfathom(&["plan", "app.jmod"]).refused(2, &["is a jmod file"]);
}

/// As Surefire and IDEs start a JVM: one jar, whose manifest has the class path as URLs.
#[test]
fn classes_that_a_manifest_names_by_urls_are_the_programs() {
    let place = Place::new();
    for (name, bytes) in classes() {
        place.write(&format!("my classes/{name}"), bytes);
    }
    let folder = place.path("my classes").canonicalize().unwrap();
    let absolute = folder.display().to_string().replace(' ', "%20");
    for url in [
        format!("file:{absolute}/"),
        format!("file://{absolute}/"),
        "file:my%20classes/".to_owned(),
    ] {
        place.write("only.jar", &jar(&[ManifestEdit::set("Class-Path", &url)], &[]));
        let record = |root: &str| {
            let words = [
                "record",
                "-f",
                "-o",
                "p.jfp",
                "--root",
                root,
                "--",
                &java(),
                "-cp",
                "only.jar",
                "acme.Engine",
            ];
            place.jfathom(&words)
        };
        assert_eq!(record("acme.Engine::step").fine().out, PRINTS, "{url}");
        assert!(calls(&place, "p.jfp", "acme/Engine", "step") > 0, "{url}");
        record("acme.Engine::stop").refused(2, &["did you mean acme.Engine::step?"]);
        // A copy could only lead to the originals by an absolute URL.
        for command in [&["plan", "only.jar"][..], &["rewrite", "only.jar", "-o", "out", "-f"]] {
            let answer = place.jfathom(&[command, &["--root", "acme.Engine::run"]].concat());
            match url.contains(&absolute) {
                true => drop(answer.refused(2, &[&url, "name these files as inputs"])),
                false => drop(answer.fine()),
            }
        }
    }
}
