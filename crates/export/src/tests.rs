//! Exports, judged by readers of others. Sums over an export are those of the profile.

mod between;
mod collapsed;
mod programs;
mod protobufs;
mod texts;
mod walks;

use crate::{Format, export};
use jfathom_profile::Profile;
use jfathom_testkit::{between as drawn_between, profiles::*, records::*, small_profile};
use jfathom_views::{Nothing, Scope};
use std::collections::BTreeMap;

/// Calls and self time in ns by method name.
type Sums = BTreeMap<String, (u64, u64)>;

/// Measured and corrected times, counted calls, tasks, recursion, `⋯`.
fn profiles() -> Vec<Profile> {
    let drawn = small_profile::drawn(7);
    vec![small_profile::profile(), small_profile::calibrated(), drawn, drawn_between::profile(2)]
}

fn exported(profile: &Profile, format: Format) -> Vec<u8> {
    exported_with(profile, &Scope { is_raw: true, ..Scope::default() }, format)
}

fn exported_with(profile: &Profile, scope: &Scope, format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    export(profile, scope, format, &mut out).unwrap();
    out
}

/// What the method table and the tree's own columns have; the rate of the profiles is 1 GHz.
fn truth(profile: &Profile) -> Sums {
    let names = jfathom_views::Names::of(&profile.methods);
    let mut sums = Sums::new();
    for (method, at) in profile.methods.iter().zip((0..).map(jfathom_profile::MethodIx)) {
        sums.entry(names.method(at).to_owned()).or_default().0 += method.calls();
    }
    for node in profile.tree.nodes() {
        if let jfathom_profile::Frame::Method(method) = profile.tree.frame(node) {
            let time = profile.tree.self_time(node).0;
            sums.entry(names.method(method).to_owned()).or_default().1 += time;
        }
    }
    sums.retain(|_, sum| *sum != (0, 0));
    assert!(!sums.is_empty());
    sums
}

/// Sums without those of tasks, which no method table has.
fn of_methods(mut sums: Sums) -> Sums {
    sums.retain(|name, sum| !name.starts_with("spawned from ") && *sum != (0, 0));
    sums
}

#[test]
fn names_of_files_mean_formats() {
    for (name, format) in [
        ("a.pb.gz", Some(Format::Pprof)),
        ("a.speedscope.json", Some(Format::Speedscope)),
        ("callgrind.out.123", Some(Format::Callgrind)),
        ("a.md", Some(Format::Markdown)),
        ("a.json", None),
        ("", None),
    ] {
        assert_eq!(Format::from_file_name(name), format, "{name}");
    }
}

#[test]
fn an_export_that_would_be_empty_is_refused_before_a_byte_is_written() {
    let full = small_profile::profile();
    let profile = Profile::without_records(full.rate, &full.meta);
    for (format, _, _) in Format::all().filter(|(format, _, _)| *format != Format::Markdown) {
        let expected = match format {
            Format::Perfetto => Nothing::NoSlowCalls,
            _ => Nothing::NoCalls,
        };
        assert_eq!(refused(&profile, format), expected, "{format:?}");
    }
    let lines = String::from_utf8(exported(&profile, Format::Markdown)).unwrap();
    assert!(lines.contains("0 calls of 0 methods") && !lines.contains("| method"), "{lines}");
}

#[test]
fn calls_without_any_time_are_what_is_seen_first() {
    let profile = one_thread(&[counted(0, 3)]);
    assert_eq!(refused(&profile, Format::Collapsed), Nothing::OnlyCounted);
    let text = |format| String::from_utf8(exported(&profile, format)).unwrap();
    let json = |format| serde_json::from_str::<serde_json::Value>(&text(format)).unwrap();
    let names = |of: &serde_json::Value| -> Vec<String> {
        of.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    for all in [&json(Format::Speedscope)["profiles"], &json(Format::Firefox)["threads"]] {
        let names = names(all);
        assert!(!names.is_empty() && names.iter().all(|name| name.contains("(calls")), "{names:?}");
    }
}

/// Why an export is refused. Nothing is written.
fn refused(profile: &Profile, format: Format) -> Nothing {
    let scope = Scope { is_raw: true, ..Scope::default() };
    let mut out = Vec::new();
    let error = export(profile, &scope, format, &mut out).unwrap_err();
    assert!(out.is_empty(), "{format:?}");
    *error.get_ref().unwrap().downcast_ref::<Nothing>().unwrap()
}

#[test]
fn a_cell_of_what_nobody_tells_apart_is_empty() {
    let records = [e(0, 1_000), r(0, 61_000)];
    let told = one_split_thread(&records, &[(1_000, 51_000, OffCpuKind::Blocked)]);
    let clocked = one_clocked_thread(&records, &[(1_000, 51_000)]);
    for (profile, parts) in [(told, ["0", "50000", "50000"]), (clocked, ["", "", "50000"])] {
        let text = String::from_utf8(exported(&profile, Format::Csv)).unwrap();
        let mut lines = text.lines();
        let head: Vec<&str> = lines.next().unwrap().split(',').collect();
        let call: Vec<&str> = lines.last().unwrap().split(',').collect();
        assert_eq!(head.len(), call.len(), "{text}");
        let cell = |name: &str| call[head.iter().position(|column| *column == name).unwrap()];
        assert_eq!(cell("cpu_self_ns"), "10000", "{text}");
        for kind in ["self", "total"] {
            let of = |part: &str| cell(&format!("{part}_{kind}_ns"));
            assert_eq!(["preempted", "blocked", "not_running"].map(of), parts, "{text}");
        }
    }
}
