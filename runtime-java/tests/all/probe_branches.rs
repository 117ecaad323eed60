//! The probes' alike branches, held against each other in the Java source. They are spelled out in
//! each probe, because a shared method would be one more call to inline. So a change to one of them
//! must be made to all; this test finds the one that was forgotten.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The methods of a shared class by name: their bodies without blanks and comments.
fn methods(class: &str) -> BTreeMap<String, String> {
    let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("shared"));
    let text = folders
        .expect("the sources")
        .flatten()
        .find_map(|folder| fs::read_to_string(folder.path().join(format!("{class}.java"))).ok())
        .expect("a source");
    let mut methods = BTreeMap::new();
    let mut name = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        if indent == 4 && line.ends_with('{') {
            let head = line.split('(').next().unwrap_or_default();
            name = head.split(' ').next_back().map(str::to_owned);
        } else if indent == 4 && line.trim() == "}" {
            name = None;
        } else if let Some(name) = &name
            && !line.trim_start().starts_with("//")
        {
            let body: &mut String = methods.entry(name.clone()).or_default();
            body.extend(line.split_whitespace());
        }
    }
    methods
}

/// `text` with each `(from, to)` replaced, which must occur.
fn with(text: &str, replacements: &[(&str, &str)]) -> String {
    replacements.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "no {from} in {text}");
        text.replace(from, to)
    })
}

/// A body without braces: whether a single statement has some depends on its length alone.
fn flat(text: &str) -> String {
    text.replace(['{', '}'], "")
}

/// The statements of a body, in no order.
fn statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = flat(text).split_inclusive(';').map(str::to_owned).collect();
    statements.sort_unstable();
    statements
}

#[test]
fn inner_probes_ask_whether_any_thread_is_inside() {
    let probe = methods("Probe");
    assert_eq!(
        probe["innerEntry"],
        "intinside=INSIDE;if(inside==UNKNOWN)inside=Gate.inside;\
         if(inside>0)returnInnerProbe.entry(id);\
         returninside==0?0:OutsideProbe.entry(id);"
    );
    assert_eq!(
        probe["countedInnerEntry"],
        "intinside=INSIDE;if(inside==UNKNOWN)inside=Gate.inside;\
         if(inside>0)InnerProbe.countedEntry(id);\
         elseif(inside!=0)OutsideProbe.countedEntry(id);"
    );
}

#[test]
fn exits_differ_by_the_type_alone() {
    let probe = methods("Probe");
    let thrown = [("Layout.RETURN", "Layout.THROW")];
    assert_eq!(probe["rootThrow"], with(&probe["rootExit"], &thrown));
    let writer = methods("RecordWriter");
    assert_eq!(writer["thrown"], with(&writer["returned"], &thrown));
}

#[test]
fn inner_entries_are_entries_of_threads_that_have_a_recorder() {
    let (probe, inner) = (methods("Probe"), methods("InnerProbe"));
    let text = with(
        &flat(&inner["entry"]),
        &[
            (
                "ThreadRecorderrecorder=ThreadTable.SLOTS[Session.slot(Thread.currentThread())];\
                 if(recorder==ThreadRecorder.NO_RECORDER)return0;",
                "",
            ),
            ("if(mode==Layout.MODE_OFF)return0;", ""),
            ("innerEntry(recorder,", "methodEntry("),
        ],
    );
    let opening = "if(!OPEN&&!Gate.on)if(Gate.pending)Host.retry();return0;";
    let always = with(&flat(&probe["methodEntry"]), &[(opening, "")]);
    assert_eq!(statements(&text), statements(&always));
}

#[test]
fn the_slow_path_closes_and_reopens_as_the_thread_recorder_does() {
    let recorder = methods("ThreadRecorder");
    let slow = methods("SlowPath");
    // As statements of another class.
    let names = |text: &str| {
        text.replace("recorder.", "").replace("ThreadRecorder.", "").replace("busy=true;", "")
    };
    let (close, reopen) = (names(&recorder["close"]), names(&recorder["reopen"]));
    for method in ["write", "count"] {
        let text = names(&slow[method]);
        assert!(text.contains(&close), "{method} closes by {close}: {text}");
        assert!(text.contains(&reopen), "{method} reopens by {reopen}: {text}");
    }
    let wait = names(&methods("ExcludedTime")["begin"]);
    assert!(wait.contains(&close), "what is excluded closes by {close}: {wait}");
}
