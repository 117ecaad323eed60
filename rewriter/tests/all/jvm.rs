//! Rewritten classes in JVMs: they link as before, print as before, and the probes tell the truth
//! that the sources state.

use crate::support::java::{self, Outcome};
use crate::support::made;
use jfathom_plan::{ClassPlan, EntryAlone, HugeMethods, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, SkipReason, summarize};
use jfathom_testkit::{Jdk, class_files, java_files, jdk};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Names of the methods by id: `run`, `Inner.run`.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// A plan for the methods that `chosen` takes, with ids that go on from the last.
    fn plan(&mut self, bytes: &[u8], kind: ProbeKind, chosen: impl Fn(&str) -> bool) -> ClassPlan {
        let class = summarize(bytes, Digests::Omit).expect("a class that can be read");
        let short = class.name.rsplit('/').next().unwrap_or_default();
        let nested =
            short.split_once('$').map_or(String::new(), |(_, nested)| format!("{nested}."));
        let mut methods = Vec::new();
        for method in class.methods {
            if method.code_length.is_none() || !chosen(&method.name) {
                continue;
            }
            let id = MethodId::new(self.0.len() as u32).expect("few methods");
            self.0.push(format!("{nested}{}", method.name));
            methods.push(MethodPlan { name: method.name, descriptor: method.descriptor, id, kind });
        }
        ClassPlan { methods, ..ClassPlan::default() }
    }

    /// A log with names in place of ids.
    fn read(&self, log: &str) -> String {
        let word = |word: &str| match word.get(1..).and_then(|id| id.parse::<usize>().ok()) {
            Some(id) => format!("{}{}", &word[..1], self.0[id]),
            None => word.to_owned(),
        };
        log.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
    }
}

fn rewrite(bytes: &[u8], plan: &ClassPlan) -> Vec<u8> {
    let mut rewriter = Rewriter::new(Options::default());
    let done = rewriter.rewrite(bytes, plan).expect("a class that can be rewritten");
    assert_eq!(done.skips, [], "nothing is skipped");
    assert_eq!(done.done.len(), plan.methods.len());
    done.bytes.to_vec()
}

/// The methods of at most 8,000 bytes are compiled before and after; a method that would cross that
/// is skipped.
#[test]
fn no_method_is_pushed_out_of_the_compiler() {
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(17, &java_files(&java::sources("harness")), &folder("harness"));
    // Bytes of code after rewriting under each policy, and the handlers that go unmarked.
    let expected = [
        ("HugePure7982", Some((8_000, 0)), 8_000),
        ("HugePure7983", None, 8_001),
        ("HugeCatch7982", Some((8_000, 1)), 8_009),
        ("HugeCatch7983", None, 8_010),
        ("HugeBefore8001", Some((8_028, 0)), 8_028),
    ];
    let mut rewriter = Rewriter::new(Options::default());
    for (of, (name, kept, allowed)) in made::HUGE.iter().zip(expected) {
        assert_eq!(of.name, name);
        let bytes = made::huge(of);
        let file = format!("{name}.class");
        java::write(&folder("plain"), &file, &bytes);
        let mut plan = Names::default().plan(&bytes, ProbeKind::Always, |name| name == "big");
        let done = rewriter.rewrite(&bytes, &plan).expect("a sound class");
        match kept {
            Some((length, unmarked)) => {
                assert_eq!(
                    (big_length(done.bytes), done.unmarked_catches),
                    (length, unmarked),
                    "{name}"
                );
                assert_eq!(done.inferred_throws, unmarked, "{name}");
            }
            None => {
                assert_eq!(
                    done.skips.iter().map(|skip| skip.reason).collect::<Vec<_>>(),
                    [SkipReason::HugeMethodLimit]
                );
                assert_eq!(done.bytes, bytes);
            }
        }
        java::write(&folder("kept"), &file, done.bytes);
        plan.huge = HugeMethods::Allow;
        let done = rewriter.rewrite(&bytes, &plan).expect("a sound class");
        assert_eq!((big_length(done.bytes), done.skips.len()), (allowed, 0), "{name}");
        java::write(&folder("allowed"), &file, done.bytes);
    }
    for java in [Some(jdk::main().java()), jdk::jdk25("rewritten classes").map(Jdk::java)]
        .into_iter()
        .flatten()
    {
        let compiled = java::compiled(
            &java,
            &folder("harness"),
            &[&folder("plain"), &folder("kept"), &folder("allowed")],
        );
        let count = |name: &str, length: u32| {
            let mark = format!(" {name}::big ({length} bytes)");
            compiled.lines().filter(|line| line.contains(&mark)).count()
        };
        let seen = [
            count("HugePure7982", 7_982),
            count("HugePure7982", 8_000),
            count("HugePure7983", 7_983),
            count("HugePure7983", 8_001),
            count("HugeCatch7982", 7_982),
            count("HugeCatch7982", 8_000),
            count("HugeCatch7982", 8_009),
            count("HugeCatch7983", 7_983),
            count("HugeCatch7983", 8_010),
            count("HugeBefore8001", 8_001),
            count("HugeBefore8001", 8_028),
        ];
        // Twice where two folders have the same bytes.
        assert_eq!(seen, [1, 2, 2, 0, 1, 1, 0, 2, 0, 0, 0], "with {}:\n{compiled}", java.display());
    }
}

/// The code length of `big()V`.
fn big_length(bytes: &[u8]) -> u32 {
    let class = summarize(bytes, Digests::Omit).expect("a sound class");
    class
        .methods
        .iter()
        .find(|method| method.name == "big")
        .and_then(|method| method.code_length)
        .expect("code")
}

/// What the `// log:` lines of a source say. A root opens behind its entry and closes before its
/// exit.
fn truth(source: &Path, kind: ProbeKind) -> String {
    let text = std::fs::read_to_string(source).expect("a source");
    let words = text
        .lines()
        .filter_map(|line| line.strip_prefix("// log: "))
        .flat_map(str::split_whitespace);
    let as_root = |word: &str| match (kind, word.split_at(1)) {
        (ProbeKind::Root, ("+", name)) => format!("{word} ({name}"),
        (ProbeKind::Root, ("-" | "!", name)) => format!("){name} {word}"),
        _ => word.to_owned(),
    };
    words.map(as_root).collect::<Vec<_>>().join(" ")
}

/// Whether the methods in a folder are only counted.
fn is_counted(folder: &str) -> bool {
    folder.ends_with("-counted")
}

/// The log of methods that have an entry probe alone.
fn without_exits(log: &str) -> String {
    let words = log.split_whitespace().filter(|word| !word.starts_with(['-', '!', '^']));
    words.collect::<Vec<_>>().join(" ")
}

/// Plain and rewritten runs of a class, by class name.
fn pairs(
    outcomes: &[Outcome],
    plain: &Path,
    rewritten: &Path,
) -> BTreeMap<String, (Outcome, Outcome)> {
    let of = |folder: &Path| -> HashMap<&str, &Outcome> {
        outcomes
            .iter()
            .filter(|o| Path::new(&o.folder) == folder)
            .map(|o| (o.class.as_str(), o))
            .collect()
    };
    let (before, after) = (of(plain), of(rewritten));
    assert_eq!(before.len(), after.len());
    before
        .into_iter()
        .map(|(name, o)| (name.to_owned(), (o.clone(), (*after[name]).clone())))
        .collect()
}

/// All cases in one JVM for each JDK: sources for 17 and for 8, hand-offs, and classes that javac
/// does not make.
#[test]
fn cases_run_as_before_and_log_their_truth() {
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(11, &java_files(&java::sources("harness")), &folder("harness"));
    let cases = java_files(&java::sources("cases"));
    java::javac(17, &cases, &folder("cases"));
    let is_old = |path: &Path| !path.ends_with("Calls.java");
    let old: Vec<_> = cases.iter().filter(|path| is_old(path)).cloned().collect();
    java::javac(8, &old, &folder("cases8"));
    java::javac(17, &java_files(&java::sources("handoffs")), &folder("handoffs"));
    for made in made::all() {
        java::write(&folder("made"), &format!("{}.class", made.name), &made.bytes);
    }

    // Folder of the plain classes, folder of the rewritten ones, and the probes that these have.
    let groups = [
        ("cases", "cases-every", ProbeKind::Always),
        ("cases", "cases-root", ProbeKind::Root),
        ("cases8", "cases8-inner", ProbeKind::InRoot),
        ("handoffs", "handoffs-inner", ProbeKind::InRoot),
        ("made", "made-every", ProbeKind::Always),
        ("cases", "cases-counted", ProbeKind::Always),
        ("cases8", "cases8-counted", ProbeKind::InRoot),
        ("handoffs", "handoffs-counted", ProbeKind::InRoot),
        ("made", "made-counted", ProbeKind::InRoot),
    ];
    let mut names = Names::default();
    for (plain, rewritten, kind) in groups {
        for (file, bytes) in class_files(&folder(plain)) {
            let mut plan = names.plan(&bytes, kind, |name| {
                plain != "handoffs"
                    || !file.contains('$') && !name.contains('$') && !name.starts_with('<')
            });
            plan.hand_offs = plain == "handoffs";
            if is_counted(rewritten) {
                plan.entry_alone = EntryAlone::All;
            }
            java::write(&folder(rewritten), &file, &rewrite(&bytes, &plan));
        }
    }

    let newer = [
        Some(jdk::main().java()),
        jdk::jdk25("rewritten classes").map(Jdk::java),
        jdk::jre21("rewritten classes").map(Jdk::java),
    ]
    .into_iter()
    .flatten();
    let older = jdk::jre11("rewritten classes").map(Jdk::java);
    let disabled = (jdk::main().java(), false, &["-Djfathom.disabled=true"][..]);
    let jvms = newer.map(|java| (java, false, &[][..]));
    let jvms = jvms.chain(older.map(|java| (java, true, &[][..]))).chain([disabled]);
    for (java, is_older, flags) in jvms {
        let is_disabled = !flags.is_empty();
        let groups = groups
            .into_iter()
            .filter(|(plain, ..)| !is_older || ["cases8", "made"].contains(plain));
        let groups: Vec<_> = groups.collect();
        let folders: Vec<_> = groups
            .iter()
            .flat_map(|(plain, rewritten, _)| [folder(plain), folder(rewritten)])
            .collect();
        let paths: Vec<&Path> = folders.iter().map(|f| f.as_path()).collect();
        let outcomes = java::check(&java, &folder("harness"), flags, &paths);
        let mut wrong = String::new();
        for (group, rewritten, kind) in groups {
            let sources = java::sources(group.trim_end_matches('8'));
            let made: HashMap<_, _> = made::all().into_iter().map(|m| (m.name, m.log)).collect();
            for (name, (before, after)) in pairs(&outcomes, &folder(group), &folder(rewritten)) {
                let mut expect = |what: &str, left: &str, right: &str| {
                    if left != right {
                        wrong +=
                            &format!("{rewritten}/{name}: {what}\n  want {left}\n  have {right}\n");
                    }
                };
                if before.link == "ok" || after.link == "ok" {
                    expect("links as before", &before.link, &after.link);
                }
                expect("runs as before", &before.run, &after.run);
                expect("logs nothing when plain", "", &before.log);
                let log = names.read(&after.log);
                if is_disabled {
                    if kind != ProbeKind::Root && !is_counted(rewritten) {
                        let entries = log.split(' ').filter(|entry| entry.starts_with('+'));
                        expect("no method records", "", &entries.collect::<String>());
                    }
                    continue;
                }
                let seen = |truth: &str| match is_counted(rewritten) {
                    true => without_exits(truth),
                    false => truth.to_owned(),
                };
                match made.get(name.as_str()) {
                    Some(Some(_)) if name == made::OLDEST && !is_older => {}
                    Some(Some(truth)) => {
                        expect("is sound", "ok done", &format!("{} {}", before.link, before.run));
                        expect("log", &seen(truth), &log);
                    }
                    Some(None) => {}
                    None if !name.contains('$') => {
                        let truth = truth(&sources.join(format!("{name}.java")), kind);
                        expect("log", &seen(&truth), &log);
                    }
                    None => {}
                }
            }
        }
        assert!(wrong.is_empty(), "with {}:\n{wrong}", java.display());
    }
}
