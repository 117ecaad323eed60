//! The probes' alike branches, held against each other in the Java source. They are spelled out in
//! each probe, because a shared method would be one more call to inline. So a change to one of them
//! must be made to all; this test finds the one that was forgotten.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The methods of a shared class by name: their bodies without blanks and comments.
fn methods(class: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shared/jfathom/runtime");
    let text = fs::read_to_string(path.join(format!("{class}.java"))).expect("a source");
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

#[test]
fn throw_probes_are_exit_probes_with_another_type() {
    let probe = methods("Probe");
    let thrown = [("Layout.RETURN", "Layout.THROW")];
    for (exit, throw) in
        [("methodExit", "methodThrow"), ("innerExit", "innerThrow"), ("rootExit", "rootThrow")]
    {
        assert_eq!(probe[throw], with(&probe[exit], &thrown), "{throw} and {exit}");
    }
}

#[test]
fn inner_exits_also_ask_whether_only_roots_are_timed() {
    let probe = methods("Probe");
    for (inner, always) in [("innerExit", "methodExit"), ("innerThrow", "methodThrow")] {
        let inner_text = with(&probe[inner], &[("if(!ROOTS_ONLY&&(OPEN", "if((OPEN")]);
        assert_eq!(inner_text, probe[always], "{inner} and {always}");
    }
}

#[test]
fn pinned_entries_are_entries_that_return_zero() {
    for (class, entries) in [
        ("Probe", ["methodEntry", "innerEntry", "rootEntry"].as_slice()),
        ("RecordWriter", ["methodEntry", "entry"].as_slice()),
    ] {
        let methods = methods(class);
        for entry in entries {
            let first = entry[..1].to_uppercase();
            let pinned = &methods[&format!("pinned{first}{}", &entry[1..])];
            assert_eq!(unpinned(pinned), unpinned(&methods[*entry]), "pinned {entry} of {class}");
        }
    }
}

/// What an entry and its pinned one have in common: names and results of the pinned one undone.
fn unpinned(text: &str) -> String {
    let text = flat(text)
        .replace("returnRecordWriter.pinnedMethodEntry(", "RecordWriter.methodEntry(")
        .replace("returnRecordWriter.pinnedEntry(", "RecordWriter.entry(")
        .replace("returnRecordWriter.pinnedRootEntry(", "SlowPath.rootEntry(")
        .replace("returnzeroFrom(write(recorder,Layout.ENTRY|(long)id<<Layout.TIME_BITS));", WRITE)
        .replace("elseSlowPath", "SlowPath")
        .replace("return0;", "return;");
    text.strip_suffix("return;").unwrap_or(&text).to_owned()
}

const WRITE: &str = "write(recorder,Layout.ENTRY|(long)id<<Layout.TIME_BITS);";

#[test]
fn entries_count_calls_in_the_same_way() {
    let probe = methods("Probe");
    for (inner, always) in
        [("innerEntry", "methodEntry"), ("pinnedInnerEntry", "pinnedMethodEntry")]
    {
        let counting = |name: &str| {
            let text = flat(&probe[name]);
            let (begin, end) =
                ("intmode=Session.MEMORY.mode(id);", "elseif(mode==Layout.MODE_TIME)");
            let text = &text[text.find(begin).expect("the mode")..];
            text[..text.find(end).expect("timed calls")].to_owned()
        };
        let outside = "if(recorder!=ThreadRecorder.NO_RECORDER)";
        let inner_text = with(&counting(inner), &[(outside, ""), (".innerEntry", ".methodEntry")]);
        assert_eq!(inner_text, counting(always), "{inner} and {always}");
    }
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
    let wait = names(&slow["beginAgentWait"]);
    assert!(wait.contains(&close), "a wait for the agent closes by {close}: {wait}");
}
