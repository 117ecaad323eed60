mod between;
mod reference;

use crate::{FlameOrder, Scope, Section, Sort, StackWeight, ThreadTrees, View, flame, json, text};
use jfathom_profile::{
    Activation, CallKind, EventKind, EventName, EventSum, Frame, HandOffs, Metric, Profile, Span,
    SpanEvent, SpanKind, ThreadIx, Ticks,
};
use jfathom_testkit::{reference::Documents, small_profile as fixture};
use std::path::Path;

fn raw() -> Scope {
    Scope { is_raw: true, ..Scope::default() }
}

fn merged() -> Scope {
    Scope { threads: ThreadTrees::Merged, ..Scope::default() }
}

fn of_thread(name: &str) -> Scope {
    Scope { thread: Some(name.to_owned()), ..Scope::default() }
}

/// Compares with `goldens/NAME`; with `BLESS=1` in the environment it writes the file instead.
pub(crate) fn golden(name: &str, actual: &[u8]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read(&path).unwrap_or_default();
    assert_eq!(
        String::from_utf8_lossy(actual),
        String::from_utf8_lossy(&expected),
        "{}",
        path.display()
    );
}

fn text_of(sections: &[Section], view: &View) -> Vec<u8> {
    let mut out = Vec::new();
    text(&fixture::profile(), sections, view, &mut out).unwrap();
    out
}

const ALL: [Section; 5] =
    [Section::Summary, Section::Tree, Section::Hot, Section::Threads, Section::Virtual];

#[test]
fn text_with_everything() {
    golden("everything.txt", &text_of(&ALL, &View { threshold: 0.0, ..View::default() }));
}

fn text_of_calibrated(view: &View) -> Vec<u8> {
    let mut out = Vec::new();
    text(&fixture::calibrated(), &ALL, view, &mut out).unwrap();
    out
}

#[test]
fn text_of_corrected_times() {
    golden("calibrated.txt", &text_of_calibrated(&View { threshold: 0.0, ..View::default() }));
    let merged = View { threshold: 0.0, scope: merged(), width: Some(100), ..View::default() };
    golden("calibrated-merged.txt", &text_of_calibrated(&merged));
    golden("calibrated-raw.txt", &text_of_calibrated(&View { scope: raw(), ..View::default() }));
}

#[test]
fn the_beginning_of_a_report_and_its_views() {
    let of = |sections: &[Section], view: &View| {
        let mut out = Vec::new();
        text(&fixture::calibrated(), sections, view, &mut out).unwrap();
        out
    };
    let view =
        View { width: Some(80), fold_chains: true, has_legend_at_end: true, ..View::default() };
    let overview = [Section::Overview, Section::Hot, Section::Tree, Section::Virtual];
    golden("overview-80.txt", &of(&overview, &view));
    golden("overview-200.txt", &of(&overview, &View { width: Some(200), ..view }));
    let views = [Section::Rows, Section::Stanzas, Section::Callers];
    golden("views.txt", &of(&views, &View { threshold: 0.0, ..View::default() }));
}

/// Root sampling left out so many calls of the first method, of 1 µs each.
fn leave_out_calls(profile: &mut jfathom_profile::Profile, calls: u64) {
    use jfathom_profile::{Bucket, Durations, Latencies, Latency, MethodIx};
    let (method, ticks) = (MethodIx(0), Ticks(1_000));
    let bucket = Bucket { upper: ticks, calls, records: 0 };
    let latency =
        Latency { path: vec![Frame::Method(method)], calls: Durations::new(ticks, vec![bucket]) };
    let unsampled = jfathom_profile::UnsampledCalls { method, calls, time: Ticks(calls * ticks.0) };
    profile.latencies.add(Latencies {
        paths: vec![latency],
        unwatched: 0,
        unsampled: vec![unsampled],
        ..Latencies::default()
    });
}

#[test]
fn what_root_sampling_left_out_is_said() {
    let mut profile = fixture::calibrated();
    leave_out_calls(&mut profile, 99);
    let mut out = Vec::new();
    text(&profile, &[Section::Latency], &View::default(), &mut out).unwrap();
    golden("sampled-roots.txt", &out);
}

#[test]
fn latencies_as_text() {
    let of = |view: &View| {
        let mut out = Vec::new();
        text(&fixture::calibrated(), &[Section::Latency], view, &mut out).unwrap();
        out
    };
    golden("latency.txt", &of(&View::default()));
    golden("latency-80.txt", &of(&View { width: Some(80), ..View::default() }));
    golden("latency-raw.txt", &of(&View { scope: raw(), ..View::default() }));
    let mut older = fixture::calibrated();
    older.latencies = jfathom_profile::Latencies::default();
    let mut out = Vec::new();
    text(&older, &[Section::Latency], &View::default(), &mut out).unwrap();
    assert!(String::from_utf8_lossy(&out).contains("\nnone: no call"));
}

#[test]
fn a_busy_machine_is_told() {
    let says = |profile: &jfathom_profile::Profile| {
        let mut out = Vec::new();
        text(profile, &[Section::Summary], &View::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap().contains("the machine was busy during calibration")
    };
    let mut profile = fixture::calibrated();
    profile.threads[0].scheduling = None;
    assert!(!says(&profile));
    profile.meta.jvms[0].calibrations[0].outer.deviation = 90.0;
    assert!(says(&profile));
}

#[test]
fn text_for_a_narrow_terminal_with_limits() {
    let view = View {
        width: Some(64),
        depth: Some(1),
        limit: 2,
        sort: Sort::TotalTime,
        ..View::default()
    };
    golden("narrow.txt", &text_of(&ALL, &view));
}

#[test]
fn one_thread_or_all_added_up() {
    let view = View { scope: of_thread("pool"), threshold: 0.0, ..View::default() };
    golden("pool.txt", &text_of(&[Section::Tree, Section::Hot, Section::Threads], &view));
    let view = View { scope: merged(), threshold: 0.0, ..View::default() };
    golden("merged.txt", &text_of(&[Section::Tree], &view));
}

#[test]
fn threads_are_found_by_name_part_or_number() {
    let profile = fixture::profile();
    for (wanted, expected) in
        [("main", vec![0]), ("pool", vec![1]), ("#2", vec![1]), ("#9", vec![]), ("o", vec![1])]
    {
        let view = View { scope: of_thread(wanted), ..View::default() };
        let found: Vec<u32> =
            view.scope.threads(&profile).into_iter().map(|thread| thread.0).collect();
        assert_eq!(found, expected, "{wanted}");
    }
}

#[test]
fn a_clean_recording_has_no_quality_line() {
    let mut profile = fixture::profile();
    let mut out = Vec::new();
    text(&profile, &[Section::Hot], &View::default(), &mut out).unwrap();
    assert!(
        String::from_utf8_lossy(&out).starts_with("NOT CLEAN: 1,000,000 calls on virtual threads")
    );
    profile.quality = Default::default();
    out.clear();
    text(&profile, &[Section::Hot], &View::default(), &mut out).unwrap();
    assert!(String::from_utf8_lossy(&out).starts_with("hot methods"));
}

#[test]
fn tasks_that_could_not_be_followed_have_a_scale() {
    let mut profile = fixture::profile();
    profile.quality = Default::default();
    profile.quality.unfollowed_hand_offs = 2;
    for (all, tasks) in [(5031, "2 of 5,031 tasks"), (2, "2 of 2 tasks"), (0, "2 tasks")] {
        profile.quality.handed_off = all;
        let mut out = Vec::new();
        text(&profile, &[Section::Hot], &View::default(), &mut out).unwrap();
        let line = format!(
            "NOT CLEAN: {tasks} handed to other threads could not be followed: what they called \
             there is missing\n"
        );
        let out = String::from_utf8(out).unwrap();
        assert!(out.starts_with(&line), "{out}");
    }
}

#[test]
fn resumptions_are_counted_apart_and_their_methods_marked() {
    let mut profile = fixture::calibrated();
    let sections = [Section::Summary, Section::Tree, Section::Hot];
    let text_of = |profile: &Profile| {
        let mut out = Vec::new();
        text(profile, &sections, &View { threshold: 0.0, ..View::default() }, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert!(!text_of(&profile).contains('↻'));
    profile.methods[1].info.resumes = true;
    assert!(!text_of(&profile).contains("\nresumed "));
    let mut row = profile.methods[1].clone();
    row.info.key.name += ":resumed";
    (row.entries, row.returns, row.throws, row.inferred, row.open) = (0, 0, 0, 0, 0);
    (row.counted, row.virtual_calls) = (1, 0);
    profile.methods.push(row);
    let out = text_of(&profile);
    let line = "\nresumed   resumptions of Kotlin coroutines among the calls: \
                com.acme.Engine::step(int) 1 of 1,001,236\n";
    assert!(out.contains(line), "{out}");
    assert!(out.lines().filter(|line| line.ends_with("::step(int) ↻")).count() > 1, "{out}");
    let legends = out.lines().filter(|line| *line == super::resumed::RESUMED_LEGEND);
    assert_eq!(legends.count(), 2, "{out}");
}

#[test]
fn each_kind_of_loss_has_words_of_its_own() {
    let profile = fixture::profile();
    let sentences = jfathom_profile::Loss::ALL
        .iter()
        .map(|loss| jfathom_views::quality::sentence(&profile, *loss, 3));
    let sentences: std::collections::BTreeSet<String> = sentences.collect();
    assert_eq!(sentences.len(), jfathom_profile::Loss::ALL.len(), "{sentences:#?}");
}

#[test]
fn a_loss_without_a_count_makes_a_report_unclean() {
    let mut profile = fixture::profile();
    let other_losses = vec!["a \u{1b}[2Jclass was lost".to_owned()];
    profile.quality = jfathom_profile::Quality { other_losses, ..Default::default() };
    let mut out = Vec::new();
    text(&profile, &[Section::Hot], &View::default(), &mut out).unwrap();
    let text = String::from_utf8_lossy(&out);
    assert!(text.starts_with("NOT CLEAN: a \\u001b[2Jclass was lost\n"), "{text}");
}

#[test]
fn flame_graphs_hold_every_frame() {
    let profile = fixture::profile();
    let view = View { threshold: 0.0, ..View::default() };
    let mut svg = Vec::new();
    flame(&profile, &view, StackWeight::SelfTime, FlameOrder::Callees, &mut svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    for (frame, detail) in [
        ("com.acme.Engine::run", "10.00 ms, 99.7 % of all, ×1"),
        ("com.acme.Engine::step(int)", "1.100 ms, 11.0 % of all, ×2"),
        ("com.acme.Engine::step(long)", "1.500 ms, 15.0 % of all, ×1"),
        ("spawned from com.acme.Engine::run", "32.00 µs, 0.3 % of all, ×1"),
        ("?9", "30.00 µs, 0.3 % of all, ×1"),
    ] {
        assert!(svg.contains(&format!("<title>{frame}\n{detail}</title>")), "{frame} {svg}");
    }
    assert!(!svg.contains("href=\"http"), "the picture must not need the network");
}

/// Left edges, widths and depths of the frames.
fn frames_of(svg: &str) -> Vec<[f64; 3]> {
    let number = |line: &str, key: &str| {
        let from = line.find(key).unwrap() + key.len();
        line[from..].split('"').next().unwrap().parse::<f64>().unwrap()
    };
    let lines = svg.lines().filter(|line| line.starts_with("<g class=\"f\""));
    lines.map(|line| ["data-x=\"", "data-w=\"", "data-d=\""].map(|key| number(line, key))).collect()
}

#[test]
fn frames_lie_on_what_they_are_part_of() {
    for order in [FlameOrder::Callees, FlameOrder::Callers] {
        for weight in [StackWeight::SelfTime, StackWeight::Calls] {
            for seed in 0..5 {
                let profile = fixture::drawn(seed);
                let view = View { threshold: 0.0, ..View::default() };
                let mut svg = Vec::new();
                flame(&profile, &view, weight, order, &mut svg).unwrap();
                let frames = frames_of(&String::from_utf8(svg).unwrap());
                let bottom: f64 =
                    frames.iter().filter(|frame| frame[2] == 0.0).map(|frame| frame[1]).sum();
                assert!((bottom - 1200.0).abs() < 5.0, "{bottom}");
                for [x, width, depth] in frames.iter().copied().filter(|frame| frame[2] > 0.0) {
                    let is_on = |below: &&[f64; 3]| {
                        below[2] == depth - 1.0
                            && below[0] <= x + 0.01
                            && below[0] + below[1] >= x + width - 0.01
                    };
                    assert!(frames.iter().any(|below| is_on(&below)), "{x} {width} {depth}");
                }
            }
        }
    }
}

#[test]
fn names_in_a_flame_graph_are_text() {
    let mut profile = fixture::profile();
    profile.methods[0].info.key.class = "x/</title><script>alert(1)</script>\u{0}]]>".to_owned();
    let mut svg = Vec::new();
    let view = View { threshold: 0.0, ..View::default() };
    flame(&profile, &view, StackWeight::SelfTime, FlameOrder::Callers, &mut svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    assert_eq!(svg.matches("<script>").count(), 1);
    assert!(svg.contains("&lt;script&gt;alert(1)") && !svg.contains('\u{0}'));
}

#[test]
fn nothing_to_draw_is_an_error() {
    let mut profile = fixture::profile();
    profile.tree = Default::default();
    let error = flame(
        &profile,
        &View::default(),
        StackWeight::SelfTime,
        FlameOrder::Callees,
        &mut Vec::new(),
    )
    .unwrap_err();
    assert!(error.to_string().contains("all its calls were on virtual threads"), "{error}");
}

#[test]
fn corrected_times_add_up_in_json() {
    let mut out = Vec::new();
    json(&fixture::calibrated(), &View { threshold: 0.0, ..View::default() }, &mut out).unwrap();
    let all: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let tree = all["tree"].as_array().unwrap();
    let number = |node: &serde_json::Value, key: &str| node["corrected"][key].as_f64().unwrap();
    for (place, node) in tree.iter().enumerate() {
        let below = tree.iter().filter(|other| other["parent"].as_u64() == Some(place as u64));
        let sum: f64 = below.map(|child| number(child, "totalNanos")).sum();
        assert_eq!(number(node, "totalNanos"), sum + number(node, "selfNanos"), "node {place}");
        assert!(number(node, "totalNanos") <= node["totalNanos"].as_f64().unwrap());
    }
    let roots: f64 = tree
        .iter()
        .filter(|node| node["parent"].is_null())
        .map(|node| number(node, "totalNanos"))
        .sum();
    assert_eq!(all["times"]["corrected"]["totalNanos"].as_f64(), Some(roots));
    assert_eq!(all["methods"][1]["calls"].as_u64(), Some(2 + 1_234));
    let mut out = Vec::new();
    json(&fixture::calibrated(), &View { scope: raw(), ..View::default() }, &mut out).unwrap();
    let raw: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert!(raw["tree"][0]["corrected"].is_null() && raw["times"]["calibrated"] == false);
}

/// Where more was taken out than there was, nodes stay, as their calls are exact.
#[test]
fn nothing_is_below_zero_where_probes_took_the_time() {
    let mut profile = fixture::calibrated();
    profile.anchor = None;
    let ends = profile.meta.jvms[0]
        .calibrations
        .iter_mut()
        .filter(|calibration| calibration.kind != CallKind::Count);
    ends.for_each(|calibration| calibration.inner.median = 2e6);
    let view = View { threshold: 0.0, ..View::default() };
    let mut out = Vec::new();
    json(&profile, &view, &mut out).unwrap();
    let all: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let nodes = all["tree"].as_array().unwrap();
    assert_eq!(nodes.len(), profile.tree.len());
    for node in nodes {
        let time = |key: &str| node["corrected"][key].as_f64().unwrap();
        assert!(time("selfNanos") >= 0.0 && time("totalNanos") >= time("selfNanos"), "{node:#?}");
    }
}

/// Drawn trees of calls that are shorter to longer than their probes: no text and no JSON has a
/// time below zero, and self times add up to the threads' totals.
#[test]
fn no_output_of_a_drawn_tree_has_a_time_below_zero() {
    fn lowest(value: &serde_json::Value) -> f64 {
        match value {
            serde_json::Value::Object(all) => all.values().map(lowest).fold(0.0, f64::min),
            serde_json::Value::Array(all) => all.iter().map(lowest).fold(0.0, f64::min),
            other => other.as_f64().unwrap_or(0.0),
        }
    }
    let sections = [Section::Hot, Section::Tree, Section::Rows, Section::Stanzas, Section::Callers];
    for seed in 0..40 {
        let mut profile = match seed % 2 {
            0 => fixture::drawn(seed),
            _ => fixture::drawn_with_samples(seed),
        };
        profile.meta.jvms = fixture::calibrated().meta.jvms;
        profile.rate = jfathom_profile::TickRate::new(1_000_000_000 << (seed % 10)).unwrap();
        let mut out = Vec::new();
        text(&profile, &sections, &View { threshold: 0.0, ..View::default() }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let is_negative = |word: &str| word.starts_with('-') && word.len() > 1;
        assert!(!text.split_whitespace().any(is_negative), "{seed}: {text}");
        let mut out = Vec::new();
        json(&profile, &View { threshold: 0.0, ..View::default() }, &mut out).unwrap();
        let all: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(lowest(&all["tree"]).min(lowest(&all["methods"])), 0.0, "{seed}");
        let total = |node: &serde_json::Value| node["corrected"]["totalNanos"].as_f64().unwrap();
        let nodes = all["tree"].as_array().unwrap();
        let threads: f64 = nodes.iter().filter(|node| node["parent"].is_null()).map(total).sum();
        let own = |node: &serde_json::Value| node["corrected"]["selfNanos"].as_f64().unwrap();
        assert!((nodes.iter().map(own).sum::<f64>() - threads).abs() < 1.0, "{seed}");
    }
}

fn json_of(view: &View) -> serde_json::Value {
    let mut out = Vec::new();
    json(&fixture::profile(), view, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// A lock's wait of 9 ticks in each node, and outside of all.
fn add_a_wait(profile: &mut Profile) {
    use jfathom_profile::{EventKind, EventName, EventSum, Ticks};
    let name = EventName { kind: EventKind::Monitor, class: Some("a.Lock".into()) };
    let wait = EventSum { count: 1, time: Ticks(9) };
    jfathom_testkit::events::add_to_each_node(profile, &name, wait);
    profile.events.outside.insert(name, wait);
}

#[test]
fn a_report_with_everything_has_its_schema() {
    let mut out = Vec::new();
    let mut profile = fixture::live(fixture::calibrated());
    leave_out_calls(&mut profile, 99);
    keep_a_call_that_waited(&mut profile);
    profile.cpu.source = jfathom_profile::CpuSource::Perf;
    add_a_wait(&mut profile);
    let profile = crate::samples::tests::sampled(profile);
    let profile = jfathom_testkit::walks::walked(profile);
    json(&profile, &View::default(), &mut out).unwrap();
    Documents::of::<crate::json::Report<'_>>("report").hold(&out);
}

#[test]
fn json_numbers_fit_together() {
    let all = json_of(&View { threshold: 0.0, ..View::default() });
    assert_eq!(
        (all["format"].as_str(), all["version"].as_u64()),
        (Some("jfathom-report"), Some(8))
    );
    let tree = all["tree"].as_array().unwrap();
    let methods = all["methods"].as_array().unwrap();
    for (place, node) in tree.iter().enumerate() {
        let below = tree.iter().filter(|other| other["parent"].as_u64() == Some(place as u64));
        let sum: u64 = below.map(|child| child["totalNanos"].as_u64().unwrap()).sum();
        assert_eq!(
            node["totalNanos"].as_u64().unwrap(),
            sum + node["selfNanos"].as_u64().unwrap(),
            "node {place}"
        );
    }
    for method in methods {
        let n = |key: &str| method[key].as_u64().unwrap();
        assert_eq!(
            n("entries"),
            n("returns") + n("throws") + n("inferred") + n("open"),
            "{method}"
        );
    }
    let step = methods.iter().find(|method| method["descriptor"] == "(J)V").unwrap();
    // Two calls, one inside the other: the total is the outer one's.
    assert_eq!((step["entries"].as_u64(), step["totalNanos"].as_u64()), (Some(2), Some(1_500_000)));
    let few = json_of(&View { depth: Some(1), threshold: 0.0, ..View::default() });
    assert_eq!(few["tree"].as_array().unwrap().len(), 4);
    assert_eq!(few["methods"], all["methods"]);
}

#[test]
fn a_live_session_says_when_its_roots_were_live_and_what_it_missed() {
    let mut profile = fixture::live(fixture::profile());
    profile.quality.late_calls = 2;
    let mut out = Vec::new();
    text(&profile, &[Section::Summary], &View::default(), &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    for words in [
        "2 first calls went on before the probes of their callees were in place",
        "live      lazy, com.acme.Engine::run live after 12.00 ms; com.acme.Pump never live",
        "3 methods instrumented, 4 classes at load, 5 retransformations of 2 classes in 7.000 ms, 6 skipped",
    ] {
        assert!(out.contains(words), "{words}: {out}");
    }
}

/// The first call path below a thread, as it was slow once.
fn keep_a_slow_call(profile: &mut Profile) {
    let tree = &profile.tree;
    let thread = tree.roots().next().unwrap();
    let top = tree.children(thread).next().unwrap();
    let below = tree.children(top).next().unwrap();
    let of = |node| match tree.frame(node) {
        Frame::Method(method) => method,
        Frame::Thread(_) | Frame::Task(_) => panic!("a method"),
    };
    let span = |method, depth, began, duration, counted| Span {
        method,
        kind: SpanKind::Call,
        depth,
        began: Ticks(began),
        duration: Ticks(duration),
        records_before: u64::from(depth),
        records: 3 - 2 * u64::from(depth),
        counted,
        thrown: depth > 0,
    };
    let (outer, inner) = (of(top), of(below));
    let activation = Activation {
        path: vec![Frame::Method(outer)],
        thread: ThreadIx(0),
        thread_id: 1,
        began: Ticks(5_000_000),
        duration: Ticks(90_000_000),
        records: 3,
        left_out: 12,
        hand_offs: HandOffs::default(),
        events: Vec::new(),
        spans: vec![span(outer, 0, 0, 90_000_000, 7), span(inner, 1, 1_000_000, 80_000_000, 0)],
    };
    profile.latencies.slowest.push(activation);
}

/// Nine more calls of the first method.
fn call_often(profile: &mut Profile) {
    let tree = std::mem::take(&mut profile.tree);
    let first = profile.latencies.slowest[0].path[0];
    let (called_often, _) = tree.retain(|node| {
        let mut numbers = tree.numbers(node);
        if tree.frame(node) == first {
            numbers[Metric::Timed] *= 10;
        }
        Some(numbers)
    });
    profile.tree = called_often;
}

#[test]
fn slow_calls_stand_beside_typical_ones() {
    let mut profile = fixture::calibrated();
    let shown = |profile: &Profile| {
        let mut out = Vec::new();
        text(profile, &[Section::Slowest], &View::default(), &mut out).unwrap();
        out
    };
    assert!(String::from_utf8(shown(&profile)).unwrap().contains("record --slowest 20"));
    keep_a_slow_call(&mut profile);
    let only = String::from_utf8(shown(&profile)).unwrap();
    assert!(only.contains("these are all recorded calls"), "{only}");
    call_often(&mut profile);
    golden("slowest.txt", &shown(&profile));
    let mut out = Vec::new();
    let narrow = View { width: Some(80), ..View::default() };
    text(&profile, &[Section::Slowest], &narrow, &mut out).unwrap();
    golden("slowest-80.txt", &out);
    let mut out = Vec::new();
    let mut others = profile.latencies.slowest[0].clone();
    others.path.insert(0, others.path[0]);
    profile.latencies.slowest.push(others);
    text(&profile, &[Section::Slowest], &View { limit: 1, ..View::default() }, &mut out).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("\n\n1 more call path with slow calls (--limit shows more)\n"), "{out}");
    profile.latencies.slowest.pop();
    profile.latencies.slowest_without_spans = 3;
    let line = "3 of the slowest calls are not kept: there was no room for the records";
    assert!(String::from_utf8(shown(&profile)).unwrap().contains(line));
    profile.latencies.slowest.clear();
    assert!(String::from_utf8(shown(&profile)).unwrap().contains(line));
}

/// A slow call that waited for a monitor, and threw.
fn keep_a_call_that_waited(profile: &mut Profile) {
    keep_a_slow_call(profile);
    let event = |span, kind, class: &str, count, time| SpanEvent {
        span,
        name: EventName { kind, class: Some(class.into()) },
        sum: EventSum { count, time: Ticks(time) },
    };
    profile.latencies.slowest[0].events = vec![
        event(0, EventKind::Monitor, "com.acme.Door", 2, 30_000_000),
        event(1, EventKind::Monitor, "com.acme.Door", 1, 10_000_000),
        event(1, EventKind::Exception, "java.io.IOException", 3, 0),
    ];
}

#[test]
fn slow_calls_say_why_they_did_not_run() {
    let mut profile = fixture::calibrated();
    keep_a_call_that_waited(&mut profile);
    let shown = |width| {
        let mut out = Vec::new();
        let view = View { width, ..View::default() };
        text(&profile, &[Section::Slowest], &view, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let wide = shown(None);
    assert!(wide.contains("why  most of it in"), "{wide}");
    assert!(wide.contains("monitor 40.00 ms, 3 thrown  "), "{wide}");
    let narrow = shown(Some(80));
    let row = narrow.lines().find(|line| line.contains("monitor 40.00 ms")).unwrap();
    assert!(row.chars().count() <= 80 && !row.contains("thrown"), "{narrow}");
}

#[test]
fn slow_calls_are_in_the_json() {
    let mut profile = fixture::calibrated();
    keep_a_call_that_waited(&mut profile);
    let mut out = Vec::new();
    json(&profile, &View::default(), &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let of = &value["slowest"][0];
    assert_eq!(of["slowest"][0]["measuredNanos"], 90_000_000);
    assert_eq!(of["slowest"][0]["spans"][1]["depth"], 1);
    assert_eq!(of["slowest"][0]["leftOutRecords"], 12);
    let event = of["slowest"][0]["events"][1].to_string();
    let expected =
        r#"{"span":1,"kind":"monitor","class":"com.acme.Door","count":1,"nanos":10000000}"#;
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(parsed(&event), parsed(expected));
    assert_eq!(of["differences"][0]["slowCalls"], 1.0);
}

#[test]
fn the_json_has_the_largest_differences_only() {
    let mut profile = fixture::calibrated();
    keep_a_slow_call(&mut profile);
    let slow = &mut profile.latencies.slowest[0];
    let inner = slow.spans[1];
    slow.spans.extend((2..1_000).map(|depth| Span { depth, ..inner }));
    let mut out = Vec::new();
    json(&profile, &View::default(), &mut out).unwrap();
    let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let of = &value["slowest"][0];
    let differences = of["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 100);
    assert!(of["differencesLeftOff"].as_u64() >= Some(900), "{}", of["differencesLeftOff"]);
    let deepest = &differences[0];
    assert_eq!(deepest["path"].as_array().unwrap().len(), 64);
    assert_eq!(deepest["framesLeftOff"], 999 - 64);
}

#[test]
fn limits_of_jvms_are_shown() {
    let mut profile = fixture::profile();
    let shown = |profile: &Profile, section| {
        let mut out = Vec::new();
        text(profile, &[section], &View::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert!(!shown(&profile, Section::Summary).contains("limits"));
    let mut other = profile.meta.jvms[0].clone();
    profile.meta.jvms[0].limits.milli_cpus = Some(500);
    other.limits.memory_bytes = Some(64 << 20);
    profile.meta.jvms.extend([profile.meta.jvms[0].clone(), other]);
    let line = "\nlimits    0.5 processors; 64 MiB of memory (control groups)\n";
    assert!(shown(&profile, Section::Summary).contains(line));
    let mut out = Vec::new();
    json(&profile, &View::default(), &mut out).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    let limits = |jvm: usize| document["jvms"][jvm]["limits"].to_string();
    assert_eq!(limits(0), r#"{"cpus":0.5,"memoryBytes":null}"#);
    assert_eq!(limits(2), r#"{"cpus":null,"memoryBytes":67108864}"#);
}

#[test]
fn a_recursion_that_is_not_shown_to_its_end_is_said_to_go_on() {
    use jfathom_testkit::{profiles::one_thread, records::*};
    let mut records: Vec<_> = (0..9).map(|at| e(0, at)).collect();
    records.extend((9..18).map(|at| r(0, at)));
    let profile = one_thread(&records);
    let tree = |depth| {
        let view = View { depth: Some(depth), scope: raw(), fold_chains: true, ..View::default() };
        let mut out = Vec::new();
        text(&profile, &[Section::Tree], &view, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert!(tree(40).contains("×9 levels, 8 calls below the first"), "{}", tree(40));
    let cut = "×4 levels and more, 3 calls and more below the first";
    assert!(tree(4).contains(cut), "{}", tree(4));
}
