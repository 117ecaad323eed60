use super::*;
use crate::number::grouped;
use jfathom_compare::{
    CallLimit, Column, ColumnVerdict, Gate, Limits, Verdict, diff, gate, into_series,
};
use jfathom_profile::{
    Cpu, CpuSource, EventKind, EventName, EventSum, Frame, MethodIx, Profile, Ticks,
};
use jfathom_testkit::{
    events::add_to_each_node, reference::Documents, small_profile as fixture, walks::walked,
};
use jfathom_views::{Comparison, Sort};

mod formats;

/// Two runs of the sample each; on the new side a method has another name, one other code, and one
/// run more calls.
fn sides() -> [Profile; 2] {
    let mut base = fixture::profile();
    for (at, name) in ["a", "b"].into_iter().enumerate() {
        base.methods[at].info.key.name = name.to_owned();
        base.methods[at].info.key.descriptor = "()V".to_owned();
    }
    let mut new = fixture::profile();
    new.methods[0].info.key.name = "c".to_owned();
    new.methods[2].info.digest = jfathom_plan::Digest(7);
    [base, new].map(|run| into_series(vec![run.clone(), run]).unwrap())
}

fn with<T>(sides: &[Profile; 2], of: impl FnOnce(&Comparison<'_>) -> T) -> T {
    let [base, new] = sides;
    let found = diff(base, new);
    of(&Comparison { base, new, called: ["base.jfp", "new.jfp"], diff: &found })
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_profile_against_itself() {
    let mut same = fixture::profile();
    // Without a manifest an id says nothing to another profile.
    same.methods[3].info = fixture::info("x/Stray", "stray", "()V");
    let text = with(&[same.clone(), same], |compared| {
        written(|out| diff_text(compared, &DiffView::default(), out))
    });
    assert!(text.contains("\nno method changed: "), "{text}");
    assert!(text.ends_with("no call path changed\n"), "{text}");
    assert!(text.contains("one run on a side"), "{text}");
}

#[test]
fn what_changed_in_text() {
    let text =
        with(&sides(), |compared| written(|out| diff_text(compared, &DiffView::default(), out)));
    for words in [
        "base   base.jfp: 2 runs, ",
        "match  1 method on both sides, 1 with changed code; 3 in the base only, 3 new",
        "ambiguous: 2 methods of the base and 1 new ones have the same code",
        "com.acme.Engine::step(long) (edited)",
        "com.acme.Engine::c (new)",
        "com.acme.Engine::b (gone)",
        "spawned from com.acme.Engine::c",
    ] {
        assert!(text.contains(words), "‘{words}’ is missing in\n{text}");
    }
    let narrow = DiffView {
        limit: 1,
        tree: false,
        sort: Sort::Calls,
        width: Some(80),
        ..DiffView::default()
    };
    let text = with(&sides(), |compared| written(|out| diff_text(compared, &narrow, out)));
    assert!(
        text.contains("by calls\n") && text.contains("more changed (--limit shows more)"),
        "{text}"
    );
    assert!(!text.contains("call paths"), "{text}");
}

fn column(key: &str) -> &'static Column {
    Column::of_key(key).unwrap()
}

/// A gate with something in every list.
fn held(compared: &Comparison<'_>) -> Gate {
    let limits = Limits {
        calls: Some(CallLimit::Number(0)),
        time: Some(0.0),
        ratios: vec!["com.acme.Engine::step/com.acme.Engine::run=1".parse().unwrap()],
        ..Limits::default()
    };
    let mut held = gate(compared.base, compared.new, compared.diff, &limits, |_| true).unwrap();
    held.varying.push(0);
    held.refused.push("time: no".to_owned());
    let verdict = Verdict::Exceeded;
    for (key, error) in [("alloc", 0.0), ("cpu", 0.01)] {
        held.columns.push(ColumnVerdict {
            column: column(key),
            root: 0,
            sides: [1_000.0, 1_500.0],
            growth: Some(0.5),
            error,
            p_value: None,
            exact: true,
            verdict,
        });
    }
    held
}

/// The new side of these calls `step(int)` more often and takes longer.
fn slower() -> [Profile; 2] {
    let base = fixture::profile();
    let mut new = base.clone();
    new.rate = jfathom_profile::TickRate::new(500_000_000).unwrap();
    new.methods[3].virtual_calls += 1;
    [base, new].map(|run| into_series(vec![run.clone(), run]).unwrap())
}

#[test]
fn a_gate_in_text() {
    let text = with(&slower(), |compared| {
        written(|out| gate_text(compared, &held(compared), Some(100), out))
    });
    for words in [
        "calls beyond the limit\n",
        "time of roots, lower halves of 2 and 2 runs\n",
        "+100.0 %",
        "EXCEEDED  com.acme.Engine::run",
        "1000004        1  1,000,004    1  EXCEEDED  com.acme.Engine::step per com.acme.Engine::run",
        "left out: 1 method whose calls differ between equal runs: com.acme.Engine::run",
        "note: 2 and 2 runs are too few",
        "cannot answer time: no",
        "allocated bytes of roots, per run\n",
        "1.0 kB  1.5 kB  +50.000 %  EXCEEDED  com.acme.Engine::run",
        "running time of roots, lower halves of 2 and 2 runs\n",
        "+50.0 %  ± 1.00 %        -  EXCEEDED  com.acme.Engine::run",
        "gate: FAILED\n",
    ] {
        assert!(text.contains(words), "‘{words}’ is missing in\n{text}");
    }
}

#[test]
fn running_times_are_columns_of_what_changed() {
    use jfathom_testkit::{profiles::*, records::*};
    let side = |running: u64| {
        let records = [e(0, 1_000), r(0, 51_000 + running)];
        let run = one_split_thread(&records, &[(1_000, 51_000, OffCpuKind::Blocked)]);
        into_series(vec![run.clone(), run]).unwrap()
    };
    let view =
        DiffView { threshold: 0.0, sort: Sort::Column(column("cpu")), ..DiffView::default() };
    let text = |sides: &[Profile; 2]| {
        with(sides, |compared| written(|out| diff_text(compared, &view, out)))
    };
    let changed = text(&[side(10_000), side(30_000)]);
    assert!(changed.contains("methods that changed, by running time"), "{changed}");
    assert!(changed.contains("Δ cpu self") && changed.contains("+20.00 µs"), "{changed}");
    assert!(changed.contains("Δ blocked") && !changed.contains("not running"), "{changed}");
    // By the threads' clocks on a side nothing is preempted or blocked.
    let clocked = |running: u64| {
        let records = [e(0, 1_000), r(0, 51_000 + running)];
        let run = one_clocked_thread(&records, &[(1_000, 51_000)]);
        into_series(vec![run.clone(), run]).unwrap()
    };
    for sides in [[clocked(10_000), clocked(30_000)], [side(10_000), clocked(30_000)]] {
        let changed = text(&sides);
        assert!(changed.contains("Δ not running") && !changed.contains("Δ blocked"), "{changed}");
        let found = with(&sides, |compared| written(|out| diff_json(compared, &view, out)));
        let found: serde_json::Value = serde_json::from_str(&found).unwrap();
        let columns = &found["methods"][0]["columns"];
        let new = |key: &str| &columns[key]["self"]["new"];
        assert!(new("preempted").is_null() && new("blocked").is_null(), "{columns}");
        assert_eq!(new("not_running")["value"], 50_000.0, "{columns}");
    }
    let unasked = Profile { cpu: Default::default(), ..side(10_000) };
    let mut unknown = unasked.clone();
    unknown.runs.iter_mut().for_each(|run| run.cpu = Cpu::default());
    assert!(!text(&[unknown, side(30_000)]).contains("cpu"));
}

/// Sides of one run whose calls wait `ticks` for a lock, make `thrown` exceptions, and catch twice
/// as many.
fn waiting(sides: [(u64, u64); 2]) -> [Profile; 2] {
    let name = |kind, class: &str| EventName { kind, class: Some(class.into()) };
    sides.map(|(ticks, thrown)| {
        let mut profile = fixture::profile();
        // Without a manifest an id says nothing to another profile.
        profile.methods[3].info = fixture::info("x/Stray", "stray", "()V");
        let wait = EventSum { count: 2, time: Ticks(ticks) };
        let made = EventSum { count: thrown, time: Ticks(0) };
        add_to_each_node(&mut profile, &name(EventKind::Monitor, "a.Lock"), wait);
        add_to_each_node(&mut profile, &name(EventKind::Exception, "a.Failure"), made);
        let caught = EventSum { count: 2 * thrown, time: Ticks(0) };
        add_to_each_node(&mut profile, &name(EventKind::Caught, "a.Failure"), caught);
        profile
    })
}

#[test]
fn waits_and_exceptions_are_compared_where_both_sides_know_them() {
    let text = |sides: &[Profile; 2]| {
        with(sides, |compared| written(|out| diff_text(compared, &DiffView::default(), out)))
    };
    let sides = waiting([(1_000_000, 3), (5_000_000, 4)]);
    let nodes = sides[0].tree.nodes().count() - sides[0].threads.len();
    let all = text(&sides);
    let thrown = format!(
        "thrown exceptions made: a.Failure {} → {}\n",
        grouped(3 * nodes as u64),
        grouped(4 * nodes as u64)
    );
    let caught = format!(
        "caught exceptions caught: a.Failure {} → {}\n",
        grouped(6 * nodes as u64),
        grouped(8 * nodes as u64)
    );
    let milliseconds =
        |ticks: usize| texts::nanos(ticks as f64 * nodes as f64 * 1e9 / sides[0].rate.hz() as f64);
    let (base, new) = (milliseconds(1_000_000), milliseconds(5_000_000));
    let why = format!("why    waits and pauses: monitor {base} → {new} ({0} → {0} times)", {
        grouped(2 * nodes as u64)
    });
    for words in [&*thrown, &*caught, &*why, "Δ why", "monitor +", "+1 thrown, +2 caught"] {
        assert!(all.contains(words), "‘{words}’ is missing in\n{all}");
    }
    let same = text(&waiting([(1_000_000, 3), (1_000_000, 3)]));
    assert!(!same.contains("Δ why") && same.contains("\nno method changed"), "{same}");
    let [base, new] = waiting([(1_000_000, 3), (5_000_000, 4)]);
    let series = |run: Profile| into_series(vec![run.clone(), run]).unwrap();
    let of_runs = text(&[series(base.clone()), series(new.clone())]);
    assert!(of_runs.contains(" per run (how much runs vary is not known)"), "{of_runs}");
    assert!(of_runs.contains(&thrown[thrown.find("a.Failure").unwrap()..]), "{of_runs}");
    let one_side = text(&[fixture::profile(), new]);
    assert!(!one_side.contains("caught"), "{one_side}");
    assert!(!one_side.contains("thrown") && !one_side.contains("Δ why"), "{one_side}");
    assert!(one_side.contains("another shortest wait that is told"), "{one_side}");
}

#[test]
fn differences_and_gates_have_their_schemas() {
    let view = DiffView { threshold: 0.0, ..DiffView::default() };
    let known = Cpu { source: CpuSource::Perf, ..Cpu::default() };
    let known = sides().map(|mut side| {
        side.runs.iter_mut().for_each(|run| run.cpu = known);
        side.cpu = known;
        let name = EventName { kind: EventKind::Monitor, class: Some("a.Lock".into()) };
        add_to_each_node(&mut side, &name, EventSum { count: 1, time: Ticks(9) });
        // The method that is on both sides is the third one.
        side.stack_walks.add(&walked(fixture::profile()).stack_walks, |frame| match frame {
            Frame::Method(MethodIx(1)) => Frame::Method(MethodIx(2)),
            frame => frame,
        });
        side
    });
    let diff = with(&known, |compared| written(|out| diff_json(compared, &view, out)));
    Documents::of::<super::json::DiffDocument<'_>>("diff").hold(diff.as_bytes());
    let gate = with(&slower(), |compared| written(|out| gate_json(compared, &held(compared), out)));
    Documents::of::<super::json::GateDocument<'_>>("gate").hold(gate.as_bytes());
}

#[test]
fn what_lies_between_is_no_method_of_a_difference() {
    use jfathom_testkit::between;
    let sides = [2, 4].map(|millis| {
        let run = between::profile(millis);
        into_series(vec![run.clone(), run]).unwrap()
    });
    let text = with(&sides, |compared| {
        let view = DiffView { threshold: 0.0, ..DiffView::default() };
        written(|out| diff_text(compared, &view, out))
    });
    assert!(text.contains("match  5 methods on both sides, 0 with changed code; 0 in"), "{text}");
    let (methods, tree) = text.split_once("call paths that changed").unwrap();
    assert!(!methods.contains('⋯'), "{text}");
    assert_eq!(tree.matches("counted and not timed").count(), 1, "{text}");
    let line = tree.lines().find(|line| line.ends_with("  ⋯")).unwrap();
    assert!(line.contains("+2.000 ms"), "{text}");
    let document =
        with(&sides, |compared| written(|out| diff_json(compared, &DiffView::default(), out)));
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let methods = document["methods"].as_array().unwrap();
    let sign = methods.last().unwrap();
    assert_eq!((methods.len(), sign["new"]["name"].as_str()), (6, Some("<between>")));
    assert!(sign["match"].is_null() && sign["calls"]["new"].is_null(), "{sign}");
    // On one side only it is neither gone nor new.
    let mut plain = fixture::profile();
    plain.quality = Default::default();
    let [base, _] = sides;
    let text = with(&[base, plain], |compared| {
        written(|out| diff_text(compared, &DiffView::default(), out))
    });
    assert!(text.contains("; 5 in the base only, ") && text.contains('⋯'), "{text}");
    assert!(!text.contains("⋯ (gone)"), "{text}");
}

#[test]
fn how_many_methods_vary_is_said_without_what_lies_between() {
    let [mut one, other] = [2, 2].map(jfathom_testkit::between::profile);
    let counted = one.methods.iter_mut().find(|method| method.info.key.name == "check").unwrap();
    counted.counted += 1;
    let series = into_series(vec![one, other]).unwrap();
    let text = with(&[series.clone(), series], |compared| {
        written(|out| diff_text(compared, &DiffView::default(), out))
    });
    assert!(text.contains("~ 1 of 5 methods have calls that vary"), "{text}");
}
