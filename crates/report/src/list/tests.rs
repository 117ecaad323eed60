//! Listed methods of the small profile, with code and sources made by hand.

use super::{Listed, ListedCode, ListedMethod, ListedSource, list_json, list_text};
use crate::{View, tests::golden};
use jfathom_plan::{CallSite, ClassHierarchy, MethodKey, MethodLines};
use jfathom_profile::{MethodIx, Profile};
use jfathom_testkit::{reference::Documents, small_profile as fixture};

fn site(line: u16, name: &str, descriptor: &str) -> CallSite {
    let [class, name, descriptor] = ["com/acme/Engine", name, descriptor].map(str::to_owned);
    CallSite { bci: 0, line: Some(line), target: MethodKey { class, name, descriptor } }
}

/// `run` with one site of `step(int)`, and two of `step(long)`.
fn code() -> ListedCode {
    let sites = vec![site(7, "step", "(I)V"), site(8, "step", "(J)V"), site(30, "step", "(J)V")];
    ListedCode {
        place: "app.jar!com/acme/Engine.class".to_owned(),
        lines: MethodLines { lines: vec![7, 8, 9, 30], sites },
    }
}

fn source() -> ListedSource {
    let mut lines: Vec<String> = (1..=31).map(|line| format!("    // line {line}")).collect();
    lines[6] = "\t\tstep(\u{1b}[2J7);  // \u{202e}turned".to_owned();
    lines[7] = "\t  step(8L);".to_owned();
    lines[8] = "x".repeat(500);
    ListedSource { place: "src/com/acme/Engine.java".to_owned(), lines }
}

fn listed(code: Option<ListedCode>, source: Option<ListedSource>) -> Listed {
    let method = ListedMethod { method: MethodIx(0), code, source, remarks: Vec::new() };
    Listed { methods: vec![method], hierarchy: ClassHierarchy::default() }
}

fn text_of(profile: &Profile, listed: &Listed, view: &View) -> String {
    let mut out = Vec::new();
    list_text(profile, listed, view, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn callees_stand_below_their_lines() {
    let profile = fixture::calibrated();
    let view = View::default();
    let all = text_of(&profile, &listed(Some(code()), Some(source())), &view);
    golden("list.txt", all.as_bytes());
    assert!(!all.contains(['\u{1b}', '\u{202e}', '\t']), "{all}");
    let narrow = View { width: Some(72), ..View::default() };
    let narrow = text_of(&profile, &listed(Some(code()), Some(source())), &narrow);
    golden("list-72.txt", narrow.as_bytes());
    let without_source = text_of(&profile, &listed(Some(code()), None), &view);
    golden("list-no-source.txt", without_source.as_bytes());
    let without_code = text_of(&profile, &listed(None, Some(source())), &view);
    golden("list-no-code.txt", without_code.as_bytes());
    let neither = text_of(&profile, &listed(None, None), &view);
    assert!(neither.contains("→ com.acme.Engine::step(int)"), "{neither}");
}

#[test]
fn a_source_that_is_too_short_is_told() {
    let mut short = source();
    short.lines.truncate(6);
    let text = text_of(&fixture::profile(), &listed(Some(code()), Some(short)), &View::default());
    assert!(text.contains("Engine.java has 6 lines, and the code names line 30"), "{text}");
    // The line that calls something has its number all the same.
    assert!(text.lines().any(|line| line.trim_end().ends_with("  7")), "{text}");
    let mut empty = source();
    empty.lines.clear();
    text_of(&fixture::profile(), &listed(None, Some(empty)), &View::default());
}

#[test]
fn methods_without_calls_are_told() {
    let mut none = listed(None, None);
    none.methods[0].method = MethodIx(u32::MAX);
    let text = text_of(&fixture::profile(), &none, &View::default());
    assert!(text.contains("have no calls in what is shown"), "{text}");
    none.methods.clear();
    let text = text_of(&fixture::profile(), &none, &View::default());
    assert!(text.contains("have no calls in what is shown"), "{text}");
}

#[test]
fn json_has_the_calls_of_the_call_tree_and_its_schema() {
    let profile = fixture::calibrated();
    let mut out = Vec::new();
    let all = listed(Some(code()), Some(source()));
    list_json(&profile, &all, &View::default(), &mut out).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let callees = json["methods"][0]["callees"].as_array().unwrap();
    let tree = &profile.tree;
    for callee in callees {
        let method = MethodIx(callee["method"].as_u64().unwrap() as u32);
        let is = |node, ix| tree.frame(node) == jfathom_profile::Frame::Method(ix);
        let nodes = (0..tree.len() as u32).map(jfathom_profile::NodeIx);
        let children = nodes
            .filter(|node| is(*node, MethodIx(0)))
            .flat_map(|node| tree.children(node))
            .filter(|node| is(*node, method));
        let calls: u64 = children.map(|node| tree.calls(node)).sum();
        assert_eq!(callee["calls"].as_u64(), Some(calls), "{callee}");
    }
    let positions: Vec<&str> =
        callees.iter().map(|callee| callee["position"].as_str().unwrap()).collect();
    assert!(positions.contains(&"line") && positions.contains(&"one-of"), "{positions:?}");
    Documents::of::<super::json::ListDocument<'_>>("list").hold(&out);
}
