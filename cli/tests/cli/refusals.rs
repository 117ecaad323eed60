use super::support::*;

#[test]
fn wrong_arguments_are_usage() {
    let place = Place::new();
    place.jfathom(&[]).refused(2, &["Usage: jfathom"]);
    place.jfathom(&["rewrite"]).refused(2, &["--output"]);
    place.jfathom(&["rewrite", "-o", "out"]).refused(2, &["INPUT"]);
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out", "--include", "a..B"])
        .refused(2, &["‘a..B’ is no selector", "Forms:"]);
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out", "--id-base", "4194304"])
        .refused(2, &["4194304"]);
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out", "--placement", "java-base"])
        .refused(2, &["such as jrt:/java.base"]);
    place
        .jfathom(&["rewrite", "jrt:/java.base", "-o", "out", "--placement", "main"])
        .refused(2, &["needs --placement java-base"]);
    place
        .jfathom(&["rewrite", "jrt:/java.nonsense", "-o", "out"])
        .refused(2, &["no module java.nonsense"]);
    let mut elsewhere = place.command(&["rewrite", "jrt:/java.base", "-o", "out"]);
    place.run(elsewhere.env("JAVA_HOME", "no")).refused(2, &["no: has no bin/java"]);
    assert!(!place.path("out").exists());
}

#[test]
fn a_selector_without_a_match_names_near_misses() {
    let place = Place::new();
    for (option, selector, hint) in [
        ("--include", "acme.Engin", "did you mean acme.Engine?"),
        ("--include", "Engine", "did you mean acme.Engine?"),
        ("--root", "acme.Engine::stop", "did you mean acme.Engine::step?"),
        ("--root", "acme.Engine::quit", "acme.Engine has no such method; it has main, run, step"),
        ("--root", "acme.Engine::step(J)V", "did you mean acme.Engine::step(I)V?"),
        ("--root", "acme.Engine.Weel::turn", "did you mean acme.Engine$Wheel::turn?"),
        ("--include", "!acme.Engin", "did you mean acme.Engine?"),
        ("--include", "!acme.Engin", "did you mean acme.Engine?"),
        ("--include", "@Timde", "did you mean @acme.Engine$Timed?"),
    ] {
        let answer = place.jfathom(&["rewrite", "app.jar", "-o", "out", option, selector]);
        answer.refused(2, &[&format!("{option} {selector} matches nothing"), hint]);
    }
    let part =
        place.jfathom(&["rewrite", "app.jar", "-o", "out", "--root", "acme.Engine$Part::turn"]);
    part.refused(
        2,
        &[
            "matches only abstract methods",
            "methods that implement it: acme.Engine$Wheel::turn(I)I",
        ],
    );
    let both =
        &["rewrite", "app.jar", "-o", "out", "--root", "acme.Engine::run", "--include", "!acme.**"];
    place.jfathom(both).refused(2, &["matches only excluded methods"]);
    assert!(!place.path("out").exists());
}

#[test]
fn inputs_that_cannot_be_read_are_named() {
    let place = Place::new();
    place.jfathom(&["rewrite", "none.jar", "-o", "out"]).refused(1, &["none.jar", "No such file"]);
    place.write("text.jar", b"no jar at all");
    place.jfathom(&["rewrite", "text.jar", "-o", "out"]).refused(1, &["text.jar: not a zip file"]);
    place.write("empty.jar", &jar(&[], &[]));
    place.jfathom(&["rewrite", "empty.jar", "-o", "out"]).refused(2, &["the inputs have no class"]);
    let mut cut = app_jar();
    cut.truncate(cut.len() / 2);
    place.write("cut.jar", &cut);
    place.jfathom(&["rewrite", "cut.jar", "-o", "out"]).refused(1, &["cut.jar"]);
    assert!(!place.path("out").exists());
}

#[test]
fn outputs_are_never_overwritten_unasked() {
    let place = Place::new();
    place
        .jfathom(&["rewrite", "app.jar", "-o", "."])
        .refused(2, &["app.jar", "is the input itself"]);
    place
        .jfathom(&["rewrite", "app.jar", "-o", ".", "--force"])
        .refused(2, &["is the input itself"]);
    assert_eq!(place.read("app.jar"), app_jar());
    place.write("other/app.jar", &app_jar());
    place.jfathom(&["rewrite", "app.jar", "other/app.jar", "-o", "both"]).fine();
    assert!(place.path("both/app.jar").is_file() && place.path("both/other/app.jar").is_file());
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let first = place.read("out/app.jar");
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine().says(&["out/app.jar: kept"]);
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out", "--root", "acme.Engine::run"])
        .refused(2, &["out/app.jar", "--force"]);
    place.jfathom(&["rewrite", "app.jar", "-o", "out", "--force"]).fine();
    assert_eq!(place.read("out/app.jar"), first, "the same input gives the same bytes");
}

#[test]
fn the_output_is_a_directory() {
    let place = Place::new();
    place.write("out", b"a file");
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out"])
        .refused(2, &["out: is a file; -o names the directory"]);
    let inside = place.jfathom(&["rewrite", "app.jar", "-o", "out/deeper"]);
    inside.refused(1, &["out/deeper/app.jar: cannot write: ", "Not a directory"]);
    assert_eq!(place.read("out"), b"a file");
}

#[test]
fn a_rewritten_jar_is_not_rewritten_again() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let again = place.jfathom(&["rewrite", "out/app.jar", "-o", "again"]);
    again.refused(2, &["out/app.jar: was rewritten by jfathom", "rewrite the original"]);
    assert!(!place.path("again").exists());
}

#[test]
fn an_output_of_something_else_stays() {
    let place = Place::new();
    place.write("out/jfathom/output.json", b"{}");
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out"])
        .refused(1, &["output.json: not written by jfathom"]);
    assert!(!place.path("out/app.jar").exists());
}
