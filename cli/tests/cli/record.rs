//! `record` and `report`: the way from a rewritten jar to its call tree.

use super::support::{PRINTS, Place, java_home};

fn java() -> String {
    java_home().join("bin/java").display().to_string()
}

fn json(place: &Place, profile: &str) -> serde_json::Value {
    serde_json::from_str(&place.jfathom(&["report", "--json", profile]).fine().out).unwrap()
}

/// Calls and caught exceptions of a method of `acme.Engine`.
fn counts(report: &serde_json::Value, class: &str, name: &str) -> (u64, u64) {
    let methods = report["methods"].as_array().unwrap();
    let method = methods.iter().find(|method| method["class"] == class && method["name"] == name);
    let method = method.unwrap_or_else(|| panic!("no {class}::{name} in {methods:?}"));
    let number = |name: &str| method[name].as_u64().unwrap();
    (number("entries") + number("counted"), number("caught"))
}

#[test]
fn a_rewritten_jar_is_recorded_and_reported() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let answer =
        place.jfathom(&["record", "-o", "p.jfp", "--", &java(), "-jar", "out/app.jar"]).fine();
    assert_eq!(answer.out, PRINTS);
    assert!(
        answer.err.contains("of 1 JVM") && answer.err.contains("jfathom report p.jfp"),
        "{}",
        answer.err
    );

    let report = json(&place, "p.jfp");
    assert_eq!(counts(&report, "acme/Engine", "step"), (10, 1));
    assert_eq!(counts(&report, "acme/Engine$Wheel", "turn").0, 10);
    assert_eq!(report["quality"]["clean"], true, "{}", report["quality"]);
    assert_eq!(report["threads"].as_array().unwrap().len(), 2);

    let text = place.jfathom(&["report", "p.jfp"]).fine();
    let text = text.says(&[
        "call tree",
        "hot methods",
        "acme.Engine::step",
        "thread main #1",
        "wall times",
    ]);
    assert!(!text.out.contains("NOT CLEAN"), "{}", text.out);
    let hot =
        place.jfathom(&["report", "--view=methods", "--sort", "calls", "-n", "1", "p.jfp"]).fine();
    assert!(
        hot.out.starts_with("hot methods, by calls\n") && hot.out.contains("more methods"),
        "{}",
        hot.out
    );
    let stacks = place
        .jfathom(&[
            "report",
            "--as=collapsed",
            "--weight",
            "calls",
            "--filter=threads=all",
            "p.jfp",
        ])
        .fine();
    stacks.says(&["acme.Engine::main 1\n", "acme.Engine::run;acme.Engine::step 10\n"]);
    place.jfathom(&["report", "-o", "f.svg", "p.jfp"]).fine();
    assert!(place.read("f.svg").starts_with(b"<?xml"));
    place.jfathom(&["report", "--view=tree", "-o", "tree.txt", "p.jfp"]).fine();
    assert!(place.read("tree.txt").starts_with(b"call tree\n"));
    outputs_lead_where_they_are_named(&place);

    place.jfathom(&["report", "--filter=thread=nobody", "p.jfp"]).refused(2, &["nobody", "main"]);
    place.jfathom(&["report", "--threshold", "101", "p.jfp"]).refused(2, &["0 to 100"]);
    an_older_profile_is_kept(&place);
}

/// It gets the name that `perf record` gives. Nothing but a profile gives way.
fn an_older_profile_is_kept(place: &Place) {
    let record = |file: &str, options: &[&str]| {
        let command = ["--", &java(), "-jar", "out/app.jar"];
        place.jfathom(&[&["record", "-q", "-o", file], options, &command].concat())
    };
    let first = place.read("p.jfp");
    place
        .jfathom(&["record", "-o", "p.jfp", "--", "true"])
        .refused(1, &["no JVM joined", "to a JVM that ran before", "JFATHOM_SESSION"]);
    assert!(place.read("p.jfp") == first && !place.path("p.jfp.old").exists());
    record("p.jfp", &[]).fine();
    assert!(place.read("p.jfp.old") == first && place.read("p.jfp") != first);
    record("p.jfp", &["--force"]).fine();
    assert!(place.read("p.jfp.old") == first);

    place.write("notes", b"precious");
    let refused = record("notes", &[]);
    refused.refused(1, &["notes exists", "no profile of yours", "--force"]);
    place.write("p.jfp.old", b"precious");
    record("p.jfp", &[]).refused(1, &["p.jfp exists", "p.jfp.old"]);
    assert!(place.read("notes") == b"precious" && place.read("p.jfp.old") == b"precious");
}

/// A pipe is written to and stays, a link is followed, and `-` is stdout.
fn outputs_lead_where_they_are_named(place: &Place) {
    for output in ["-", "/dev/stdout", "/proc/self/fd/1"] {
        let flame = place.jfathom(&["report", "--as=flamegraph", "-o", output, "p.jfp"]).fine();
        assert!(flame.out.starts_with("<?xml"), "{output}");
    }
    let merged = place.jfathom(&["merge", "-f", "-o", "/dev/null", "p.jfp"]).fine();
    merged.says(&["/dev/null: "]);

    let pipe = place.path("pipe");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    place.jfathom(&["report", "--as=flamegraph", "-o", "pipe", "p.jfp"]).fine();
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(
        &std::fs::symlink_metadata(&pipe).unwrap().file_type()
    ));
    assert!(reader.join().unwrap().starts_with(b"<?xml"));

    std::os::unix::fs::symlink("linked.txt", place.path("link")).unwrap();
    place.jfathom(&["report", "--view=tree", "-o", "link", "p.jfp"]).fine();
    assert!(place.read("linked.txt").starts_with(b"call tree\n"));
    assert!(place.path("link").is_symlink());
}

#[test]
fn flags_that_a_placement_needs_are_found_or_insisted_on() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out", "--placement", "boot"]).fine();
    let answer =
        place.jfathom(&["record", "--quiet", "--", &java(), "-cp", "out/*", "acme.Engine"]).fine();
    assert_eq!((answer.out.as_str(), answer.err.as_str()), (PRINTS, ""));
    assert_eq!(counts(&json(&place, "profile.jfp"), "acme/Engine", "step"), (10, 1));

    // Behind a shell there is no argument to put them into.
    let script = format!("'{}' -jar out/app.jar; exit 7", java());
    let answer = place.jfathom(&[
        "record",
        "-fq",
        "--use-java-tool-options",
        "--rewritten",
        "out",
        "--",
        "sh",
        "-c",
        &script,
    ]);
    assert_eq!((answer.code, answer.out.as_str()), (7, PRINTS));
    assert!(answer.err.starts_with("Picked up JAVA_TOOL_OPTIONS"), "{}", answer.err);
    let answer = place.jfathom(&["record", "-f", "--rewritten", "out", "--", "sh", "-c", "true"]);
    answer.refused(
        1,
        &["`sh` is not `java`", "-Xbootclasspath/a:", "--use-java-tool-options", "no JVM joined"],
    );
    let live = ["record", "-f", "--use-java-tool-options", "--root", "acme.Engine::run"];
    let live = place.jfathom(&[&live[..], &["--", "sh", "-c", "true"]].concat());
    live.refused(1, &["no JVM joined", "(JAVA_TOOL_OPTIONS)", "to a JVM that ran before"]);
}

#[test]
fn a_start_script_ends_before_its_jvm_begins() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let run = format!("#!/bin/sh\nsleep 0.3; exec '{}' -jar \"$1\"\n", java());
    place.write("run.sh", run.as_bytes());
    let start = |jar| format!("nohup setsid sh run.sh {jar} >/dev/null 2>&1 &");
    let root = ["--use-java-tool-options", "--root", "acme.Engine::main"];
    for (options, jar) in [(&root[..0], "out/app.jar"), (&root[..], "app.jar")] {
        let command = ["--", "sh", "-c", &start(jar)];
        place.jfathom(&[&["record", "-f", "-o", "p.jfp"], options, &command].concat()).fine();
        assert_eq!(counts(&json(&place, "p.jfp"), "acme/Engine$Wheel", "turn").0, 10, "{jar}");
    }
}

#[test]
fn what_cannot_be_recorded_or_read() {
    let place = Place::new();
    place
        .jfathom(&["record", "--", "no-such-command-of-jfathom"])
        .refused(127, &["command not found"]);
    place.jfathom(&["record", "--", "/dev/null"]).refused(126, &["cannot be executed"]);
    place.jfathom(&["record"]).refused(2, &["COMMAND"]);
    place.jfathom(&["record", "--wait", "soon", "--", "true"]).refused(2, &["0, or forever"]);
    place.jfathom(&["record", "--tune=ring=3000", "--", "true"]).refused(2, &["power of two"]);
    place
        .jfathom(&["record", "--rewritten", ".", "--", "true"])
        .refused(2, &["nothing was rewritten"]);
    place.jfathom(&["record", "-o", "no/such/p.jfp", "--", "true"]).refused(1, &["no/such/p.jfp"]);
    let plain = place.jfathom(&["record", "--", &java(), "-version"]);
    assert_eq!(plain.code, 1);
    assert!(
        plain.err.contains("no JVM joined") && plain.err.contains("not rewritten"),
        "{}",
        plain.err
    );
    let managed = ["record", "--", &java(), "-Djava.security.manager", "-version"];
    place.jfathom(&managed).refused(1, &["no JVM joined", "java.security.AllPermission"]);
    let words = ["profile.jfp: there is no such file", "jfathom record --root", "record -p PID"];
    place.jfathom(&["report"]).refused(1, &words);
    place.jfathom(&["report", "none.jfp"]).refused(1, &["none.jfp", "record -o none.jfp"]);
    place.write("text.jfp", b"this is text");
    place.jfathom(&["report", "text.jfp"]).refused(1, &["text.jfp", "not a jfathom profile"]);
    place.write("dir/file", b"");
    place.jfathom(&["report", "dir"]).refused(1, &["dir"]);
}
