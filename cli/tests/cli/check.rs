use super::support::*;
use jfathom_testkit::{Javac, class_files, jdk, with_constants};

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
        ("1", &["--check=never"], false),
        ("1", &["--check=never", "--check"], true),
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
    place.jfathom(&["rewrite", "app.jar", "-o", "plain", "--check=never"]).fine();
    place.jfathom(&["rewrite", "app.jar", "-o", "checked", "--check"]).fine();
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
    let module = ["rewrite", "jrt:/java.logging", "-o", "jdk", "--check"];
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

/// A class in which an argument of a bootstrap method is a computed constant (JVMS §4.4.10), as
/// later compilers than that of the tests write for the enum constants of a `switch` over patterns.
/// It cannot run.
fn with_computed_argument() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Labels.java");
    let text = "class Labels { String of(int k) { return k < 0 ? \"-\" + k : \"+\" + k; } }";
    std::fs::write(&source, text).unwrap();
    Javac::release(17).option("-g:none").compile(&[source], folder.path());
    let class = std::fs::read(folder.path().join("Labels.class")).unwrap();
    let name = b"computed";
    let constants = |first: u16| {
        let index = |more: u16| (first + more).to_be_bytes();
        let text = |text: &[u8]| [&[1, 0, text.len() as u8], text].concat();
        let name_and_type = [&[12][..], &index(0), &index(1)].concat();
        // By bootstrap method 0.
        vec![text(name), text(b"I"), name_and_type, [&[17, 0, 0][..], &index(2)].concat()]
    };
    let mut class = with_constants(&class, constants);
    let name = class.windows(name.len()).position(|bytes| bytes == name).unwrap();
    // The pool's count is one more than its last index (JVMS §4.1).
    let computed = u16::from_be_bytes([class[8], class[9]]) - 1;
    // BootstrapMethods (JVMS §4.7.23): 14 bytes, two methods with one argument each.
    let table = class[name..].windows(6).position(|bytes| bytes == [0, 0, 0, 14, 0, 2]).unwrap();
    let argument = name + table + 6 + 6 + 4;
    class[argument..argument + 2].copy_from_slice(&computed.to_be_bytes());
    class
}

#[test]
fn switches_over_patterns_are_checked() {
    let place = Place::new();
    let entry = ("Labels.class".to_owned(), with_computed_argument());
    place.write("labels.jar", &jar(&[], &[entry]));
    let is_checked = |input: &str, equal: &str| {
        let all = ["rewrite", input, "-o", "out", "--check", "--force"];
        let answer = place.jfathom(&all).fine().says(&[CHECKED, equal]);
        assert!(!answer.out.contains("not checked"), "{}", answer.out);
    };
    is_checked("labels.jar", "1 changed class is its original without the probes");

    let compiler = jdk::jdk25("a switch over patterns").filter(|jdk| jdk.tool("javac").is_file());
    let Some(compiler) = compiler else {
        return eprintln!("switches of javac 25: skipped, there is none here");
    };
    let source = place.path("Shapes.java");
    place.write(
        "Shapes.java",
        b"class Shapes {
            sealed interface Shape permits Box, Point {}
            record Box(int width, Object name) implements Shape {}
            enum Point implements Shape { HERE, THERE }
            static int shape(Shape shape) {
                return switch (shape) {
                    case Point.HERE -> 1;
                    case Point.THERE -> 2;
                    case Box(int width, String name) when width > 3 -> name.length();
                    case Box box -> box.width();
                };
            }
            static int point(Point point) {
                return switch (point) {
                    case HERE -> 1;
                    case Point other when other.name().length() > 9 -> 2;
                    case THERE -> 3;
                };
            }
        }",
    );
    for release in [21, 25] {
        let classes = place.path(&format!("classes-{release}"));
        Javac::release(release).of(compiler).compile(std::slice::from_ref(&source), &classes);
        assert_eq!(class_files(&classes).len(), 4);
        is_checked(classes.to_str().unwrap(), "3 changed classes are their originals");
    }
}

/// Methods with probes within them are not followed, and the summary counts their classes.
#[test]
fn what_is_not_checked_is_counted() {
    let place = Place::new();
    let all =
        ["rewrite", "app.jar", "-o", "out", "--check", "--include", "acme.Engine::step:32-32"];
    place.jfathom(&all).fine().says(&[
        "0 changed classes are their originals",
        "1 part that these readers refuse was not checked (-v lists them)",
    ]);
}

#[test]
fn a_method_is_shown_before_and_after() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let answer = place.jfathom(&["inspect", "out", "--code", "acme.Engine::step"]).fine();
    let answer = answer.says(&[
        "out/app.jar!acme/Engine.class: step(I)V\n  before\n                0 iload 1\n",
        "  after\n     entry      0 iconst_0\n     entry      1 istore ",
        "getstatic jfathom/runtime/Probe.ENABLED",
        "invokestatic jfathom/runtime/Probe.methodEntry(I)I\n",
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
