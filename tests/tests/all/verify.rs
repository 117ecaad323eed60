//! Rewritten classes link as the plain ones do, said by JVMs and not by us.

use crate::JFATHOM;
use jfathom_archive::{Input, Work};
use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, survey};
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
    let roots = JFATHOM.rewrite(plain, &folder.path().join("roots"), &["--root", "samples.HandOff*::root"]);
    assert!(tool::manifest(&every).skips.is_empty(), "{:?}", tool::manifest(&every).skips);
    for jdk in jdk::main_and_25("verify") {
        let before = linked(jdk, &linker, plain);
        assert!(before.len() > 80 && before.iter().all(|line| line.ends_with(": linked")), "{before:#?}");
        for rewritten in [&every, &roots] {
            assert_eq!(linked(jdk, &linker, rewritten), before, "{jdk}");
        }
    }
}

/// cafebabe, which shares no line with us, reads every class of java.base that has all its methods instrumented.
#[test]
fn another_reader_reads_every_rewritten_class() {
    let input = Input::open_module(&jdk::main().home, "java.base").expect("every JDK has java.base");
    let read = |place: String, bytes: &[u8]| {
        let seen = survey(bytes, Digests::Leave).map_err(|skip| format!("{place}: {skip:?}"))?;
        let methods = (0..).filter_map(MethodId::new).zip(seen.methods).map(|(id, method)| MethodPlan {
            name: method.name,
            descriptor: method.descriptor,
            id,
            kind: ProbeKind::Inner,
        });
        let plan = ClassPlan { methods: methods.collect(), hand_offs: true, ..ClassPlan::default() };
        let mut rewriter = Rewriter::new(Options::default());
        let Ok(rewritten) = rewriter.rewrite(bytes, &plan) else { return Ok(0) };
        cafebabe::parse_class(rewritten.bytes).map_err(|error| format!("{place}: {error}"))?;
        Ok(rewritten.done.len())
    };
    let visited = input.visit(&Work::default(), |entry, bytes| read(entry.place().to_string(), bytes)).unwrap();
    let (fine, wrong): (Vec<_>, Vec<Result<usize, String>>) = visited.values.into_iter().partition(Result::is_ok);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let methods: usize = fine.into_iter().flatten().sum();
    assert!(methods > 30_000, "only {methods} methods were instrumented");
}
