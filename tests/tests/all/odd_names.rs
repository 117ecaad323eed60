//! Methods with names that only the JVM allows (JVMS 4.2.2): each can be a root, and is found by
//! reflection.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_testkit::renamed;
use jfathom_tests::{jdk, jdk::Jdk, run, samples, wire};
use std::{fs, path::Path};

/// Names that take the place of `name0_` and so on.
const NAMES: [&str; 12] = [
    "with spaces",
    "a(b)",
    "c:d",
    "x*y",
    "!neg",
    "@at",
    "a,b",
    "q\"uote",
    "#hash",
    "launches 🚀",
    "🚀",
    "nul\0",
];

/// Each method is called once directly, twice through a `Method`, and once through a method handle
/// that is looked up.
fn source() -> String {
    let methods: String = (0..NAMES.len())
        .map(|n| format!("public static void name{n}_() {{ calls++; }}\n"))
        .collect();
    let calls: String = (0..NAMES.len())
        .map(|n| {
            format!(
                "name{n}_(); var m{n} = Odd.class.getMethod(\"name{n}_\"); m{n}.invoke(null); m{n}.invoke(null);
                 MethodHandles.lookup().findStatic(Odd.class, \"name{n}_\", MethodType.methodType(void.class)).invoke();\n"
            )
        })
        .collect();
    format!(
        "import java.lang.invoke.*;
         public class Odd {{ static int calls; {methods}
         public static void main(String[] args) throws Throwable {{ {calls} System.out.println(calls); }} }}"
    )
}

/// Calls the methods of a class that it has by name, each by a `Method` and by a method handle: no
/// constant shows them, so that the agent hears of them at run time alone.
const LATE: &str = r#"
import java.lang.invoke.*;
public class Late { public static void main(String[] words) throws Throwable {
    Class<?> odd = Class.forName(words[0]);
    for (var method : odd.getDeclaredMethods()) if (!method.getName().equals("main")) {
        method.invoke(null);
        MethodHandles.lookup().findStatic(odd, method.getName(), MethodType.methodType(void.class)).invoke();
    } } }
"#;

fn classes(folder: &Path) {
    fs::create_dir(folder.join("source")).unwrap();
    fs::write(folder.join("source/Late.java"), LATE).unwrap();
    fs::write(folder.join("source/Odd.java"), source()).unwrap();
    samples::javac_for(11, &[], &folder.join("source"), &folder.join("classes"));
    let file = folder.join("classes/Odd.class");
    let mut class = fs::read(&file).unwrap();
    for (number, name) in NAMES.iter().enumerate() {
        class = renamed(&class, &format!("name{number}_"), name);
    }
    fs::write(file, class).unwrap();
}

#[test]
fn the_agent_is_told_of_methods_with_odd_names() {
    let folder = samples::temp_dir();
    classes(folder.path());
    for jdk in jdk::main_and_25("odd names at run time") {
        let output = folder.path().join("late.jfp");
        let mut command = JFATHOM.command();
        command.args(["record", "-q", "-f", "--tune=calibrate=off", "--root", "Late::main", "-o"]);
        let words = wire::class_path(&folder.path().join("classes"), "Late", &["Odd"]);
        run::run(command.arg(&output).arg("--").arg(jdk.java()).args(words)).fine();
        let profile = Profile::read(&mut &*fs::read(&output).unwrap()).unwrap();
        for name in NAMES {
            let found = profile.methods.iter().find(|method| method.info.key.name == name);
            assert_eq!(found.map(|method| method.calls()), Some(2), "{name}, {jdk}");
        }
    }
}

/// Records `Odd` and returns the calls of its methods by name.
fn calls(folder: &Path, jdk: &Jdk, classes: &Path, options: &[String]) -> Vec<(String, u64)> {
    let output = folder.join("odd.jfp");
    let mut command = JFATHOM.command();
    command
        .args(["record", "-q", "-f", "--tune=calibrate=off"])
        .args(options)
        .arg("-o")
        .arg(&output);
    command.arg("--").arg(jdk.java()).args(wire::class_path(classes, "Odd", &[]));
    let done = run::run(&mut command).fine();
    assert_eq!(done.stdout, format!("{}\n", 4 * NAMES.len()), "{done}");
    let profile = Profile::read(&mut &*fs::read(&output).unwrap()).unwrap();
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
    let methods = profile.methods.iter().filter(|method| method.calls() > 0);
    methods.map(|method| (method.info.key.name.clone(), method.calls())).collect()
}

#[test]
fn methods_with_odd_names_are_roots_and_are_found_by_reflection() {
    let folder = samples::temp_dir();
    classes(folder.path());
    let plain = folder.path().join("classes");
    for jdk in jdk::main_and_25("odd names") {
        let out = folder.path().join(format!("out-{}", jdk.version));
        let rewritten = JFATHOM.rewrite(&plain, &out, &["--root", "Odd::main"]);
        let live = ["--root".to_owned(), "Odd::main".to_owned()];
        for (classes, options) in [(&rewritten, &[][..]), (&plain, &live)] {
            let calls = calls(folder.path(), jdk, classes, options);
            for name in NAMES {
                let found = calls.iter().find(|call| call.0 == name);
                assert_eq!(found.map(|call| call.1), Some(4), "{name} {options:?} {calls:?}");
            }
        }
    }
    // All of them in one recording, by the selectors that are printed.
    let roots: Vec<String> = NAMES
        .iter()
        .flat_map(|name| ["--root".to_owned(), format!("Odd::{}", jfathom_plan::quoted_name(name))])
        .collect();
    let words: Vec<&str> = roots.iter().map(String::as_str).collect();
    let rewritten = JFATHOM.rewrite(&plain, &folder.path().join("roots"), &words);
    for (classes, options) in [(&rewritten, &[][..]), (&plain, &roots[..])] {
        let mut calls = calls(folder.path(), jdk::main(), classes, options);
        calls.sort();
        let mut expected = NAMES.map(|name| (name.to_owned(), 4)).to_vec();
        expected.sort();
        assert_eq!(calls, expected, "{options:?}");
    }
}
