//! Programs that read exports: `jfr` of the JDKs, `callgrind_annotate`, `go tool pprof`, Python's
//! `csv`. Where one is missing the test says that it was skipped.

use super::{Sums, exported, of_methods, profiles, truth};
use crate::Format;
use jfathom_profile::{EventKind, EventName, EventSum, Frame, Ticks};
use jfathom_testkit::{events::add_to_each_node, jdk, small_profile};
use serde_json::Value;
use std::{collections::BTreeMap, io::Write, path::Path, process::Command};
use tempfile::NamedTempFile;

fn file(bytes: &[u8]) -> NamedTempFile {
    // `jfr` asks for this end.
    let mut file = tempfile::Builder::new().suffix(".jfr").tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.flush().unwrap();
    file
}

/// What a program prints; none, with a word, if the program is not here.
fn output(program: &Path, arguments: &[&str], file: &NamedTempFile) -> Option<String> {
    let mut command = Command::new(program);
    match command.args(arguments).arg(file.path()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8(output.stdout).unwrap())
        }
        Err(_) => {
            eprintln!("skipped: there is no {}", program.display());
            None
        }
    }
}

/// What a program prints of a file with these bytes.
pub(super) fn output_of(program: &Path, arguments: &[&str], bytes: &[u8]) -> Option<String> {
    output(program, arguments, &file(bytes))
}

/// `PT1M2.0345S` in ns.
fn nanos(duration: &str) -> u64 {
    let seconds = duration.strip_prefix("PT").and_then(|rest| rest.strip_suffix('S')).unwrap();
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let fraction: u64 = format!("{fraction:0<9}").parse().unwrap();
    whole.parse::<u64>().unwrap() * 1_000_000_000 + fraction
}

#[test]
fn jfr_prints_the_events() {
    let profile = small_profile::profile();
    let file = file(&exported(&profile, Format::Jfr));
    let arguments = ["print", "--json", "--stack-depth", "64", "--events", "jfathom.Context"];
    for jdk in [Some(jdk::main()), jdk::jdk25("jfr_prints_the_events")].into_iter().flatten() {
        let jfr = jdk.tool("jfr");
        let Some(text) = output(&jfr, &arguments, &file) else { continue };
        let read: Value = serde_json::from_str(&text).unwrap();
        let mut sums = Sums::new();
        for event in read["recording"]["events"].as_array().unwrap() {
            let values = &event["values"];
            let method = &values["stackTrace"]["frames"][0]["method"];
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let name = text(&method["name"]) + &text(&method["descriptor"]);
            let sum = sums.entry(name).or_default();
            sum.0 += values["calls"].as_u64().unwrap();
            sum.1 += nanos(values["selfTime"].as_str().unwrap());
        }
        let truth = truth(&profile);
        for (name, of) in [
            ("run()V", "com.acme.Engine::run"),
            ("step(I)V", "com.acme.Engine::step(int)"),
            ("step(J)V", "com.acme.Engine::step(long)"),
        ] {
            assert_eq!(sums[name], truth[of], "{jdk}: {name}");
        }
        let summary = output(&jfr, &["summary"], &file).unwrap();
        assert!(summary.contains("jfathom.Context") && summary.contains(" Version: 2.1"));
    }
}

#[test]
fn jfr_reads_a_recording_of_several_chunks() {
    let profile = small_profile::drawn(3);
    let shown = jfathom_views::Shown::new(&profile, None, &Default::default());
    let contexts = crate::contexts::Contexts::of(&shown);
    let notes = crate::notes::Notes::of(&shown);
    let mut bytes = Vec::new();
    crate::jfr::write_chunks(&profile, &contexts, &notes, 500, &mut bytes).unwrap();
    let file = file(&bytes);
    let jfr = jdk::main().tool("jfr");
    let Some(summary) = output(&jfr, &["summary"], &file) else { return };
    let count = |start: &str| {
        let line = summary.lines().find(|line| line.trim().starts_with(start)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    assert!(count("Chunks:") > 2, "{summary}");
    let expected: usize = contexts
        .threads
        .iter()
        .map(|thread| thread.contexts.iter().filter(|context| !context.is_empty()).count())
        .sum();
    assert_eq!(count("jfathom.Context"), expected, "{summary}");
}

/// `1,234 (56.0%)` as a number, of a line of a table.
fn cost(line: &str) -> Option<u64> {
    line.split_whitespace().next()?.replace(',', "").parse().ok()
}

#[test]
fn callgrind_annotate_prints_the_self_times() {
    for profile in profiles() {
        let file = file(&exported(&profile, Format::Callgrind));
        let program = Path::new("callgrind_annotate");
        let arguments = ["--threshold=100", "--show-percs=no", "--auto=no"];
        let Some(text) = output(program, &arguments, &file) else { return };
        let total = text.lines().find(|line| line.ends_with("PROGRAM TOTALS")).unwrap();
        assert_eq!(cost(total), Some(profile.total_time().0), "{text}");
        for (name, (_, self_nanos)) in truth(&profile) {
            let line = text.lines().find(|line| line.contains(&format!(":{name}"))).unwrap();
            assert_eq!(cost(line), Some(self_nanos), "{name}: {text}");
        }
        let tree = ["--threshold=100", "--show-percs=no", "--auto=no", "--tree=caller"];
        let calls = called(&output(program, &tree, &file).unwrap());
        let truth = truth(&profile).into_iter().filter(|(_, (_, self_nanos))| *self_nanos > 0);
        for (name, (expected, _)) in truth {
            assert_eq!(calls.get(&name), Some(&expected), "{name}");
        }
    }
}

/// Calls by method of a tree with callers. Callers, `< … (7x)`, stand above `* file:name`.
fn called(tree: &str) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    let mut calls = 0;
    for line in tree.lines() {
        if let Some((_, callee)) = line.split_once("  *  ") {
            let name = callee.split_once(".java:").or(callee.split_once("???:")).unwrap().1;
            sums.insert(name.trim_end_matches(" []").to_owned(), std::mem::take(&mut calls));
        } else if line.contains(" < ") {
            let count =
                line.rsplit_once('(').and_then(|(_, rest)| rest.split_once("x)")).unwrap().0;
            calls += count.replace(',', "").parse::<u64>().unwrap();
        } else {
            calls = 0;
        }
    }
    sums
}

#[test]
fn go_reads_pprof() {
    let profile = small_profile::drawn(7);
    let file = file(&exported(&profile, Format::Pprof));
    for index in ["calls", "wall"] {
        let index_option = format!("-sample_index={index}");
        let arguments = ["tool", "pprof", "-top", "-nodefraction=0", "-unit=ns", &index_option];
        let Some(text) = output(Path::new("go"), &arguments, &file) else { return };
        for (name, (calls, nanos)) in truth(&profile) {
            let line = text.lines().find(|line| line.ends_with(&name)).unwrap();
            let flat = line.split_whitespace().next().unwrap().trim_end_matches("ns");
            let expected = if index == "calls" { calls } else { nanos };
            assert_eq!(flat.parse(), Ok(expected), "{line}");
        }
    }
}

/// Sums of methods' calls and self times, one line each.
const SUMS: &str = "
import csv, sys
sums = {}
for row in csv.DictReader(open(sys.argv[1], newline='')):
    if row['kind'] == 'method':
        calls, time = sums.get(row['name'], (0, 0))
        sums[row['name']] = calls + int(row['calls']), time + int(row['self_ns'])
for name, (calls, time) in sums.items():
    print(calls, time, name)
";

#[test]
fn python_reads_csv() {
    for profile in profiles() {
        let file = file(&exported(&profile, Format::Csv));
        let Some(text) = output(Path::new("python3"), &["-c", SUMS], &file) else { return };
        let mut sums = Sums::new();
        for line in text.lines() {
            let [calls, time, name] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            sums.insert(name.to_owned(), (calls.parse().unwrap(), time.parse().unwrap()));
        }
        assert_eq!(of_methods(sums), truth(&profile));
    }
}

/// Sums of what methods caught, one line each, and that of threads with all below.
const CAUGHT: &str = "
import csv, sys
sums = {}
for row in csv.DictReader(open(sys.argv[1], newline='')):
    column = 'caught_total' if row['kind'] == 'thread' else 'caught_self'
    sums[row['kind']] = sums.get(row['kind'], 0) + int(row[column] or 0)
print(sums['thread'], sums['method'] + sums.get('task', 0))
";

#[test]
fn python_reads_caught_exceptions() {
    let mut profile = small_profile::profile();
    let name = EventName { kind: EventKind::Caught, class: Some("a,Failure".into()) };
    add_to_each_node(&mut profile, &name, EventSum { count: 4, time: Ticks(0) });
    let nodes = profile.tree.nodes().filter(|node| match profile.tree.frame(*node) {
        Frame::Thread(_) => false,
        Frame::Method(_) | Frame::Task(_) => true,
    });
    let all = 4 * nodes.count();
    let timed = profile.tree.nodes().filter(|node| {
        matches!(profile.tree.frame(*node), Frame::Method(_)) && profile.tree.timed(*node) > 0
    });
    let own = 4 * timed.count();
    let file = file(&exported(&profile, Format::Csv));
    let Some(text) = output(Path::new("python3"), &["-c", CAUGHT], &file) else { return };
    assert_eq!(text.trim(), format!("{all} {own}"));
}
