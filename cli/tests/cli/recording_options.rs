//! Options of `record`: modes of methods, run series, roots-only runs, anchors.

use super::support::{PRINTS, Place, java_home, jdk_25};
use serde_json::Value;
use std::{
    io::{Read, Write},
    path::PathBuf,
};

/// Calls of the program's methods below its root `run`, known from its source.
const CALLS: [(&str, &str, u64); 3] =
    [("acme/Engine", "run", 1), ("acme/Engine", "step", 10), ("acme/Engine$Wheel", "turn", 10)];

/// `java` of 17 or so, and of 25 where it is there.
fn javas() -> Vec<PathBuf> {
    std::iter::once(java_home()).chain(jdk_25()).map(|home| home.join("bin/java")).collect()
}

fn rooted() -> Place {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out", "--root", "acme.Engine::run"]).fine();
    place
}

fn record(place: &Place, java: &str, options: &[&str]) -> Value {
    let words =
        [&["record", "-fq", "-o", "p.jfp"], options, &["--", java, "-jar", "out/app.jar"]].concat();
    let answer = place.jfathom(&words).fine();
    assert_eq!(answer.out.replace(PRINTS, ""), "", "{}", answer.out);
    serde_json::from_str(&place.jfathom(&["report", "--json", "p.jfp"]).fine().out).unwrap()
}

fn method<'a>(report: &'a Value, class: &str, name: &str) -> Option<&'a Value> {
    report["methods"]
        .as_array()
        .unwrap()
        .iter()
        .find(|method| method["class"] == class && method["name"] == name)
}

/// Timed and counted calls.
fn calls(report: &Value, class: &str, name: &str) -> (u64, u64) {
    let method = method(report, class, name).unwrap_or_else(|| panic!("no {class}::{name}"));
    let entries =
        ["returns", "throws", "inferred", "open"].map(|name| method[name].as_u64().unwrap());
    assert_eq!(method["entries"], entries.iter().sum::<u64>(), "{method}");
    (method["entries"].as_u64().unwrap(), method["counted"].as_u64().unwrap())
}

fn holds(report: &Value, runs: u64) {
    for (class, name, truth) in CALLS {
        let (timed, counted) = calls(report, class, name);
        assert_eq!(timed + counted, truth * runs, "{class}::{name}");
    }
    assert_eq!(report["quality"]["clean"], true, "{}", report["quality"]);
}

#[test]
fn methods_with_an_entry_alone_are_counted_and_cannot_be_timed() {
    let place = Place::new();
    let root = ["--root", "acme.Engine::run", "--probe=**=count", "--check"];
    place.jfathom(&[&["rewrite", "app.jar", "-o", "out"], &root[..]].concat()).fine();
    for java in javas() {
        let report =
            record(&place, java.to_str().unwrap(), &["--tune=calibrate=off", "--budget=none"]);
        holds(&report, 1);
        assert_eq!(calls(&report, "acme/Engine", "run"), (1, 0));
        assert_eq!(calls(&report, "acme/Engine", "step"), (0, 10));
    }
    let refused = |probe: &str| {
        let words = ["record", "-f", "--probe", probe, "--", "java", "-jar", "out/app.jar"];
        place
            .jfathom(&words)
            .refused(2, &["--probe acme.Engine::step", "can only be counted", "**=count"]);
    };
    refused("acme.Engine::step=time");
    refused("acme.Engine::step=count+stack/10");
    record(&place, "java", &["--tune=calibrate=off", "--probe", "acme.Engine::step=count"]);
    let off = record(&place, "java", &["--tune=calibrate=off", "--probe", "acme.Engine::step=off"]);
    assert!(method(&off, "acme/Engine", "step").is_none());
}

#[test]
fn calls_are_the_same_in_every_mode() {
    let place = rooted();
    for java in javas() {
        let java = java.display().to_string();
        let usual = record(&place, &java, &[]);
        holds(&usual, 1);
        assert_eq!(usual["times"]["calibrated"], true);
        let kinds = |phase: &str| {
            let all = usual["jvms"][0]["calibrations"].as_array().unwrap();
            all.iter().filter(|calibration| calibration["phase"] == phase).count()
        };
        assert!(kinds("start") >= 4 && kinds("end") >= 4, "{}", usual["jvms"][0]["calibrations"]);

        let timed = record(&place, &java, &["--budget=none", "--tune=calibrate=off"]);
        holds(&timed, 1);
        assert_eq!(calls(&timed, "acme/Engine", "step"), (10, 0));
        assert_eq!(calls(&timed, "acme/Engine$Wheel", "turn"), (0, 10));
        assert_eq!(timed["times"]["calibrated"], false);

        let counted =
            record(&place, &java, &["--tune=calibrate=off", "--probe", "acme.Engine.Wheel=count"]);
        holds(&counted, 1);
        assert_eq!(calls(&counted, "acme/Engine$Wheel", "turn"), (0, 10));
        assert_eq!(calls(&counted, "acme/Engine", "step").1, 0);

        let eager = record(&place, &java, &["--tune=calibrate=off", "--budget", "0"]);
        holds(&eager, 1);
    }
}

#[test]
fn roots_only() {
    let place = rooted();
    let report = record(&place, &javas()[0].display().to_string(), &["--probe=**=off"]);
    assert_eq!(calls(&report, "acme/Engine", "run"), (1, 0));
    assert_eq!(report["methods"].as_array().unwrap().len(), 1, "{}", report["methods"]);
    place
        .jfathom(&["report", "--view=summary", "p.jfp"])
        .fine()
        .says(&["only the roots were timed"]);
}

#[test]
fn runs_and_anchors() {
    let place = rooted();
    for java in javas() {
        let java = java.display().to_string();
        let runs = ["record", "-f", "-o", "runs.jfp", "--runs", "2"];
        let command = ["--", &java, "-jar", "out/app.jar"];
        let answer = place.jfathom(&[&runs[..], &["--anchor=never"], &command].concat()).fine();
        assert_eq!(answer.out, PRINTS.repeat(2));
        for word in ["run 1 of 2\n", "run 2 of 2\n", "2 runs"] {
            assert!(answer.err.contains(word), "{}", answer.err);
        }
        let report: Value =
            serde_json::from_str(&place.jfathom(&["report", "--json", "runs.jfp"]).fine().out)
                .unwrap();
        assert_eq!(
            (&report["runs"], report["jvms"].as_array().unwrap().len()),
            (&Value::from(2), 2)
        );
        assert!(report["anchor"].is_null());
        holds(&report, 2);

        // Roots are known, so two runs are anchored without being asked to.
        let report = record(&place, &java, &["--runs", "2"]);
        holds(&report, 2);
        let anchor = &report["anchor"];
        assert_eq!(
            (&anchor["rootsOnlyRuns"], &anchor["fullRuns"]),
            (&Value::from(2), &Value::from(2))
        );
        assert!(anchor["residualNanos"].is_f64() && anchor["correctionShare"].is_f64(), "{anchor}");
        place.jfathom(&["report", "--view=summary", "p.jfp"]).fine().says(&["roots-only run"]);
    }
}

#[test]
fn two_sides_are_recorded_in_turn() {
    let place = rooted();
    place.jfathom(&["rewrite", "app.jar", "-o", "old build", "--root", "acme.Engine::run"]).fine();
    let java = javas()[0].display().to_string();
    let old = format!("base.jfp='{java}' -cp \"old build/app.jar\" acme.Engine");
    let both = ["record", "--baseline", &old, "-o", "new.jfp"];
    let command = ["--", &java, "-jar", "out/app.jar"];
    let record = |options: &[&str]| place.jfathom(&[&both[..], options, &command[..]].concat());
    let answer = record(&["--runs", "2"]).fine();
    assert_eq!(answer.out, PRINTS.repeat(4));
    let said: Vec<&str> = answer.err.lines().filter(|line| line.contains(" of 4, ")).collect();
    let order = [(1, "base"), (2, "new"), (3, "new"), (4, "base")];
    assert_eq!(
        said,
        order.map(|(number, side)| format!("jfathom: run {number} of 4, {side}")),
        "{}",
        answer.err
    );
    let report = |file: &str| -> Value {
        serde_json::from_str(&place.jfathom(&["report", "--json", file]).fine().out).unwrap()
    };
    let [base, new] = ["base.jfp", "new.jfp"].map(report);
    for (side, jar) in [(&base, "/old%20build/app.jar"), (&new, "/out/app.jar")] {
        assert_eq!(side["runs"], 2);
        holds(side, 2);
        let container = side["jvms"][0]["provenance"][0]["container"].as_str().unwrap();
        assert!(container.ends_with(jar), "{container}");
    }
    assert!(
        base["interleavingId"].is_string() && base["interleavingId"] == new["interleavingId"],
        "{}",
        base["interleavingId"]
    );

    let gate = |base: &str| {
        place.jfathom(&["gate", "--json", base, "new.jfp", "--max", "time=+100000%"]).fine().out
    };
    let held: Value = serde_json::from_str(&gate("base.jfp")).unwrap();
    assert_eq!((&held["failed"], &held["interleaved"]), (&false.into(), &true.into()), "{held}");
    assert!(!held["notes"].to_string().contains("interleaved"), "{held}");

    // What is there and no profile is kept, on either side.
    place.write("notes", b"precious");
    let notes = old.replacen("base.jfp", "notes", 1);
    let notes = [&["record", "--baseline", &notes], &both[3..]].concat();
    place.jfathom(&[&notes[..], &command].concat()).refused(1, &["notes exists", "--force"]);
    let same = [&both[..3], &["-o", "./base.jfp", "-f"], &command[..]].concat();
    place.jfathom(&same).refused(2, &["base.jfp would be the profile of both sides"]);
    for (options, words) in [
        (&["--baseline", "base.jfp"][..], &["base.jfp=java"][..]),
        (&["--baseline", "b.jfp="], &["no command"]),
        (&["--baseline", "b.jfp=java 'x"], &["quote is not closed"]),
        (&["--baseline", "b.jfp=java", "-o=p-%p.jfp"], &["%p", "--baseline"]),
        (&["--baseline", "b.jfp=java", "--root", "acme.Engine::run"], &["--root"]),
    ] {
        place.jfathom(&[&["record"], options, &command[..]].concat()).refused(2, words);
    }

    // A signal ends the base: the code comes back, and no side has a run that the other has not.
    let fails = format!("b.jfp=sh -c '\"{java}\" -jar out/app.jar; kill -KILL $$'");
    let words = [
        "record",
        "--tune=calibrate=off",
        "--rewritten",
        "out",
        "--baseline",
        &fails,
        "-o",
        "n.jfp",
    ];
    let answer = place.jfathom(&[&words[..], &command[..]].concat());
    assert_eq!(answer.code, 137, "{}", answer.err);
    assert!(
        answer.err.contains("run 1 of 20, base, is left out")
            && answer.err.contains("there is no profile"),
        "{}",
        answer.err
    );
    assert!(!place.path("b.jfp").exists() && !place.path("n.jfp").exists());
}

#[test]
fn anchors_of_two_sides() {
    let place = rooted();
    let java = javas()[0].display().to_string();
    let base = format!("b.jfp='{java}' -jar out/app.jar");
    let words = ["record", "--anchor", "--runs", "1", "--baseline", &base, "-o", "n.jfp", "--"];
    let answer = place.jfathom(&[&words[..], &[&java, "-jar", "out/app.jar"]].concat()).fine();
    let said: Vec<&str> =
        answer.err.lines().filter_map(|line| line.strip_prefix("jfathom: run ")).collect();
    assert_eq!(
        said,
        ["1 of 4, base, roots only", "2 of 4, base", "3 of 4, new", "4 of 4, new, roots only"]
    );
    for file in ["b.jfp", "n.jfp"] {
        let report: Value =
            serde_json::from_str(&place.jfathom(&["report", "--json", file]).fine().out).unwrap();
        assert_eq!(
            (&report["anchor"]["rootsOnlyRuns"], &report["anchor"]["fullRuns"]),
            (&1.into(), &1.into())
        );
    }
}

/// Calls its root once more from the third start on; with the argument `fail` it fails from the
/// second start on, with `read` it calls its root for each line of its input instead.
const MORE: &str = r#"
package acme;

import java.nio.file.*;

public class More {
    static int run(int n) {
        return n <= 1 ? n : step(n - 1) + 1;
    }

    static int step(int n) {
        return n * 3 + 1;
    }

    public static void main(String[] args) throws Exception {
        Path starts = Path.of("starts");
        String before = Files.exists(starts) ? Files.readString(starts) : "";
        Files.writeString(starts, before + "x");
        if (args.length > 0 && args[0].equals("read")) {
            int lines = (int) new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).lines().peek(line -> run(3)).map(String::length).filter(n -> n > 0).count();
            System.out.println(lines + run(1));
            return;
        }
        int calls = before.length() < 2 ? 5 : 6;
        if (args.length > 0 && before.length() > 0) {
            System.exit(run(3));
        }
        for (int i = 0; i < calls; i++) {
            System.out.print(run(i));
        }
    }
}
"#;

fn more() -> Place {
    let place = Place::new();
    place.write("More.java", MORE.as_bytes());
    place.compile("More.java", "classes");
    place.jfathom(&["rewrite", "classes", "-o", "out", "--root", "acme.More::run"]).fine();
    place
}

#[test]
fn a_first_full_run_that_fails_leaves_no_roots_only_profile() {
    let place = more();
    let java = javas()[0].display().to_string();
    let words = [
        "record",
        "--anchor",
        "--runs",
        "2",
        "--",
        &java,
        "-cp",
        "out/classes",
        "acme.More",
        "fail",
    ];
    let answer = place.jfathom(&words);
    assert_eq!(answer.code, 8, "{}", answer.err);
    assert!(
        answer.err.contains("run 2 of 4 is left out") && answer.err.contains("there is no profile"),
        "{}",
        answer.err
    );
    assert!(
        !answer.err.contains("jfathom report") && !place.path("profile.jfp").exists(),
        "{}",
        answer.err
    );
}

#[test]
fn each_run_reads_the_same_input() {
    let place = more();
    place.write("input", b"not of it\none\ntwo\nthree\n");
    let java = javas()[0].display().to_string();
    let words = [
        "record",
        "-f",
        "--runs",
        "3",
        "--anchor=never",
        "--",
        &java,
        "-cp",
        "out/classes",
        "acme.More",
        "read",
    ];
    let calls_of = || {
        let report = place.jfathom(&["report", "--json", "profile.jfp"]).fine().out;
        calls(&serde_json::from_str(&report).unwrap(), "acme/More", "run").0
    };
    let mut file = std::fs::File::open(place.path("input")).unwrap();
    file.read_exact(&mut [0; 10]).unwrap();
    let answer = place.jfathom_with(&words, file.into()).fine();
    assert_eq!((answer.out.as_str(), calls_of()), ("4\n4\n4\n", 3 * 4), "{}", answer.err);
    assert!(!answer.err.contains("standard input"), "{}", answer.err);
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"one\n").unwrap();
    drop(writer);
    let answer = place.jfathom_with(&words, reader.into()).fine();
    assert_eq!((answer.out.as_str(), calls_of()), ("1\n1\n1\n", 3), "{}", answer.err);
    assert!(answer.err.contains("standard input is a pipe"), "{}", answer.err);
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"one\n").unwrap();
    drop(writer);
    let words = ["record", "-f", "--", &java, "-cp", "out/classes", "acme.More", "read"];
    assert_eq!(place.jfathom_with(&words, reader.into()).fine().out, "2\n", "one run has it all");
}

#[test]
fn runs_with_other_calls_of_a_root_have_no_anchor() {
    let place = more();
    let java = javas()[0].display().to_string();
    let words =
        ["record", "--anchor", "--runs", "3", "--", &java, "-cp", "out/classes", "acme.More"];
    let answer = place.jfathom(&words);
    assert_eq!(answer.code, 1, "{}", answer.err);
    for word in ["acme.More::run", "5 times", "6 times in run 3", "without an anchor"] {
        assert!(answer.err.contains(word), "{}", answer.err);
    }
    let report: Value =
        serde_json::from_str(&place.jfathom(&["report", "--json", "profile.jfp"]).fine().out)
            .unwrap();
    assert!(report["anchor"].is_null(), "{}", report["anchor"]);
    assert_eq!(method(&report, "acme/More", "run").unwrap()["entries"], 5);
}

#[test]
fn the_code_of_all_runs_comes_back() {
    let place = rooted();
    let script = format!("'{}' -jar out/app.jar; exit 7", javas()[0].display());
    let answer = place.jfathom(&[
        "record",
        "--runs",
        "2",
        "--tune=calibrate=off",
        "--rewritten",
        "out",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    assert_eq!((answer.code, answer.out), (7, PRINTS.repeat(2)));
    assert!(answer.err.contains("ended with code 7: the series goes on"), "{}", answer.err);
    let report = place.jfathom(&["report", "--json", "profile.jfp"]).fine().out;
    assert_eq!(serde_json::from_str::<Value>(&report).unwrap()["runs"], 2);
}

#[test]
fn what_cannot_be_asked_for() {
    let place = rooted();
    let java = javas()[0].display().to_string();
    let refused = |options: &[&str], words: &[&str]| {
        let all = [&["record"], options, &["--", &java, "-jar", "out/app.jar"]].concat();
        place.jfathom(&all).refused(2, words);
    };
    refused(&["--probe", "acme.Engin=count"], &["--probe acme.Engin", "acme.Engine"]);
    refused(
        &["--probe", "acme.Engine::stop=count"],
        &["--probe acme.Engine::stop", "acme.Engine::step"],
    );
    refused(&["--probe", "@Timed=count"], &["@Timed", "annotation"]);
    refused(&["--probe", "!acme.Engine=count"], &["--probe", "excluded"]);
    refused(&["--probe", "a b=count"], &["a b"]);
    refused(&["--anchor", "--tune=calibrate=off"], &["--anchor", "--tune calibrate=off"]);
    refused(&["--anchor", "--probe=**=off"], &["--anchor", "--probe '**=off'"]);
    refused(&["--runs", "2", "-o=p-%p.jfp"], &["--runs", "%p"]);
    refused(&["--runs", "0"], &["0"]);
    refused(&["--budget", "-1"], &["-1"]);
    refused(&["--budget", "half"], &["half", "none"]);
    for option in [&["--probe", "acme.**=count"][..], &["--probe=**=off"]] {
        let words = [&["record"], option, &["--", &java, "-jar", "app.jar"]].concat();
        place.jfathom(&words).refused(2, &["--rewritten"]);
    }
    place.jfathom(&["rewrite", "app.jar", "-o", "every"]).fine();
    for option in ["--probe=**=off", "--anchor"] {
        let words = ["record", "-q", option, "--", &java, "-jar", "every/app.jar"];
        place.jfathom(&words).refused(2, &["none of the methods is a root", "rewrite --root"]);
    }
    assert!(!place.path("profile.jfp").exists());
}
