//! Histories of fixtures, in all forms.

use super::*;
use jfathom_calibration::correct_times;
use jfathom_compare::MethodSet;
use jfathom_profile::{Labels, Profile};
use jfathom_testkit::{reference::Documents, small_profile};

/// Three recordings: the second is edited, the last one does not call the method.
fn history() -> History {
    let mut history = History::default();
    for at in 0..3_u64 {
        let mut profile: Profile = small_profile::calibrated();
        profile.quality = Default::default();
        profile.meta.started_millis = 1_764_028_800_000 + at * 86_400_000;
        let label = format!("commit=<{at}>").parse().unwrap();
        profile.meta.labels = Labels::new(["branch=main".parse().unwrap(), label]).unwrap();
        let called = hottest(&profile);
        let key = &mut profile.methods[called].info;
        key.key.class = "a/<B>".to_owned();
        key.key.name = if at == 2 { "other".to_owned() } else { "run\"".to_owned() };
        key.digest.0 += u64::from(at > 0);
        let set = MethodSet::new(&profile.methods, &["a.*::run*".parse().unwrap()]);
        let corrected = correct_times(&profile);
        history.add(format!("{at}.jfp"), &profile, corrected.as_ref(), &set.unwrap_or_default());
    }
    history
}

fn hottest(profile: &Profile) -> usize {
    jfathom_compare::hot_methods(profile, |_| true)[0].method.0 as usize
}

fn text(width: Option<usize>) -> String {
    let mut out = Vec::new();
    history_text(&history(), width, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_row_says_what_tells_its_recording_from_others() {
    let text = text(None);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("a.`<B>`::`run\"`"), "{text}");
    assert!(lines[2].starts_with("2025-11-25") && lines[2].ends_with("commit=<0> 0.jfp"), "{text}");
    assert!(lines[3].ends_with("commit=<1> 1.jfp (edited)"), "{text}");
    assert_eq!(
        lines[4].split_whitespace().collect::<Vec<_>>(),
        ["2025-11-27", "00:00", "0", "commit=<2>", "2.jfp"],
        "{text}"
    );
    assert!(text.contains("3 recordings, "), "{text}");
}

#[test]
fn lines_fit_a_terminal() {
    let longest = text(Some(80)).lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(80), "{}", text(Some(80)));
}

#[test]
fn the_page_has_a_point_for_each_recording_and_escapes_names() {
    let mut out = Vec::new();
    history_html(&history(), &mut out).unwrap();
    let page = String::from_utf8(out).unwrap();
    // Two charts with two points each.
    assert_eq!(page.matches("<circle").count(), 4);
    assert_eq!(page.matches("point edited").count(), 2);
    assert_eq!(page.matches("<tr>").count(), 4);
    assert!(page.contains("a.`&lt;B&gt;`::`run&quot;`") && !page.contains("<B>"));
    assert!(page.contains("commit=&lt;1&gt;") && !page.contains("<script"));
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

#[test]
fn json_has_its_schema_and_no_times_where_nothing_was_called() {
    let mut out = Vec::new();
    history_json(&history(), &mut out).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    Documents::of::<json::HistoryDocument<'_>>("history").hold(&out);
    let points = &document["methods"][0]["points"];
    assert_eq!(points.as_array().unwrap().len(), 3);
    assert!(points[0]["selfNanos"].is_number() && points[2].is_null());
    assert_eq!(document["recordings"][1]["labels"]["commit"], "<1>");
}
