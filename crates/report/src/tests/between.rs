//! `⋯` in reports.

use super::{ALL, golden};
use crate::{Listed, ListedCode, ListedMethod, Section, View, json, list_text, text};
use jfathom_plan::MethodLines;
use jfathom_profile::{MethodIx, Profile};
use jfathom_testkit::{between as drawn, small_profile};

/// As often as `⋯` needs its sentence.
fn legends(text: &[u8]) -> usize {
    String::from_utf8_lossy(text).matches("counted and not timed").count()
}

#[test]
fn what_lies_between_in_text() {
    let profile = drawn::profile(2);
    let of = |profile: &Profile, sections: &[Section], view: &View| {
        let mut out = Vec::new();
        text(profile, sections, view, &mut out).unwrap();
        out
    };
    let all = View { threshold: 0.0, ..View::default() };
    let everything = of(&profile, &ALL, &all);
    golden("between.txt", &everything);
    let at_end = View { fold_chains: true, has_legend_at_end: true, width: Some(80), ..all };
    let default = [Section::Overview, Section::Hot, Section::Tree, Section::Virtual];
    let overview = of(&profile, &default, &at_end);
    golden("between-80.txt", &overview);
    let all = View { threshold: 0.0, ..View::default() };
    let callers = [Section::Rows, Section::Stanzas, Section::Callers];
    let views = of(&profile, &callers, &all);
    golden("between-views.txt", &views);
    let slow = of(&profile, &[Section::Latency, Section::Slowest], &all);
    golden("between-slowest.txt", &slow);
    let told = [everything, overview, views, slow].map(|text| legends(&text));
    assert_eq!(told, [1; 4]);
    // Where it is not shown it needs none.
    assert_eq!(legends(&of(&profile, &[Section::Hot, Section::Threads], &all)), 0);
    assert_eq!(legends(&of(&profile, &[Section::Overview, Section::Hot], &at_end)), 0);
    assert_eq!(legends(&of(&small_profile::calibrated(), &default, &at_end)), 0);
    // Profiles that were merged have it, too.
    let merged = jfathom_compare::merge(vec![profile.clone(), profile]).unwrap();
    let merged = of(&merged, &ALL, &all);
    assert_eq!(legends(&merged), 1);
    assert!(String::from_utf8(merged).unwrap().contains("26 calls of 5 methods"));
}

#[test]
fn what_lies_between_in_json() {
    let profile = drawn::profile(2);
    let mut out = Vec::new();
    json(&profile, &View::default(), &mut out).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let methods = document["methods"].as_array().unwrap().iter().map(|method| {
        let names = ["class", "name", "calls", "entries", "counted", "selfNanos", "totalNanos"];
        let fields = names.map(|name| (name.to_owned(), method[name].clone()));
        fields.into_iter().collect::<serde_json::Map<_, _>>()
    });
    let parts = serde_json::json!({
        "methods": methods.collect::<Vec<_>>(),
        "tree": document["tree"],
        "latencies": document["latencies"],
        "slowest": document["slowest"],
    });
    let mut text = serde_json::to_vec_pretty(&parts).unwrap();
    text.push(b'\n');
    golden("between.json", &text);
}

#[test]
fn what_lies_between_has_no_line_of_the_source() {
    let profile = drawn::profile(2);
    let run = (0..).map(MethodIx).zip(&profile.methods).find(|(_, method)| method.info.root);
    let code = ListedCode { place: String::new(), lines: MethodLines::default() };
    let method = ListedMethod {
        method: run.unwrap().0,
        code: Some(code),
        source: None,
        remarks: Vec::new(),
    };
    let listed = Listed { methods: vec![method], ..Listed::default() };
    let mut out = Vec::new();
    list_text(&profile, &listed, &View::default(), &mut out).unwrap();
    assert_eq!(legends(&out), 1);
    let text = String::from_utf8(out).unwrap();
    let line = text.lines().find(|line| line.contains("→ ⋯")).unwrap();
    let cells: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(cells, ["5.000", "ms", "±0.0%", "→", "⋯"], "{text}");
}
