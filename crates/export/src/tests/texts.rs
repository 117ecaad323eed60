//! JSON, CSV and Markdown. The Firefox profile has the shape that the crate
//! `fxprof-processed-profile` writes.

use super::{Sums, exported, exported_with, of_methods, profiles, truth};
use crate::Format;
use fxprof_processed_profile as fxprof;
use jfathom_profile::{EventKind, EventName, EventSource, EventSum, Profile, Ticks};
use jfathom_testkit::{events::add_to_each_node, profiles::one_thread, records::*, small_profile};
use jfathom_views::Scope;
use serde_json::Value;

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

#[test]
fn speedscope_has_the_profiles_sums() {
    for profile in profiles() {
        let read = json(&exported(&profile, Format::Speedscope));
        let name = |frame: u64| read["shared"]["frames"][frame as usize]["name"].as_str().unwrap();
        let mut sums = Sums::new();
        for of in list(&read["profiles"]) {
            let is_time = of["unit"] == "nanoseconds";
            let (mut open, mut now): (Vec<u64>, u64) = (Vec::new(), 0);
            for event in list(&of["events"]) {
                let (frame, at) = (number(&event["frame"]), number(&event["at"]));
                if let Some(top) = open.last() {
                    let sum = sums.entry(name(*top).to_owned()).or_default();
                    *(if is_time { &mut sum.1 } else { &mut sum.0 }) += at - now;
                }
                now = at;
                match event["type"] == "O" {
                    true => open.push(frame),
                    false => assert_eq!(open.pop(), Some(frame)),
                }
            }
            assert!(open.is_empty());
            assert_eq!(now, number(&of["endValue"]));
        }
        assert_eq!(of_methods(sums), truth(&profile));
    }
}

#[test]
fn firefox_has_the_profiles_sums() {
    for profile in profiles() {
        let read = json(&exported(&profile, Format::Firefox));
        let mut sums = Sums::new();
        for thread in list(&read["threads"]) {
            let is_time = thread["samples"]["weightType"] == "tracing-ms";
            let (stacks, weights) =
                (list(&thread["samples"]["stack"]), list(&thread["samples"]["weight"]));
            for (stack, weight) in stacks.iter().zip(weights) {
                let frame = number(&thread["stackTable"]["frame"][number(stack) as usize]);
                let function = number(&thread["frameTable"]["func"][frame as usize]);
                let name = number(&thread["funcTable"]["name"][function as usize]);
                let name = thread["stringArray"][name as usize].as_str().unwrap();
                let sum = sums.entry(name.to_owned()).or_default();
                match is_time {
                    true => sum.1 += (weight.as_f64().unwrap() * 1e6).round() as u64,
                    false => sum.0 += number(weight),
                }
            }
        }
        assert_eq!(of_methods(sums), truth(&profile));
    }
}

/// A profile with one sample of the stack `a`, `b`.
fn model() -> Value {
    let start = std::time::SystemTime::UNIX_EPOCH;
    let mut profile = fxprof::Profile::new(
        "java",
        fxprof::ReferenceTimestamp::from(start),
        fxprof::SamplingInterval::from_millis(1),
    );
    let at = fxprof::Timestamp::from_nanos_since_reference;
    let process = profile.add_process("java", 1, at(0));
    let thread = profile.add_thread(process, 1, at(0), true);
    let category = profile.add_category("Java", fxprof::CategoryColor::Blue).into();
    let frames = ["a", "b"].map(|name| fxprof::FrameInfo {
        frame: fxprof::Frame::Label(profile.intern_string(name)),
        category_pair: category,
        flags: fxprof::FrameFlags::empty(),
    });
    let stack = profile.intern_stack_frames(thread, frames.into_iter());
    profile.add_sample(thread, at(0), stack, fxprof::CpuDelta::ZERO, 1);
    serde_json::to_value(&profile).unwrap()
}

/// Every key of `model`, at every level, is in `ours`, with a value of the same kind.
fn check_shape(model: &Value, ours: &Value, path: &str) {
    match (model, ours) {
        (Value::Object(model), Value::Object(ours)) => {
            for (key, value) in model {
                let path = format!("{path}.{key}");
                check_shape(
                    value,
                    ours.get(key).unwrap_or_else(|| panic!("{path} is missing")),
                    &path,
                );
            }
        }
        (Value::Array(model), Value::Array(ours)) => {
            if let (Some(model), Some(ours)) = (model.first(), ours.first()) {
                check_shape(model, ours, &format!("{path}[0]"));
            }
        }
        (Value::Null, _) | (_, Value::Null) => {}
        (model, ours) => {
            let kind = std::mem::discriminant;
            assert_eq!(kind(model), kind(ours), "{path}: {model} {ours}");
        }
    }
}

#[test]
fn firefox_has_the_shape_that_others_write() {
    let mut model = model();
    // With them the profiler shows CPU use, 100 % where it is not known.
    model["meta"].as_object_mut().unwrap().remove("sampleUnits").unwrap();
    let samples = model["threads"][0]["samples"].as_object_mut().unwrap();
    samples.remove("threadCPUDelta").unwrap();
    let ours = json(&exported(&small_profile::profile(), Format::Firefox));
    check_shape(&model, &ours, "");
    let version = "preprocessedProfileVersion";
    assert_eq!(model["meta"][version], ours["meta"][version]);
    for thread in list(&ours["threads"]) {
        for table in ["stackTable", "frameTable", "funcTable", "samples", "nativeSymbols"] {
            for (key, column) in thread[table].as_object().unwrap() {
                if let Some(column) = column.as_array() {
                    assert_eq!(
                        column.len() as u64,
                        number(&thread[table]["length"]),
                        "{table}.{key}"
                    );
                }
            }
        }
    }
}

#[test]
fn markdown_is_ten_lines_with_the_quality_first() {
    let scope = Scope::default();
    let text = exported_with(&small_profile::calibrated(), &scope, Format::Markdown);
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("- **Quality:** NOT CLEAN: "), "{text}");
    assert_eq!(text.lines().count(), 6 + 4, "{text}");
    assert!(text.contains("| `com.acme.Engine::step(int)` | 1,236 |"), "{text}");
}

#[test]
fn collapsed_stacks_have_the_profiles_time() {
    for profile in profiles() {
        let text = String::from_utf8(exported(&profile, Format::Collapsed)).unwrap();
        let sum: u64 =
            text.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum();
        assert_eq!(sum, profile.total_time().0);
    }
}

#[test]
fn filters_are_those_of_reports() {
    use jfathom_views::{Filter, FilterKind, ThreadTrees};
    let profile = small_profile::profile();
    let methods =
        jfathom_compare::MethodSet::new(&profile.methods, &["**::step(J)V".parse().unwrap()]);
    let filters = vec![Filter { kind: FilterKind::Focus, methods: methods.unwrap() }];
    let scope = Scope { filters, threads: ThreadTrees::Merged, is_raw: true, ..Scope::default() };
    let read = json(&exported_with(&profile, &scope, Format::Speedscope));
    let of = &read["profiles"][0];
    let step = truth(&profile)["com.acme.Engine::step(long)"].1;
    let name = "all threads (largest first, not in time order)";
    assert_eq!((of["name"].as_str(), number(&of["endValue"])), (Some(name), step));
}

#[test]
fn csv_has_no_number_for_bytes_that_were_not_read() {
    let mut profile = one_thread(&[e(0, 10), e(1, 20), alloc(5_000), r(1, 30), r(0, 40)]);
    profile.allocation.source = jfathom_profile::AllocationSource::Fields;
    profile.set_alloc_reading(|_| false);
    let text = String::from_utf8(exported(&profile, Format::Csv)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let cells = |row: &Vec<&str>| {
        ["alloc_self_bytes", "alloc_total_bytes"].map(|name| {
            let at = head.iter().position(|title| *title == name).unwrap();
            row[at].to_owned()
        })
    };
    let rows: Vec<_> = lines.map(|row| cells(&row)).collect();
    assert_eq!(rows, [["0", "5000"], ["5000", "5000"], ["", ""]]);
}

/// The cells of CSV columns, by row.
fn csv_cells<const N: usize>(profile: &Profile, names: [&str; N]) -> Vec<[String; N]> {
    let text = String::from_utf8(exported(profile, Format::Csv)).unwrap();
    let mut rows = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let at = names.map(|name| head.iter().position(|title| *title == name).unwrap());
    rows.map(|row| at.map(|at| row[at].to_owned())).collect()
}

/// A method that calls one that is only counted, with seven exceptions caught in each.
fn catching() -> Profile {
    let mut profile = small_profile::counted_tick(3);
    let name = EventName { kind: EventKind::Caught, class: Some("a.Failure".into()) };
    add_to_each_node(&mut profile, &name, EventSum { count: 7, time: Ticks(0) });
    profile
}

#[test]
fn csv_has_caught_exceptions_where_they_are_known() {
    let names = ["kind", "caught_self", "caught_total"];
    let found = csv_cells(&catching(), names);
    assert_eq!(found, [["thread", "", "14"], ["method", "7", "14"], ["method", "", ""]]);
    let none = csv_cells(&small_profile::profile(), names);
    assert!(none.iter().all(|row| row[1].is_empty() && row[2].is_empty()), "{none:?}");
}

#[test]
fn csv_has_no_zero_for_events_that_nobody_told() {
    let names = ["waits_total_ns", "pauses_self_ns", "exceptions_self", "exceptions_total"];
    let mut profile = catching();
    let method = |profile: &Profile| csv_cells(profile, names)[1].clone();
    assert_eq!(method(&profile), [""; 4]);
    profile.events.exceptions = EventSource::Jfr;
    assert_eq!(method(&profile), ["", "", "0", "0"]);
    profile.events.waits = EventSource::Refused;
    assert_eq!(method(&profile), ["", "", "0", "0"]);
    profile.events.waits = EventSource::Jfr;
    assert_eq!(method(&profile), ["0"; 4]);
    // Of two recordings one was told: some of the other are as well possible.
    profile.events.caught = EventSource::Partly;
    profile.events.exceptions = EventSource::Partly;
    assert_eq!(method(&profile), ["0", "0", "", ""]);
    assert_eq!(csv_cells(&profile, ["caught_self"])[1], ["7"]);
}

#[test]
fn csv_has_no_number_for_bytes_of_counted_calls() {
    let mut profile = one_thread(&[e(0, 10), alloc(5_000), counted(1, 3), r(0, 40)]);
    profile.allocation.source = jfathom_profile::AllocationSource::Fields;
    let text = String::from_utf8(exported(&profile, Format::Csv)).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let at = rows[0].iter().position(|title| *title == "alloc_self_bytes").unwrap();
    let bytes: Vec<&[&str]> = rows[1..].iter().map(|row| &row[at..at + 2]).collect();
    assert_eq!(bytes, [["0", "5000"], ["5000", "5000"], ["", ""]]);
}

#[test]
fn what_is_seen_first_is_ordered_by_cost_and_says_so() {
    // The program calls 1 first, and is longer in 2.
    let records = [e(0, 0), e(1, 10), r(1, 20), e(2, 20), r(2, 90), r(0, 95)];
    let profile = one_thread(&records);
    let read = json(&exported(&profile, Format::Speedscope));
    let name = |frame: &Value| read["shared"]["frames"][number(frame) as usize]["name"].clone();
    let of = &read["profiles"][0];
    let opened = list(&of["events"]).iter().filter(|event| event["type"] == "O");
    let opened: Vec<Value> = opened.map(|event| name(&event["frame"])).collect();
    let [run, short, long] = [0, 1, 2].map(|at| profile.methods[at].info.key.name.clone());
    let ends: Vec<&str> =
        opened.iter().map(|name| name.as_str().unwrap().rsplit("::").next().unwrap()).collect();
    assert_eq!(ends, [run, long, short]);
    assert!(of["name"].as_str().unwrap().ends_with("not in time order)"), "{of}");
    let read = json(&exported(&profile, Format::Firefox));
    let first = number(&read["meta"]["initialSelectedThreads"][0]) as usize;
    assert!(read["meta"]["initialVisibleThreads"].as_array().unwrap().contains(&first.into()));
    let of = &read["threads"][first];
    assert!(of["name"].as_str().unwrap().ends_with("not in time order)"), "{of}");
    let weights: Vec<f64> =
        list(&of["samples"]["weight"]).iter().map(|one| one.as_f64().unwrap()).collect();
    assert_eq!(weights, [15e-6, 70e-6, 10e-6]);
}
