//! Rewritten classes link as the plain ones do, said by JVMs and not by us.

use crate::JFATHOM;
use jfathom_tests::{jdk, run, samples, tool, tool::java};
use std::{fs, path::Path};

/// Links every class below the directories that are its arguments, without running any of its code.
const LINKER: &str = r#"
import java.nio.file.*;
import java.net.*;
public class Linker {
    public static void main(String[] args) throws Exception {
        for (String arg : args) {
            Path root = Path.of(arg);
            URLClassLoader loader = new URLClassLoader(new URL[] {root.toUri().toURL()});
            try (var files = Files.walk(root)) {
                for (Path file : (Iterable<Path>) files.filter(f -> f.toString().endsWith(".class")).sorted()::iterator) {
                    String name = root.relativize(file).toString().replace('/', '.').replaceAll("\\.class$", "");
                    if (name.startsWith("jfathom.") || name.equals("module-info")) continue;
                    String outcome = "linked";
                    try {
                        Class<?> c = Class.forName(name, false, loader);
                        c.getDeclaredFields();
                        c.getDeclaredMethods();
                    } catch (Throwable t) {
                        outcome = t.toString();
                    }
                    System.out.println(name + ": " + outcome);
                }
            }
        }
    }
}
"#;

fn linked(jdk: &jdk::Jdk, linker: &Path, classes: &Path) -> Vec<String> {
    let mut command = java(jdk);
    command.args(["-Xverify:all", "-cp"]).arg(linker).arg("Linker").arg(classes);
    run::run(&mut command).fine().stdout.lines().map(str::to_owned).collect()
}

#[test]
fn every_rewritten_sample_links_as_before() {
    let folder = samples::temp_dir();
    let source = folder.path().join("source");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("Linker.java"), LINKER).unwrap();
    let linker = folder.path().join("linker");
    samples::javac(&[], &source, &linker);
    let plain = &samples::compiled().java;
    let every = JFATHOM.rewrite(plain, &folder.path().join("every"), &[]);
    let roots =
        JFATHOM.rewrite(plain, &folder.path().join("roots"), &["--root", "samples.HandOff*::root"]);
    assert!(tool::manifest(&every).skips.is_empty(), "{:?}", tool::manifest(&every).skips);
    for jdk in jdk::main_and_25("verify") {
        let before = linked(jdk, &linker, plain);
        assert!(
            before.len() > 80 && before.iter().all(|line| line.ends_with(": linked")),
            "{before:#?}"
        );
        for rewritten in [&every, &roots] {
            assert_eq!(linked(jdk, &linker, rewritten), before, "{jdk}");
        }
    }
}
