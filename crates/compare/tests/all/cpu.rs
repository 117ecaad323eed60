//! Running times: what a difference shows and what a gate says of them.

use jfathom_compare::{
    Column, ColumnDiff, Diff, Gate, Limits, Value, Verdict, diff, gate, into_series, merge,
};
use jfathom_profile::{CpuSource, Profile, TickRate, Ticks};
use jfathom_testkit::{profiles::*, records::*};

const MS: u64 = 1_000_000;

/// A run of the root `m0`, whose thread runs for so many ns, waits for a processor for 3 ms and for
/// `m1` for 10 ms. Each switch may be off by so many ns.
fn run(running: u64, switch_error_nanos: u64) -> Profile {
    let records = [e(0, MS), e(1, 2 * MS), r(1, 12 * MS), r(0, 14 * MS + running)];
    let parts = [(2 * MS, 12 * MS, OffCpuKind::Blocked), (12 * MS, 15 * MS, OffCpuKind::Preempted)];
    let mut run = one_split_thread(&records, &parts);
    run.cpu.switch_error_nanos = switch_error_nanos;
    run
}

fn series(running: &[u64], switch_error_nanos: u64) -> Profile {
    into_series(running.iter().map(|nanos| run(*nanos, switch_error_nanos)).collect()).unwrap()
}

/// Ten runs around a running time, which scatter by one per cent.
fn scattered(nanos: u64, switch_error_nanos: u64) -> Profile {
    let runs: Vec<u64> = (0..10).map(|run| nanos + nanos / 1000 * (run * 7 % 11)).collect();
    series(&runs, switch_error_nanos)
}

fn column(key: &str) -> &'static Column {
    Column::of_key(key).unwrap()
}

/// The columns of running, preempted, blocked and unknown time.
fn parts<'a>(found: &Diff, of: impl Fn(usize) -> &'a ColumnDiff) -> [&'a ColumnDiff; 4] {
    ["cpu", "preempted", "blocked", "unknown"].map(|key| of(found.place(column(key)).unwrap()))
}

/// Their values on a side, and what the running time may be off by.
fn side(parts: [&ColumnDiff; 4], of: fn(&ColumnDiff) -> Option<Value>) -> ([f64; 4], f64) {
    let values = parts.map(|part| of(part).unwrap());
    (values.map(|value| value.number), values[0].bar())
}

fn held(base: &Profile, new: &Profile) -> Gate {
    let limits = Limits { columns: vec![(column("cpu"), 0.05)], ..Limits::default() };
    gate(base, new, &diff(base, new), &limits, |_| true).unwrap()
}

fn verdict(base: &Profile, new: &Profile) -> Verdict {
    let gate = held(base, new);
    assert!(gate.refused.is_empty(), "{:?}", gate.refused);
    let [root] = &gate.columns[..] else { panic!("{:?}", gate.columns) };
    assert_eq!(gate.is_failed(), root.verdict == Verdict::Exceeded);
    assert_eq!(gate.is_in_doubt(), root.verdict == Verdict::Inconclusive);
    root.verdict
}

#[test]
fn a_series_keeps_what_its_runs_threads_did() {
    let series = series(&[10 * MS, 20 * MS], 7);
    for at in 0..2 {
        let (of_series, alone) = (series.run(at).unwrap(), run([10, 20][at] * MS, 7));
        assert_eq!(of_series.cpu, alone.cpu);
        for node in alone.tree.nodes() {
            assert_eq!(of_series.tree.off_cpu(node), alone.tree.off_cpu(node));
        }
    }
    let mut file = Vec::new();
    series.write(&mut file).unwrap();
    assert_eq!(Profile::read_whole(&mut file.as_slice()).unwrap(), series);
}

/// Runs on clocks of different rates are converted to nanoseconds, their parts as well.
#[test]
fn parts_of_a_time_are_converted_with_it() {
    let mut slow = run(10 * MS, 0);
    slow.rate = TickRate::new(500_000_000).unwrap();
    for sum in [
        into_series(vec![run(10 * MS, 0), slow.clone()]).unwrap(),
        merge(vec![run(10 * MS, 0), slow.clone()]).unwrap(),
    ] {
        sum.check().unwrap();
        let own: Vec<_> = sum.tree.nodes().map(|node| sum.tree.off_cpu(node)).collect();
        let blocked: Ticks = own.iter().map(|parts| parts.blocked).sum();
        let preempted: Ticks = own.iter().map(|parts| parts.preempted).sum();
        assert_eq!((blocked, preempted), (Ticks(30 * MS), Ticks(9 * MS)));
    }
}

#[test]
fn a_difference_has_the_parts_of_both_sides() {
    let (base, new) = (series(&[10 * MS, 12 * MS], 100), series(&[20 * MS, 22 * MS], 100));
    let found = diff(&base, &new);
    let [root, callee] = &found.methods[..] else { panic!("{:?}", found.methods) };
    let of = |method: &jfathom_compare::MethodDiff, total: usize, side_of| {
        side(parts(&found, |at| &method.columns[at][total]), side_of)
    };
    let (base_of, new_of) = (|of: &ColumnDiff| of.base, |of: &ColumnDiff| of.new);
    let ms = MS as f64;
    assert_eq!(of(root, 0, base_of), ([11.0 * ms, 3.0 * ms, 0.0, 0.0], 100.0));
    assert_eq!(of(root, 0, new_of), ([21.0 * ms, 3.0 * ms, 0.0, 0.0], 100.0));
    assert_eq!(of(callee, 0, new_of), ([0.0, 0.0, 10.0 * ms, 0.0], 100.0));
    assert_eq!(of(root, 1, new_of), ([21.0 * ms, 3.0 * ms, 10.0 * ms, 0.0], 200.0));
    let cpu = found.place(column("cpu")).unwrap();
    let runs = found.roots[0].columns[cpu].each_ref().map(|side| side.numbers.clone());
    assert_eq!(runs, [[10.0 * ms, 12.0 * ms], [20.0 * ms, 22.0 * ms]]);
    // The bar is that of the times, which scatter alike, and what the switches may be off by.
    let half_width = root.self_time.half_width.unwrap() + 200.0;
    assert!((root.columns[cpu][0].half_width.unwrap() - half_width).abs() < 1e-3);
    let context = side(parts(&found, |at| &found.contexts[0].columns[at]), new_of);
    assert_eq!(context, of(root, 0, new_of));
    let unasked = Profile { cpu: Default::default(), ..run(MS, 0) };
    let found = diff(&unasked, &new);
    let cpu = found.place(column("cpu")).unwrap();
    let of_method = found.methods[0].columns[cpu][0];
    assert!(of_method.base.is_none() && found.roots[0].columns[cpu][0].numbers.is_empty());
    assert_eq!(of_method.difference(), None);
}

#[test]
fn a_change_within_what_switches_may_be_off_by_is_no_change() {
    for (error, is_significant) in [(0, true), (400_000, true), (600_000, false)] {
        let (base, new) = (scattered(100 * MS, error), scattered(101 * MS + MS / 10, error));
        let found = diff(&base, &new);
        let cpu = found.methods[0].columns[found.place(column("cpu")).unwrap()][0];
        assert!(cpu.p_value.is_some_and(|p_value| p_value < 0.05), "{cpu:?}");
        assert_eq!(cpu.is_significant(), is_significant, "{error}");
    }
}

#[test]
fn running_times_have_a_limit() {
    let base = scattered(100 * MS, 0);
    assert_eq!(verdict(&base, &scattered(103 * MS, 0)), Verdict::Within);
    assert_eq!(verdict(&base, &scattered(110 * MS, 0)), Verdict::Exceeded);
    assert_eq!(verdict(&scattered(110 * MS, 0), &base), Verdict::Within);
}

/// Times grow, and running times do not: the thread waits for longer.
#[test]
fn waiting_is_no_running_time() {
    let waits = |nanos: u64| {
        let records = [e(0, MS), r(0, 11 * MS + nanos)];
        let parts = [(2 * MS, 2 * MS + nanos, OffCpuKind::Blocked)];
        into_series(vec![one_split_thread(&records, &parts); 10]).unwrap()
    };
    assert_eq!(verdict(&waits(MS), &waits(50 * MS)), Verdict::Within);
}

#[test]
fn a_bar_that_reaches_the_limit_leaves_it_in_doubt() {
    // Two switches in each root: 6 ms of 100 ms on both sides together.
    let error = 3 * MS / 2;
    let base = scattered(100 * MS, error);
    for (running, expected) in [
        (120, Verdict::Exceeded),
        (110, Verdict::Inconclusive),
        (100, Verdict::Inconclusive),
        (90, Verdict::Within),
    ] {
        let new = scattered(running * MS, error);
        assert_eq!(verdict(&base, &new), expected, "{running}");
        let says = |gate: &Gate| {
            gate.notes.iter().any(|note| note.contains("may be off by more than its limit"))
        };
        assert!(says(&held(&base, &new)));
    }
}

#[test]
fn scatter_leaves_a_growth_in_doubt() {
    let (base, new) = (series(&[100 * MS, 110 * MS], 0), series(&[112 * MS, 160 * MS], 0));
    assert_eq!(verdict(&base, &new), Verdict::Inconclusive);
}

#[test]
fn what_is_not_known_is_not_judged() {
    let known = scattered(100 * MS, 0);
    let why = |base: &Profile, new: &Profile| {
        let gate = held(base, new);
        assert!(gate.columns.is_empty() && !gate.is_failed(), "{gate:?}");
        gate.refused.join("; ")
    };
    for source in [CpuSource::Unasked, CpuSource::Refused, CpuSource::Partly] {
        let mut one = run(MS, 0);
        one.cpu.source = source;
        let lacks = into_series(vec![run(MS, 0), one]).unwrap();
        assert!(why(&lacks, &known).contains("the base profile has no running time"));
        assert!(why(&known, &lacks).contains("the new profile has no running time"));
    }
    let mut clocks = known.clone();
    for run in &mut clocks.runs {
        run.cpu = jfathom_profile::Cpu { source: CpuSource::ThreadClock, ..Default::default() };
    }
    assert!(why(&known, &clocks).contains("in different ways"));
    assert!(why(&known, &run(MS, 0)).contains("one run, which has no spread"));
    let records = [e(0, MS), r(0, 101 * MS)];
    let dark = one_split_thread(&records, &[(MS, 3 * MS, OffCpuKind::Unknown)]);
    let dark = into_series(vec![dark; 10]).unwrap();
    assert!(why(&known, &dark).contains("too much of a root's running time in the new profile"));
}
