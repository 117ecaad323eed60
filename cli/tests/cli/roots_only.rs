//! Class files of roots-only runs.

use super::support::{Place, jar, java_home, jdk_25};
use jfathom_archive::ManifestEdit;
use jfathom_testkit::Javac;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Writes the class file that it runs from to a file, and says where that lies.
const SOURCE: &str = r#"
package acme;

import java.nio.file.*;

public class Shows {
    static int run(int n) throws Exception {
        int[] sum = {0};
        Thread thread = new Thread(() -> sum[0] = inner(n));
        thread.start();
        thread.join();
        return sum[0];
    }

    static int inner(int n) {
        return n == 0 ? 0 : n + inner(n - 1);
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run(4));
        Files.write(Path.of("ran.class"), Shows.class.getResourceAsStream("Shows.class").readAllBytes());
        System.out.println(Shows.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        try (var beside = Shows.class.getResourceAsStream("/beside.txt")) {
            System.out.println(beside == null ? "nothing beside" : new String(beside.readAllBytes()));
        }
    }
}
"#;

/// `app.jar` and the folder `classes` with the program, and `out` with both rewritten.
fn place() -> Place {
    let place = Place::new();
    place.write("Shows.java", SOURCE.as_bytes());
    compile(&place, "Shows.java", "classes");
    let classes = [("acme/Shows.class".to_owned(), place.read("classes/acme/Shows.class"))];
    place.write("app.jar", &jar(&[ManifestEdit::set("Main-Class", "acme.Shows")], &classes));
    for input in ["app.jar", "classes"] {
        place.jfathom(&["rewrite", input, "-o", "out", "--root", "acme.Shows::run"]).fine();
    }
    place
}

fn compile(place: &Place, source: &str, to: &str) {
    let classes = place.path("classes").display().to_string();
    let javac = Javac::release(11).option("-cp").option(classes);
    javac.compile(&[place.path(source)], &place.path(to));
}

/// Which of the two methods have probes in the class file that ran.
fn probes(place: &Place) -> [bool; 2] {
    let javap = Command::new(java_home().join("bin/javap"))
        .args(["-c", "-p"])
        .arg(place.path("ran.class"))
        .output();
    let text = String::from_utf8(javap.unwrap().stdout).unwrap();
    ["int run(int)", "int inner(int)"].map(|method| {
        let code = text
            .split("\n\n")
            .find(|part| part.contains(method))
            .unwrap_or_else(|| panic!("{method}: {text}"));
        code.contains("jfathom/runtime")
    })
}

fn record(
    place: &Place,
    java: &str,
    options: &[&str],
    command: &[&str],
) -> (String, String, Value) {
    let answer = place
        .jfathom(&[&["record", "-f", "-o", "p.jfp"], options, &["--", java], command].concat())
        .fine();
    let report = place.jfathom(&["report", "--json", "p.jfp"]).fine().out;
    (answer.out, answer.err, serde_json::from_str(&report).unwrap())
}

fn calls(report: &Value, name: &str) -> u64 {
    let methods = report["methods"].as_array().unwrap();
    methods
        .iter()
        .find(|method| method["name"] == name)
        .map_or(0, |method| method["calls"].as_u64().unwrap())
}

#[test]
fn other_methods_are_as_they_were() {
    let place = place();
    place.write("out/lib/beside.txt", b"found beside");
    place.write("words", b"-cp out/classes:out/lib\nacme.Shows");
    for java in std::iter::once(java_home())
        .chain(jdk_25())
        .map(|home| home.join("bin/java").display().to_string())
    {
        for (command, beside) in [
            (&["-jar", "out/app.jar"][..], "nothing beside"),
            (&["-cp", "out/*:out/lib", "acme.Shows"], "found beside"),
            (&["@words"], "found beside"),
        ] {
            let (out, err, report) =
                record(&place, &java, &["--probe=**=off", "--tune=check=always"], command);
            let mut lines = out.lines();
            assert_eq!(lines.next(), Some("10"), "{out}{err}");
            let ran = PathBuf::from(lines.next().unwrap());
            assert!(!ran.starts_with(place.path("out")) && !ran.exists(), "{}", ran.display());
            assert!(!ran.parent().is_some_and(Path::exists), "{}", ran.display());
            assert_eq!(lines.next(), Some(beside), "{out}{err}");
            assert_eq!(probes(&place), [true, false], "{command:?}");
            assert_eq!((calls(&report, "run"), calls(&report, "inner")), (1, 0));
            assert_eq!(report["quality"]["clean"], true, "{}", report["quality"]);
        }
    }
    let java = java_home().join("bin/java").display().to_string();
    // What a killed recorder left goes.
    let remains = place.path(".out-roots.jfathom-1-0.part");
    fs::create_dir_all(remains.join("lib")).unwrap();
    let (_, _, report) = record(
        &place,
        &java,
        &["--anchor", "--tune=check=always", "--runs", "1"],
        &["-jar", "out/app.jar"],
    );
    assert!(!remains.exists());
    assert_eq!(probes(&place), [true, true], "the full run is the second");
    assert_eq!((calls(&report, "run"), calls(&report, "inner")), (1, 5));
    assert_eq!(report["anchor"]["rootsOnlyRuns"], 1);
}

/// Starts itself once more, and ends; what it has started loads a class a while later.
const LATE: &str = r#"
package acme;

public class Late {
    static boolean run(int n) {
        return n == 0 || new Inner().there();
    }

    static class Inner {
        boolean there() {
            return Late.class.getResourceAsStream("Late.class") != null;
        }
    }

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            String java = System.getProperty("java.home") + "/bin/java";
            ProcessBuilder late = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"), "acme.Late", "x");
            late.redirectErrorStream(true).redirectOutput(new java.io.File("late.txt")).start();
            run(0);
        } else {
            run(0);
            Thread.sleep(2000);
            System.out.println("found " + run(1));
        }
    }
}
"#;

#[test]
fn a_jvm_that_is_left_behind_keeps_its_classes() {
    let place = place();
    place.write("Late.java", LATE.as_bytes());
    compile(&place, "Late.java", "late");
    place.jfathom(&["rewrite", "late", "-o", "behind", "--root", "acme.Late::run"]).fine();
    let java = java_home().join("bin/java").display().to_string();
    let words = [
        "record",
        "-f",
        "--probe=**=off",
        "--wait=0",
        "-o",
        "p.jfp",
        "--",
        &java,
        "-cp",
        "behind/late",
        "acme.Late",
    ];
    let answer = place.jfathom(&words).fine();
    let folders = || {
        let all = fs::read_dir(place.path(""))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap());
        all.filter(|name| name.starts_with(".behind-roots")).count()
    };
    assert!(answer.err.contains(" stays, since ") && folders() == 1, "{}", answer.err);
    let said = || String::from_utf8(place.read("late.txt")).unwrap();
    for _ in 0..6000 {
        if said().ends_with('\n') {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert_eq!(said(), "found true\n");
    // One after its end takes it away.
    for _ in 0..5 {
        let words = [
            "record",
            "-fq",
            "--probe=**=off",
            "-o",
            "p.jfp",
            "--",
            &java,
            "-cp",
            "behind/late",
            "acme.Late",
            "x",
        ];
        place.jfathom(&words).fine();
        if folders() == 0 {
            return;
        }
    }
    panic!("the folder stays");
}

#[test]
fn wherever_the_runtime_lies() {
    let place = place();
    let java = java_home().join("bin/java").display().to_string();
    for (out, options) in [("boot", &["--placement", "boot"][..]), ("patch", &["--scheme=jdk"])] {
        let words =
            [&["rewrite", "classes", "-q", "-o", out, "--root", "acme.Shows::run"], options]
                .concat();
        place.jfathom(&words).fine();
        let class_path = format!("{out}/classes");
        let (_, err, report) =
            record(&place, &java, &["--probe=**=off", "-q"], &["-cp", &class_path, "acme.Shows"]);
        assert_eq!((err.as_str(), probes(&place)), ("", [true, false]), "{options:?}");
        assert_eq!(
            (calls(&report, "run"), report["methods"].as_array().unwrap().len()),
            (1, 1),
            "{}",
            report["methods"]
        );
    }
}

#[test]
fn jars_are_found_through_class_paths_of_jars() {
    let place = place();
    place.write(
        "Start.java",
        b"public class Start { public static void main(String[] a) throws Exception { acme.Shows.main(a); } }",
    );
    compile(&place, "Start.java", "start");
    let start = [("Start.class".to_owned(), place.read("start/Start.class"))];
    let manifest =
        [ManifestEdit::set("Main-Class", "Start"), ManifestEdit::set("Class-Path", "lib/app.jar")];
    place.write("main.jar", &jar(&manifest, &start));
    place.write("lib/app.jar", &place.read("app.jar"));
    let java = java_home().join("bin/java").display().to_string();
    for (out, jars) in [("main", &["main.jar"][..]), ("both", &["main.jar", "lib/app.jar"])] {
        let words = [&["rewrite", "-q", "-o", out, "--root", "acme.Shows::run"], jars].concat();
        place.jfathom(&words).fine();
        let main = format!("{out}/main.jar");
        for options in [&["--probe=**=off", "-q"][..], &["--anchor", "--runs", "2", "-q"]] {
            let (_, err, report) = record(&place, &java, options, &["-jar", &main]);
            // The last of four runs is roots-only.
            assert_eq!((err.as_str(), probes(&place)), ("", [true, false]), "{jars:?} {options:?}");
            let runs = if options.contains(&"--anchor") { 2 } else { 1 };
            assert_eq!(calls(&report, "run"), runs);
        }
    }
}

#[test]
fn without_the_sources_the_other_probes_are_switched_off() {
    let place = place();
    let java = java_home().join("bin/java").display().to_string();
    let fallback_reason = |command: &[&str], why: &str| {
        let (out, err, report) =
            record(&place, &java, &["--probe=**=off", "--rewritten", "out"], command);
        assert!(out.starts_with("10\n"), "{out}{err}");
        assert!(err.contains("switched off") && err.contains(why), "{err}");
        assert_eq!(
            (probes(&place), calls(&report, "run"), calls(&report, "inner")),
            ([true, true], 1, 0)
        );
    };
    fs::rename(place.path("out"), place.path("moved")).unwrap();
    std::os::unix::fs::symlink("moved", place.path("out")).unwrap();
    fallback_reason(&["-XX:SharedArchiveFile=no.jsa", "-jar", "out/app.jar"], "CDS archive");
    place.write("elsewhere/app.jar", &place.read("out/app.jar"));
    fallback_reason(&["-cp", "elsewhere/app.jar", "acme.Shows"], "does not name what is in");
    let mut changed = place.read("classes/acme/Shows.class");
    changed.push(0);
    place.write("classes/acme/Shows.class", &changed);
    fallback_reason(&["-jar", "out/app.jar"], "rewrite it again");
    fs::remove_dir_all(place.path("classes")).unwrap();
    fallback_reason(&["-jar", "out/app.jar"], "classes is missing");
}
