//! `⋯` in exports: it is on the stacks of what is below it, and never at the end of one.

use super::collapsed::collapsed_of;
use super::exported;
use super::protobufs::{PerfettoTrace, pprof};
use crate::Format;
use jfathom_profile::Profile;
use jfathom_testkit::between;
use jfathom_views::{Limits, StackWeight};
use prost::Message;

#[test]
fn collapsed_stacks_have_it() {
    let profile = between::profile(2);
    let of = |weight| {
        let text = collapsed_of(&profile, Limits::default(), weight);
        let text = text.replace("com.acme.Shop::", "");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let thread = "thread main #1;run";
    let times = [format!("{thread} 5000000"), format!("{thread};⋯;query 5000000")];
    assert_eq!(of(StackWeight::SelfTime), times);
    let calls = [
        format!("{thread} 1"),
        format!("{thread};byId 2"),
        format!("{thread};byName 3"),
        format!("{thread};⋯;check 5"),
        format!("{thread};⋯;query 2"),
    ];
    assert_eq!(of(StackWeight::Calls), calls);
}

#[test]
fn pprof_has_it() {
    let read = pprof(&exported(&between::profile(2), Format::Pprof));
    let (_, stacks) = read.stacks();
    let mut stacks: Vec<(String, Vec<i64>)> = (stacks.into_iter())
        .map(|(stack, values)| (stack.join(";").replace("com.acme.Shop::", ""), values.to_vec()))
        .collect();
    stacks.sort();
    let expected = [
        ("run", [1, 5_000_000]),
        ("run;byId", [2, 0]),
        ("run;byName", [3, 0]),
        ("run;⋯;check", [5, 0]),
        ("run;⋯;query", [2, 5_000_000]),
    ];
    let expected = expected.map(|(stack, values)| (stack.to_owned(), values.to_vec()));
    assert_eq!(stacks, expected);
}

/// The sums of the other formats, by the readers of others, are held against a profile with `⋯`
/// as against others. Here it is there at all.
#[test]
fn all_formats_of_call_paths_name_it() {
    let profile = between::profile(2);
    for format in [
        Format::Speedscope,
        Format::Callgrind,
        Format::Firefox,
        Format::Csv,
        Format::Otlp,
        Format::Perfetto,
    ] {
        let bytes = exported(&profile, format);
        let sign = "⋯".as_bytes();
        assert!(bytes.windows(sign.len()).any(|part| part == sign), "{format:?}");
    }
    // A table of methods has none.
    let table = String::from_utf8(exported(&profile, Format::Markdown)).unwrap();
    assert!(table.contains("of 5 methods") && !table.contains('⋯'), "{table}");
}

/// Names, categories and begins of the slices of a track, in ns after the first.
fn slices(profile: &Profile, track: u64) -> Vec<(String, String, u64)> {
    let trace = PerfettoTrace::decode(exported(profile, Format::Perfetto).as_slice()).unwrap();
    let begins = trace.packet.iter().filter_map(|packet| {
        let event = packet.event.as_ref().filter(|of| of.track == track && of.r#type == 1)?;
        let name = event.name.replace("com.acme.Shop::", "");
        Some((name, event.categories.join(","), packet.timestamp))
    });
    let begins: Vec<_> = begins.collect();
    let first = begins.first().map_or(0, |of| of.2);
    begins.into_iter().map(|(name, of, at)| (name, of, at - first)).collect()
}

#[test]
fn slow_calls_have_it_between_their_slices() {
    let slice =
        |name: &str, of: &str, millis: u64| (name.to_owned(), of.to_owned(), millis * 1_000_000);
    let expected = [
        slice("run", "call", 0),
        slice("⋯", "counted", 1),
        slice("query", "call", 1),
        slice("⋯", "counted", 5),
        slice("query", "call", 5),
    ];
    assert_eq!(slices(&between::profile(2), 2), expected);
}
