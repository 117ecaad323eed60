//! Growths as text, JSON and findings.

use super::{GrowthView, growth_gate_text, growth_json, growth_text, judged_growth};
use crate::{
    diff::{gate_github, gate_junit, gate_markdown, gate_sarif},
    tests::golden,
};
use jfathom_compare::{Growth, gate_growth, growth};
use jfathom_profile::{Profile, Quality};
use jfathom_testkit::{reference::Documents, small_profile as fixture};
use std::num::NonZeroU64;

fn profile(size: u64) -> Profile {
    let mut profile = fixture::profile();
    profile.quality = Quality::default();
    profile.meta.size = NonZeroU64::new(size);
    let late = if size > 1000 { size } else { 0 };
    let named = [
        ("squares\u{1b}[2J", size * size),
        ("lines", size),
        ("once", 1),
        ("late", late),
        ("early", u64::from(size < 2000)),
    ];
    let methods = named.iter().enumerate().map(|(at, (name, calls))| {
        let mut method = fixture::method(at as u32, "com/acme/Engine", name, "()V");
        (method.entries, method.returns) = (*calls, *calls);
        method
    });
    profile.methods = methods.collect();
    profile
}

fn grown() -> Growth {
    growth(&[&profile(1000), &profile(2000), &profile(4000)]).unwrap()
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    out
}

#[test]
fn the_fastest_growth_is_first_and_partial_methods_are_last() {
    let view = GrowthView { limit: 20, width: None };
    let text = written(|out| growth_text(&grown(), view, out));
    golden("growth.txt", &text);
    let few = written(|out| growth_text(&grown(), GrowthView { limit: 1, width: Some(80) }, out));
    let few = String::from_utf8(few).unwrap();
    assert!(few.contains("2 more methods (--limit)") && !few.contains('\u{1b}'), "{few}");
    let many: Vec<Profile> = [1, 2, 4, 8, 16].map(profile).into();
    let many = growth(&many.iter().collect::<Vec<_>>()).unwrap();
    let text = String::from_utf8(written(|out| growth_text(&many, view, out))).unwrap();
    assert!(text.contains("at 1  at 16") && !text.contains("at 8"), "{text}");
}

#[test]
fn the_gate_says_the_same_in_all_formats() {
    let growth = grown();
    let gate = gate_growth(&growth, "1.2".parse().unwrap(), false, |_| true).unwrap();
    golden("growth-gate.txt", &written(|out| growth_gate_text(&growth, &gate, None, out)));
    let judged = judged_growth(&growth, &gate);
    let sources = |path: &str| format!("src/{path}");
    let markdown = written(|out| gate_markdown(&judged, out));
    golden("growth-gate.md", &markdown);
    golden("growth-gate.junit.xml", &written(|out| gate_junit(&judged, &sources, out)));
    let github = written(|out| gate_github(&judged, &sources, out));
    golden("growth-gate.github", &github);
    let sarif = written(|out| gate_sarif(&judged, &sources, out));
    let sarif: serde_json::Value = serde_json::from_slice(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let levels: Vec<(&str, &str)> = results
        .iter()
        .map(|result| (result["ruleId"].as_str().unwrap(), result["level"].as_str().unwrap()))
        .collect();
    assert_eq!(levels, [("growth", "error"), ("growth", "warning")]);
    for text in [&markdown, &github] {
        assert!(!text.contains(&0x1b));
    }
}

#[test]
fn json_has_its_schema() {
    let growth = grown();
    let gate = gate_growth(&growth, "1.2".parse().unwrap(), true, |_| true).unwrap();
    let json = written(|out| growth_json(&growth, Some(&gate), out));
    let documents = Documents::of::<super::json::GrowthDocument<'_>>("growth");
    documents.hold(&json);
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["gate"]["failed"], true);
    let alone = written(|out| growth_json(&growth, None, out));
    documents.hold(&alone);
    let alone: serde_json::Value = serde_json::from_slice(&alone).unwrap();
    assert!(alone["gate"].is_null());
}
