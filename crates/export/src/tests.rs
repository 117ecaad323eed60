//! Exports, judged by readers of others. Sums over an export are those of the profile.

mod collapsed;
mod programs;
mod protobufs;
mod texts;
mod walks;

use crate::{Format, export};
use jfathom_profile::Profile;
use jfathom_testkit::{profiles::*, records::*, small_profile};
use jfathom_views::Scope;
use std::collections::BTreeMap;

/// Calls and self time in ns by method name.
type Sums = BTreeMap<String, (u64, u64)>;

/// Measured and corrected times, counted calls, tasks, recursion.
fn profiles() -> Vec<Profile> {
    vec![small_profile::profile(), small_profile::calibrated(), small_profile::drawn(7)]
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
fn a_profile_without_records_is_exported_nevertheless() {
    let full = small_profile::profile();
    let profile = Profile::without_records(full.rate, &full.meta);
    for format in [
        Format::Collapsed,
        Format::Pprof,
        Format::Speedscope,
        Format::Firefox,
        Format::Jfr,
        Format::Callgrind,
        Format::Otlp,
        Format::Csv,
        Format::Markdown,
        Format::Perfetto,
    ] {
        let bytes = exported(&profile, format);
        let is_empty = [Format::Collapsed, Format::Perfetto].contains(&format);
        assert_eq!(bytes.is_empty(), is_empty, "{format:?}");
    }
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
