//! Roots that are looked up before the program of `record --root` starts.

use super::support::{PRINTS, Place, app_jar, classes, jar, java_home};
use jfathom_archive::ManifestEdit;
use std::process::Command;

fn java() -> String {
    java_home().join("bin/java").display().to_string()
}

/// Records `java` with these words, with this root, and variables of the environment.
fn record(
    place: &Place,
    root: &str,
    words: &[&str],
    variables: &[(&str, &str)],
) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jfathom"));
    command.args(["record", "-f", "-o", "p.jfp", "--root", root, "--", &java()]).args(words);
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR")).current_dir(place.path(""));
    for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    let done = command.envs(variables.iter().copied()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

#[test]
fn a_root_that_the_class_path_lacks_is_refused_before_the_start() {
    let place = Place::new();
    for (name, bytes) in classes() {
        place.write(&format!("classes/{name}"), bytes);
    }
    place.write("lib/app.jar", &app_jar());
    let first = [
        ManifestEdit::set("Class-Path", "lib/app.jar"),
        ManifestEdit::set("Main-Class", "acme.Engine"),
    ];
    place.write("first.jar", &jar(&first, &[]));
    place.write("arguments", b"-cp lib/app.jar acme.Engine");
    let near = "did you mean acme.Engine::step?";
    for (words, variables) in [
        (&["-cp", "classes", "acme.Engine"][..], &[][..]),
        (&["-jar", "app.jar"], &[]),
        (&["-jar", "first.jar"], &[]),
        (&["-cp", "lib/*", "acme.Engine"], &[]),
        (&["@arguments"], &[]),
        (&["acme.Engine"], &[("CLASSPATH", "app.jar")]),
        (&["acme.Engine"], &[("JDK_JAVA_OPTIONS", "-cp 'app.jar'")]),
    ] {
        let (code, out, err) = record(&place, "acme.Engine::stop", words, variables);
        assert_eq!((code, &*out), (2, ""), "{words:?}: {err}");
        assert!(err.contains(near) && err.contains("nothing was started"), "{words:?}: {err}");
    }
    let (code, _, err) = record(&place, "java.lang.Thread::sleep", &["-jar", "app.jar"], &[]);
    assert!(code == 2 && err.contains("java.lang.Thread is the JDK's"), "{err}");
    assert!(!place.path("p.jfp").exists());
    let (code, out, err) = record(&place, "acme.Engine::step", &["-jar", "first.jar"], &[]);
    assert_eq!((code, &*out), (0, PRINTS), "{err}");
    assert!(!err.contains("looked up"), "{err}");
}

/// A plug-in that a class loader of the program brings, a class path entry that the program makes,
/// a source file, and options that bring classes.
#[test]
fn a_root_that_may_come_from_elsewhere_is_recorded() {
    let place = Place::new();
    place.write("Plug.java", b"public class Plug implements Runnable { public void run() { work(); } static void work() { } }");
    place.compile("Plug.java", "plugs");
    place.write("Host.java", br#"public class Host { public static void main(String[] a) throws Exception {
        var loader = new java.net.URLClassLoader(new java.net.URL[] { new java.io.File("plugs").toURI().toURL() });
        ((Runnable) loader.loadClass("Plug").getDeclaredConstructor().newInstance()).run(); } }"#);
    place.compile("Host.java", "host");
    place.write("Plain.java", b"public class Plain { public static void main(String[] a) { } }");
    place.compile("Plain.java", "plain");
    let (code, _, err) = record(&place, "Plug::work", &["-cp", "host", "Host"], &[]);
    assert!(code == 0 && err.contains("Host uses a URLClassLoader"), "{code} {err}");
    place.jfathom(&["report", "p.jfp"]).fine().says(&["Plug::work"]);
    let refused = ["-cp", "plain", "Plain"];
    assert_eq!(record(&place, "Plug::work", &refused, &[]).0, 2);
    for (words, variables, reason) in [
        (&["-cp", "plain:later", "Plain"][..], &[][..], "later may have classes later"),
        (
            &["-cp", "plain", "Plain"],
            &[("JAVA_TOOL_OPTIONS", "-Xbootclasspath/a:plugs")],
            "its options",
        ),
    ] {
        let (_, _, err) = record(&place, "Plug::work", words, variables);
        assert!(err.contains(reason) && err.contains("starts all the same"), "{words:?}: {err}");
    }
    let (_, _, err) = record(&place, "Plain::main", &["Plain.java"], &[]);
    assert!(!err.contains("looked up"), "{err}");
}
