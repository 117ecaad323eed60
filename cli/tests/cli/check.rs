use super::support::*;

const CHECKED: &str = "checked by other readers: ";
const EQUAL: &str = "2 changed classes are their originals without the probes";

/// With `--check`, or where the environment has `CI`, outputs are read back.
#[test]
fn outputs_are_read_back_on_request_and_in_ci() {
    let place = Place::new();
    for (ci, arguments, is_checked) in [
        ("", &["--check"][..], true),
        ("", &[], false),
        ("false", &[], false),
        ("true", &[], true),
        ("1", &["--no-check"], false),
        ("1", &["--no-check", "--check"], true),
    ] {
        let all = [&["rewrite", "app.jar", "-o", "out", "--force"], arguments].concat();
        let answer = place.jfathom_in_ci(ci, &all).fine();
        assert_eq!(
            answer.out.contains(CHECKED),
            is_checked,
            "CI={ci} {arguments:?}: {}",
            answer.out
        );
        assert_eq!(answer.out.contains(EQUAL), is_checked, "{}", answer.out);
    }
}

/// Checked or not, the same is written.
#[test]
fn the_check_changes_nothing() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "plain", "--no-check"]).fine();
    place.jfathom(&["rewrite", "app.jar", "-o", "checked", "--check", "--jobs", "1"]).fine();
    assert!(place.read("plain/app.jar") == place.read("checked/app.jar"));
}

#[test]
fn directories_nested_jars_and_modules_are_checked_too() {
    let place = Place::new();
    for (name, bytes) in classes() {
        place.write(&format!("classes/{name}"), bytes);
        place.write("classes/META-INF/MANIFEST.MF", b"Manifest-Version: 1.0\n");
    }
    place.write("nest.jar", &jar(&[], &[("lib/app.jar".to_owned(), jar(&[], classes()))]));
    for input in ["classes", "nest.jar"] {
        place
            .jfathom(&["rewrite", input, "-o", "out", "--check", "--placement", "boot"])
            .fine()
            .says(&[CHECKED, EQUAL]);
    }
    let module = ["rewrite", "--module", "java.logging", "-o", "jdk", "--check"];
    place.jfathom(&module).fine().says(&[CHECKED, "changed classes are their originals"]);
    place
        .jfathom(&["verify", "out", "-v"])
        .says(&[CHECKED, "4 changed classes are their originals"]);
}

/// `verify` finds without a JVM what became of an output since.
#[test]
fn a_changed_output_is_found_with_its_place() {
    let place = Place::new();
    for (name, bytes) in classes() {
        place.write(&format!("classes/{name}"), bytes);
    }
    place.jfathom(&["rewrite", "classes", "-o", "out"]).fine();
    place.jfathom(&["verify", "out"]).fine().says(&[CHECKED, EQUAL]);
    let class = place.read("out/classes/acme/Engine.class");
    let mut wrong = class.clone();
    // `bipush 7` in step(I)V.
    let at =
        class.windows(3).position(|code| code == [0x1b, 0x10, 7]).expect("step compares with 7");
    wrong[at + 2] = 8;
    place.write("out/classes/acme/Engine.class", &wrong);
    let answer = place.jfathom(&["verify", "out"]);
    assert_eq!(answer.code, 1, "{}{}", answer.out, answer.err);
    answer.says(&[
        "the check found 1 fault",
        "out/classes!acme/Engine.class: method step(I)V: bci ",
        "lacks the original's bipush 7 at bci 1; there is bipush 8",
    ]);
    place.write("out/classes/acme/Engine.class", &class);
    place.write("out/classes/acme/New.class", b"x");
    place
        .jfathom(&["verify", "out"])
        .says(&["out/classes!acme/New.class: is new, and nobody asked for it"]);
}

#[test]
fn a_method_is_shown_before_and_after() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let answer = place.jfathom(&["inspect", "out", "--code", "acme.Engine::step"]).fine();
    let answer = answer.says(&[
        "out/app.jar!acme/Engine.class: step(I)V\n  before\n                0 iload 1\n",
        "  after\n     entry      0 bipush ",
        "invokestatic jfathom/runtime/Probe.methodEntry(I)V\n                5 iload 1\n",
        "     catch ",
        "      exit ",
        "     throw ",
        "java/lang/IllegalStateException\n",
    ]);
    let with_descriptor =
        place.jfathom(&["inspect", "out/app.jar", "--code", "acme.Engine::step(I)V"]).fine();
    assert_eq!(with_descriptor.out, answer.out);
    place
        .jfathom(&["inspect", "out", "--code", "acme.Engine::step(J)V"])
        .refused(2, &["no such method"]);
    place.jfathom(&["inspect", "out", "--code", "acme.*"]).refused(2, &["is no method"]);
}
