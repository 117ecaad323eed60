//! Walked stacks by readers of others: their sums by stack are those of the profile.

use super::{programs::output_of, protobufs::pprof};
use crate::{Format, WALKS_FORMATS, export_walks};
use jfathom_profile::{MethodIx, Profile, SampleTreeBuilder, StackWalks, WalkedMethod};
use jfathom_testkit::{small_profile, walks::walked};
use jfathom_views::Names;
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};

/// Walks by stack, from the outermost frame to the method.
type Found = BTreeMap<Vec<String>, u64>;

fn bytes(profile: &Profile, format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    export_walks(profile, format, &mut out).unwrap();
    out
}

fn text(profile: &Profile, format: Format) -> String {
    String::from_utf8(bytes(profile, format)).unwrap()
}

/// What [`walked`] says of itself.
fn truth(profile: &Profile) -> Found {
    let names = Names::of(&profile.methods);
    let [caller, called] = [0, 1].map(|at| names.method(MethodIx(at)));
    let stack = |frames: &[&str]| frames.iter().map(|name| (*name).to_owned()).collect();
    Found::from([
        (stack(&["app.Main::main", "app.Main::loop", caller, called]), 6),
        (stack(&["app.Main::main", called]), 2),
        (stack(&[called]), 1),
    ])
}

fn some() -> Profile {
    walked(small_profile::profile())
}

#[test]
fn collapsed_stacks_have_the_walks() {
    let profile = some();
    let text = text(&profile, Format::Collapsed);
    let lines = text.lines().map(|line| line.rsplit_once(' ').unwrap());
    let found: Found = lines
        .map(|(path, walks)| (path.split(';').map(str::to_owned).collect(), walks.parse().unwrap()))
        .collect();
    assert_eq!(found, truth(&profile));
}

#[test]
fn pprof_has_walks_and_the_calls_that_they_stand_for() {
    let profile = some();
    let read = pprof(&bytes(&profile, Format::Pprof));
    let (types, stacks) = read.stacks();
    assert_eq!(types, ["walks", "calls"]);
    let of = |value: usize| -> Found {
        stacks.iter().map(|(stack, values)| (stack.clone(), values[value] as u64)).collect()
    };
    assert_eq!(of(0), truth(&profile));
    assert_eq!(of(1).into_values().sum::<u64>(), 90);
    let comments = read.comments();
    let has = |text: &str| comments.iter().any(|comment| comment.contains(text));
    assert!(has("one in 10 calls") && has("of 12 walks that its calls were due"), "{comments:?}");
    assert!(!has("times: "), "{comments:?}");
}

/// Recordings with different intervals that were added up: for how many calls a walk stands is not
/// known.
#[test]
fn calls_are_left_out_where_intervals_differ() {
    let mut profile = some();
    profile.stack_walks.methods[0].interval = 0;
    let read = pprof(&bytes(&profile, Format::Pprof));
    let (types, stacks) = read.stacks();
    assert_eq!(types, ["walks"]);
    assert!(stacks.iter().all(|(_, values)| values.len() == 1));
    let rows = csv(&profile);
    assert!(rows.iter().all(|row| row["calls"].is_empty() && row["interval"].is_empty()));
}

#[test]
fn go_reads_walked_stacks() {
    let profile = some();
    let arguments = ["tool", "pprof", "-traces", "-sample_index=walks"];
    let Some(text) = output_of(Path::new("go"), &arguments, &bytes(&profile, Format::Pprof)) else {
        return;
    };
    let names = Names::of(&profile.methods);
    let of = format!("6   {}", names.method(MethodIx(1)));
    assert!(text.contains(&of), "{text}");
}

#[test]
fn speedscope_has_a_profile_for_each_method() {
    let profile = some();
    let read: Value = serde_json::from_slice(&bytes(&profile, Format::Speedscope)).unwrap();
    let frames = read["shared"]["frames"].as_array().unwrap();
    let profiles = read["profiles"].as_array().unwrap();
    assert_eq!(profiles.len(), 1);
    let of = &profiles[0];
    assert!(of["name"].as_str().unwrap().ends_with(" (one in 10 calls)"), "{of}");
    assert_eq!((of["type"].as_str(), of["endValue"].as_u64()), (Some("sampled"), Some(9)));
    let name = |frame: &Value| {
        frames[frame.as_u64().unwrap() as usize]["name"].as_str().unwrap().to_owned()
    };
    let samples = of["samples"].as_array().unwrap().iter();
    let weights = of["weights"].as_array().unwrap().iter();
    let found: Found = samples
        .zip(weights)
        .map(|(stack, walks)| {
            (stack.as_array().unwrap().iter().map(name).collect(), walks.as_u64().unwrap())
        })
        .collect();
    assert_eq!(found, truth(&profile));
}

fn csv(profile: &Profile) -> Vec<BTreeMap<String, String>> {
    let text = text(profile, Format::Csv);
    let mut rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = rows.next().unwrap();
    rows.map(|row| {
        assert_eq!(row.len(), head.len(), "{text}");
        head.iter().cloned().zip(row).collect()
    })
    .collect()
}

#[test]
fn csv_has_a_row_for_each_caller() {
    let profile = some();
    let rows = csv(&profile);
    let cells = |names: [&str; 6]| -> Vec<[String; 6]> {
        rows.iter().map(|row| names.map(|name| row[name].clone())).collect()
    };
    let found = cells(["node", "parent", "depth", "walks", "outermost", "calls"]);
    let expected = [
        ["0", "", "0", "9", "1", "90"],
        ["1", "0", "1", "6", "0", "60"],
        ["2", "1", "2", "6", "0", "60"],
        ["3", "2", "3", "6", "6", "60"],
        ["4", "0", "1", "2", "2", "20"],
    ];
    assert_eq!(found, expected);
    let found = cells(["recorded", "interval", "due", "missing", "unknown", "truncated"]);
    assert_eq!(found[0], ["true", "10", "12", "1", "2", "1"]);
    assert_eq!(found[2], ["false", "", "", "", "", ""]);
    assert_eq!([&*rows[0]["share"], &*rows[0]["share_bar"]], ["1", "0"]);
    let share: f64 = rows[1]["share"].parse().unwrap();
    let bar: f64 = rows[1]["share_bar"].parse().unwrap();
    assert!((share - 6.0 / 9.0).abs() < 1e-5 && bar > 0.2 && bar < 0.5, "{share} ± {bar}");
}

/// Python's `csv` adds the outermost frames up: each walk has one.
const OUTERMOST: &str = "
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline='')))
print(sum(int(row['outermost']) for row in rows), rows[0]['walks'], rows[-1]['name'])
";

#[test]
fn python_reads_walked_stacks() {
    let profile = some();
    let bytes = bytes(&profile, Format::Csv);
    if let Some(text) = output_of(Path::new("python3"), &["-c", OUTERMOST], &bytes) {
        assert_eq!(text.trim(), "9 9 app.Main::main");
    }
}

#[test]
fn a_method_without_a_walk_says_what_was_due() {
    let mut profile = some();
    let of = WalkedMethod { method: MethodIx(1), interval: 10, due: 3, truncated: 0, unknown: 0 };
    profile.stack_walks = StackWalks::new(vec![of], SampleTreeBuilder::default(), 0);
    let rows = csv(&profile);
    assert_eq!(rows.len(), 1);
    let row = &rows[0];
    assert_eq!([&*row["walks"], &*row["due"], &*row["missing"]], ["0", "3", "3"]);
    assert_eq!([&*row["share"], &*row["share_bar"]], ["", ""]);
    for format in WALKS_FORMATS.into_iter().filter(|format| *format != Format::Csv) {
        let mut out = Vec::new();
        let error = export_walks(&profile, format, &mut out).unwrap_err();
        assert!(out.is_empty() && error.to_string().contains("no stack was walked"), "{error}");
    }
}

#[test]
fn other_formats_have_no_walked_stacks() {
    for (format, _, _) in Format::all() {
        let result = export_walks(&some(), format, &mut Vec::new());
        assert_eq!(result.is_ok(), WALKS_FORMATS.contains(&format), "{format:?}");
    }
}
