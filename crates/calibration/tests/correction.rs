//! Corrected times against trees and programs whose truth is known.

mod simulate;

use jfathom_calibration::{
    CompileQueueResidual, CorrectedTimes, Costs, InliningResidual, Residual, TimeStatus,
    TimedResidual, Times, WarmUpResidual, correct_times, correct_times_with,
    correct_times_without_samples,
};
use jfathom_compare::into_series;
use jfathom_profile::{
    Anchor, Builder, Calibration, CallKind, Frame, NodeIx, Phase, Profile, SampleCounts,
    SampleFrame, SampleTreeBuilder, Scheduling,
};
use jfathom_testkit::{Random, profiles::*, records::*, small_profile};
use jfathom_trace::record::Record;
use simulate::*;

const START: Record = Record::ThreadStart { high: 0, sequence: 1 };
const NOTHING: TimedResidual = TimedResidual {
    lost_nanos: 0.0,
    lost_error_nanos: 0.0,
    hidden_nanos: 0.0,
    hidden_error_nanos: 0.0,
    shifted_nanos: 0.0,
    scale_nanos: 4.0,
};
const NOT_EARLY: WarmUpResidual = WarmUpResidual { calls: 0.0, nanos: 0.0, error_nanos: 0.0 };
const NOT_QUEUED: CompileQueueResidual =
    CompileQueueResidual { methods: 1.0, nanos: 0.0, error_nanos: 0.0 };
const NOTHING_LOST: Residual = Residual {
    interpreted: NOT_EARLY,
    warm_up: NOT_EARLY,
    compile_queue: NOT_QUEUED,
    early_counted: NOT_EARLY,
    ordered_clock: NOTHING,
    unordered_clock: NOTHING,
    counted_nanos: 0.0,
    counted_error_nanos: 0.0,
    counted_throw_error_nanos: 0.0,
    count_record_nanos: 0.0,
    count_record_error_nanos: 0.0,
    inlining: InliningResidual { share: 0.0, error_share: 0.0, call_nanos: 0.0 },
    thrown_nanos: 0.0,
    thrown_error_nanos: 0.0,
    caught_nanos: 0.0,
    caught_error_nanos: 0.0,
    moved_error_nanos: 0.0,
    late_to_17_nanos: 0.0,
    late_after_17_nanos: 0.0,
    pace_share: 0.0,
    between_runs_share: 0.0,
    thread_start_nanos: 0.0,
};

/// What is usually assumed of one run, without warming up: small programs would show nothing else.
/// Simulated programs have no compiler that inlines.
fn warm() -> Residual {
    Residual {
        between_runs_share: 0.0,
        count_record_nanos: 0.0,
        count_record_error_nanos: 0.0,
        inlining: NOTHING_LOST.inlining,
        interpreted: NOT_EARLY,
        warm_up: NOT_EARLY,
        early_counted: NOT_EARLY,
        compile_queue: NOT_QUEUED,
        late_to_17_nanos: 0.0,
        late_after_17_nanos: 0.0,
        ..Residual::shipped()
    }
}

fn calibration(phase: Phase, kind: CallKind, inner: f64, outer: f64) -> Calibration {
    Calibration::from_batches(phase, kind, 1000, &[inner; 20], &[outer; 20], &[1.0; 20])
}

/// Inner 10, outer 20; by exception 12 and 50; count 2, note 3.
fn calibrated(mut profile: Profile) -> Profile {
    for phase in [Phase::Start, Phase::End] {
        profile.meta.jvms[0].calibrations.extend([
            calibration(phase, CallKind::Return, 10.0, 20.0),
            calibration(phase, CallKind::Throw, 12.0, 50.0),
            calibration(phase, CallKind::Count, 0.0, 2.0),
            calibration(phase, CallKind::Mixed, 10.0, 25.0),
        ]);
    }
    profile
}

#[test]
fn the_formula_on_a_tree_made_by_hand() {
    let profile = calibrated(one_thread(&[
        START,
        e(0, 0),
        e(1, 100),
        Record::Counted { id: id(3), calls: 7 },
        e(2, 150),
        r(2, 170),
        e(2, 200),
        x(2, 230),
        r(1, 400),
        r(0, 1000),
    ]));
    let found = correct_times_with(&profile, &NOTHING_LOST).unwrap();
    let times: Vec<_> =
        found.nodes().iter().map(|times| (times.self_nanos, times.total_nanos)).collect();
    let two = (20.0 + 30.0) - 10.0 - 12.0;
    let one = (50.0 + 30.0 + 170.0) - 10.0 - 20.0 - 50.0 - 7.0 * 2.0 - 3.0;
    let zero = (100.0 + 600.0) - 10.0 - 20.0;
    // The last one is of the counted calls.
    let expected = [
        (0.0, zero + one + two),
        (zero, zero + one + two),
        (one, one + two),
        (two, two),
        (0.0, 0.0),
    ];
    assert_eq!(times, expected);
    // Loops that never differ leave the clock's grain, and a quarter of what an exception costs on
    // top.
    let bar = found.node(NodeIx(2)).self_error_nanos;
    assert!((bar - 7.5).abs() < 0.2, "{bar}");
    assert!(correct_times(&one_thread(&[START, e(0, 0), r(0, 9)])).is_none(), "not calibrated");
}

#[test]
fn less_than_nothing_is_nothing_and_its_bar_says_how_far_it_was_below() {
    let profile = calibrated(one_thread(&[START, e(0, 0), e(1, 100), r(1, 105), r(0, 1000)]));
    let found = correct_times_with(&profile, &NOTHING_LOST).unwrap();
    let times = found.node(NodeIx(2));
    assert_eq!((times.self_nanos, times.self_status()), (0.0, TimeStatus::BelowResolution));
    assert!(times.self_error_nanos >= 5.0, "the error was at least as large: {times:?}");
    assert_eq!(found.node(NodeIx(1)).self_status(), TimeStatus::AboveResolution);
    let usual = correct_times(&profile).unwrap().node(NodeIx(2));
    assert_eq!((usual.self_nanos, usual.self_status()), (0.0, TimeStatus::BelowResolution));
    assert_eq!(TimeStatus::from_interval(1.0, 2.0), TimeStatus::BelowResolution);
}

/// Each time of a profile can be: nothing is below zero, each total is the sum of its parts.
fn assert_possible(profile: &Profile, found: &CorrectedTimes) {
    let tree = &profile.tree;
    for node in tree.nodes() {
        let times = found.node(node);
        let children: f64 = tree.children(node).map(|child| found.node(child).total_nanos).sum();
        assert!(times.self_nanos >= 0.0, "{times:?}");
        assert_eq!(times.total_nanos, times.self_nanos + children, "{times:?}");
        let most = (times.total_nanos + times.total_error_nanos).max(2.0 * times.self_nanos);
        let has_zero = times.self_error_nanos >= times.self_nanos;
        assert!(!has_zero || times.self_nanos + times.self_error_nanos <= most * 1.000_001);
    }
}

#[test]
fn times_of_drawn_trees_can_be() {
    let like = small_profile::calibrated();
    let mut has_given_way = 0;
    for seed in 0..300 {
        let mut profile = match seed % 2 {
            0 => small_profile::drawn(seed),
            _ => small_profile::drawn_with_samples(seed),
        };
        profile.meta.jvms = like.meta.jvms.clone();
        // Ticks of 1 to 1/512 ns: costs from little of the time to more than it.
        profile.rate = jfathom_profile::TickRate::new(1_000_000_000 << (seed % 10)).unwrap();
        let found = correct_times(&profile).unwrap();
        assert_possible(&profile, &found);
        has_given_way += usize::from(
            found
                .nodes()
                .iter()
                .any(|times| times.self_nanos == 0.0 && times.self_error_nanos > 0.0),
        );
    }
    assert!(has_given_way > 50, "{has_given_way} trees had times below zero");
}

/// `run` calls `tick` only counted, and nine of ten samples are in `tick`.
#[test]
fn samples_divide_a_time_among_counted_calls() {
    let of = |[in_run, in_tick]: [u64; 2]| {
        let mut profile = small_profile::counted_tick(100);
        profile.meta.jvms = small_profile::calibrated().meta.jvms;
        let path: Vec<SampleFrame> = profile
            .tree
            .nodes()
            .map(|node| SampleFrame::Recorded(profile.tree.frame(node)))
            .collect();
        let mut builder = SampleTreeBuilder::default();
        for (frames, running) in [(&path[..2], in_run), (&path[..3], in_tick)] {
            builder.add(frames.to_vec(), SampleCounts { running, ..SampleCounts::default() });
        }
        (profile.stack_samples.names, profile.stack_samples.tree) = builder.finish();
        let found = correct_times(&profile).unwrap();
        assert_possible(&profile, &found);
        [1, 2].map(|node| found.node(NodeIx(node)))
    };
    let [run, tick] = of([0, 0]);
    assert!(run.self_nanos > 0.0 && tick.self_nanos == 0.0);
    let [divided, sampled] = of([100, 900]);
    assert!((sampled.self_nanos / run.self_nanos - 0.9).abs() < 1e-3, "{sampled:?} of {run:?}");
    assert_eq!((divided.total_nanos, sampled.total_nanos), (run.total_nanos, sampled.self_nanos));
    let bar = |times: Times| times.self_error_nanos / run.self_nanos;
    assert!(bar(sampled) >= 0.9 * bar(run) && bar(divided) < bar(sampled));
    let [_, few] = of([1, 9]);
    assert!(few.self_error_nanos > sampled.self_error_nanos, "few samples leave more open");
    assert_eq!(of([1, 2])[1].self_nanos, 0.0, "three say nothing");
    let mut profile = small_profile::drawn_with_samples(1);
    profile.meta.jvms = small_profile::calibrated().meta.jvms;
    let without = correct_times_without_samples(&profile).unwrap();
    assert_ne!(correct_times(&profile).unwrap(), without);
    profile.stack_samples = Default::default();
    assert_eq!(correct_times(&profile).unwrap(), without);
}

/// Calls of next to nothing, whose probes cost more or less than calibrated, as the assumptions
/// say: a bar that forgets what gave way would hold fewer.
#[test]
fn bars_hold_the_truth_near_zero() {
    const ERROR_NANOS: f64 = 8.0;
    let assumed =
        TimedResidual { lost_error_nanos: ERROR_NANOS, hidden_error_nanos: ERROR_NANOS, ..NOTHING };
    let assumed = Residual { ordered_clock: assumed, ..NOTHING_LOST };
    let mut random = Random(7);
    let (mut inside, mut all, mut below) = (0, 0, 0);
    for seed in 0..400 {
        // The sum of twelve uniform numbers has a variance of 1, and is nearly normal.
        let normal = (0..12).map(|_| random.below(1_000) as f64 / 1e3).sum::<f64>() - 6.0;
        let mut sim = Simulation::new(NANO_TIME, seed);
        (0..4).for_each(|method| sim.residual(method, normal * ERROR_NANOS / 1.96));
        sim.timed(0, |sim| {
            for _ in 0..1_000 {
                sim.timed(1, |sim| {
                    sim.timed(2, |sim| sim.work(1.0));
                    sim.timed(3, |sim| sim.work(3.0));
                });
            }
        });
        let profile = sim.profile(0.0);
        let found = correct_times_with(&profile, &assumed).unwrap();
        assert_possible(&profile, &found);
        for (node, truth) in [(NodeIx(2), 0.0), (NodeIx(3), 1_000.0), (NodeIx(4), 3_000.0)] {
            let times = found.node(node);
            all += 1;
            below += u32::from(times.self_nanos == 0.0);
            inside += u32::from((times.self_nanos - truth).abs() <= times.self_error_nanos);
        }
    }
    assert!(below * 4 > all, "{below} of {all} gave way");
    assert!(inside * 100 >= all * 95, "{inside} of {all}");
}

#[test]
fn one_run_holds_what_runs_are_assumed_to_differ_by_and_a_series_what_they_did() {
    let one = |end: u64| calibrated(one_thread(&[START, e(0, 0), r(0, end)]));
    let assumed = Residual { between_runs_share: 0.1, ..NOTHING_LOST };
    let root = |profile: &Profile, residual| {
        correct_times_with(profile, residual).unwrap().node(NodeIx(1))
    };
    let single = root(&one(10_010), &assumed);
    assert_eq!((single.total_nanos, single.total_between_runs_nanos), (10_000.0, 1_000.0));
    assert!(single.total_probes_error_nanos() < 100.0, "{single:?}");
    assert_eq!(root(&one(10_010), &NOTHING_LOST).total_between_runs_nanos, 0.0);
    let equal = into_series(vec![one(10_010), one(10_010), one(10_010)]).unwrap();
    let of_equal = root(&equal, &assumed).total_between_runs_nanos;
    let other = into_series(vec![one(10_010), one(12_010), one(14_010)]).unwrap();
    let between = root(&other, &assumed).total_between_runs_nanos;
    // t(4) = 2.776; three runs of which two degrees of freedom are seen, and two assumed.
    let bar = |seen: f64, assumed: f64| {
        2.7764 * (0.5 * (seen.powi(2) + assumed.powi(2))).sqrt() * 3.0_f64.sqrt()
    };
    assert!((of_equal - bar(0.0, 500.0)).abs() < 1.0, "{of_equal}");
    assert!((between - bar(2_000.0, 600.0)).abs() < 1.0, "{between}");
}

#[test]
fn the_bar_of_a_total_is_at_most_the_sum_of_its_parts_bars() {
    let mut sim = Simulation::new(NANO_TIME, 5);
    layer(&mut sim, 60);
    let profile = sim.profile(0.0);
    let found = correct_times(&profile).unwrap();
    for node in profile.tree.nodes() {
        let times = found.node(node);
        let children = profile.tree.children(node).map(|child| found.node(child));
        let parts =
            children.fold(times.self_error_nanos, |sum, child| sum + child.total_error_nanos);
        assert!(times.total_error_nanos <= parts * (1.0 + 1e-9), "{times:?} of {parts}");
        for (nanos, bar) in [
            (times.self_nanos, times.self_error_nanos),
            (times.total_nanos, times.total_error_nanos),
        ] {
            assert!(nanos >= -bar, "no bar excludes zero from below: {times:?}");
        }
    }
}

#[test]
fn a_thread_that_mostly_sleeps_has_a_bar_of_what_it_waited_for_a_processor() {
    let mut profile =
        calibrated(one_thread(&[START, e(0, 0), e(1, 1_000), r(1, 601_000), r(0, 1_000_000)]));
    let bars = |profile: &Profile| {
        let found = correct_times_with(profile, &NOTHING_LOST).unwrap();
        let times = found.nodes().to_vec();
        [times[1].total_error_nanos, times[1].self_error_nanos, times[2].self_error_nanos]
    };
    let quiet = bars(&profile);
    let mut observed = |ran_nanos, queued_nanos| {
        profile.threads[0].scheduling = Some(Scheduling {
            observed_nanos: 1_000_000,
            ran_nanos,
            queued_nanos,
            involuntary_switches: 0,
        });
        let seen = bars(&profile);
        [0, 1, 2].map(|at| seen[at] - quiet[at])
    };
    // It slept: half of 20 µs was delay, and nobody knows where, nor what a run without probes has.
    for of_delay in observed(10_000, 10_000) {
        assert!((0.8..=1.0).contains(&(of_delay / 5_000.0)), "{of_delay}");
    }
    // It ran: half of each time was delay.
    let [total, own, callee] = observed(500_000, 500_000);
    assert!((total - 250_000.0).abs() < 1_000.0, "{total}");
    assert!((own - 100_000.0).abs() < 1_000.0 && (callee - 150_000.0).abs() < 1_000.0);
}

#[test]
fn calibrations_that_differ_widen_the_bar_for_all_calls_alike() {
    let records = |calls: u64| {
        let call = |at: u64| [e(1, 100 * at + 100), r(1, 100 * at + 150)];
        let end = r(0, 100 * calls + 200);
        [START, e(0, 0)]
            .into_iter()
            .chain((0..calls).flat_map(call))
            .chain([end])
            .collect::<Vec<_>>()
    };
    let bars = [100, 400].map(|calls| {
        let mut profile = one_thread(&records(calls));
        profile.meta.jvms[0].calibrations = vec![
            calibration(Phase::Start, CallKind::Return, 10.0, 20.0),
            calibration(Phase::End, CallKind::Return, 14.0, 20.0),
        ];
        let costs = Costs::from_calibrations(&profile.meta.jvms[0].calibrations).unwrap();
        assert_eq!((costs.inner.nanos, costs.inner.error_nanos), (12.0, 2.0));
        let found = correct_times_with(&profile, &NOTHING_LOST).unwrap();
        found.node(NodeIx(2)).self_error_nanos
    });
    assert!((bars[0] - 200.0).abs() < 1.0 && (bars[1] - 800.0).abs() < 1.0, "{bars:?}");
}

#[test]
fn a_batch_in_which_the_machine_did_something_else_widens_nothing() {
    let mut inner: Vec<f64> = (0..19).map(|at| 20.0 + f64::from(at % 5) * 0.1).collect();
    inner.push(900.0);
    let calibration =
        |phase| Calibration::from_batches(phase, CallKind::Return, 1000, &inner, &inner, &[1.0]);
    let costs =
        Costs::from_calibrations(&[calibration(Phase::Start), calibration(Phase::End)]).unwrap();
    assert!(
        (costs.inner.nanos - 20.2).abs() < 0.11 && costs.inner.error_nanos < 0.1,
        "{:?}",
        costs.inner
    );
}

type Program = fn(&mut Simulation, u32);

/// The layered mix: long leaves and short ones, about 38 ns a call.
fn layer(sim: &mut Simulation, items: u32) {
    const STEP: f64 = 1.2;
    let burn = |steps: u32| move |sim: &mut Simulation| sim.work(f64::from(steps) * STEP);
    let leaf2 = |sim: &mut Simulation| {
        sim.work(32.0 * STEP);
        (0..2).for_each(|_| sim.timed(1, burn(16)));
    };
    sim.timed(0, |sim| {
        for item in 0..items {
            sim.timed(9, |sim| {
                sim.work(20.0 * STEP);
                sim.timed(6, |sim| {
                    sim.work(100.0 * STEP);
                    sim.timed(2, burn(64));
                    (0..2).for_each(|_| sim.timed(5, leaf2));
                });
                sim.timed(7, |sim| {
                    sim.work(50.0 * STEP);
                    sim.timed(3, |sim| {
                        sim.work(400.0 * STEP);
                        sim.timed(1, burn(16));
                    });
                    (0..2).for_each(|_| sim.timed(2, burn(64)));
                });
                sim.timed(8, |sim| {
                    sim.work(24.0 * STEP);
                    (0..8).for_each(|_| sim.timed(1, burn(16)));
                    if item % 16 == 0 {
                        sim.timed(4, burn(4000));
                    }
                });
            });
        }
    });
}

/// Short methods, of which the shortest are counted: about 4 ns a call.
fn strings(sim: &mut Simulation, lines: u32) {
    sim.timed(0, |sim| {
        for _ in 0..lines {
            sim.timed(1, |sim| {
                for _ in 0..6 {
                    sim.timed(2, |sim| {
                        sim.work(20.0);
                        (0..12).for_each(|_| sim.counted(5, 2.0));
                    });
                    sim.timed(3, |sim| {
                        sim.work(30.0);
                        (0..12).for_each(|_| sim.counted(6, 3.0));
                    });
                    (0..12).for_each(|_| sim.counted(7, 2.5));
                }
            });
        }
    });
}

/// Calls three deep, one in sixteen of which ends by an exception.
fn exceptions(sim: &mut Simulation, calls: u32) {
    sim.timed(0, |sim| {
        for call in 0..calls {
            sim.timed(1, |sim| {
                sim.work(4.0);
                sim.call(2, |sim| {
                    sim.work(4.0);
                    sim.call(3, |sim| sim.work(24.0));
                    if call % 16 == 0 { sim.throws() } else { sim.returns() }
                });
                if call % 16 == 0 { sim.pass_on() } else { sim.returns() }
            });
        }
    });
}

fn close_to(found: f64, truth: f64, part: f64) -> bool {
    (found - truth).abs() <= truth.abs() * part
}

#[test]
fn programs_on_known_probes_come_out_at_their_truth() {
    let programs: [(Program, u32); 3] = [(layer, 300), (strings, 300), (exceptions, 3000)];
    for (program, size) in programs {
        let mut sim = Simulation::new(NANO_TIME, 77);
        program(&mut sim, size);
        let profile = sim.profile(0.0);
        let found = correct_times_with(&profile, &NOTHING_LOST).unwrap();
        let whole = found.node(NodeIx(0)).total_nanos;
        assert!(close_to(whole, sim.whole_truth(), 0.01), "{whole} for {}", sim.whole_truth());
        for (node, path) in paths(&profile) {
            if profile.tree.timed(node) == 0 {
                continue;
            }
            let (own, truth) = (found.node(node).self_nanos, sim.truth[&path]);
            // Half a nanosecond a call: the clock counts whole ones, and one side of a call is
            // always rounded down.
            let slack = profile.tree.calls(node) as f64 + sim.whole_truth() * 0.01;
            assert!((own - truth).abs() < slack, "{path:?}: {own} for {truth}");
        }
    }
}

#[test]
fn own_times_and_totals_add_up_exactly() {
    let mut sim = Simulation::new(NANO_TIME, 5);
    layer(&mut sim, 50);
    let profile = sim.profile(0.7);
    let found = correct_times(&profile).unwrap();
    for node in profile.tree.nodes() {
        let below: f64 =
            profile.tree.children(node).map(|child| found.node(child).total_nanos).sum();
        assert_eq!(found.node(node).total_nanos, found.node(node).self_nanos + below);
    }
    let whole: f64 = found.nodes().iter().map(|times| times.self_nanos).sum();
    assert_eq!(whole, found.node(NodeIx(0)).total_nanos);
}

/// In how many of 100 programs the truth of the root is in its interval, and the median half width
/// as a part of the truth. Without anything assumed about lost optimisation it must be in few.
fn coverage(program: Program, size: u32, residual: impl Fn(&mut Random, u32) -> f64) -> (u32, f64) {
    let (mut inside, mut inside_without) = (0, 0);
    let mut widths = Vec::new();
    for seed in 1..=100 {
        let mut random = Random(seed * 0x9e37_79b9);
        let mut sim = Simulation::new(NANO_TIME, seed);
        for method in 0..10 {
            let nanos = residual(&mut random, method);
            sim.residual(method, nanos);
        }
        sim.thrown_residual(random.below(30_000) as f64 / 1000.0);
        sim.counted_residual(random.below(1000) as f64 / 1000.0);
        program(&mut sim, size);
        let truth = sim.whole_truth();
        let profile = sim.profile(0.5);
        let found = correct_times_with(&profile, &warm()).unwrap().node(NodeIx(0));
        let without = correct_times_with(&profile, &NOTHING_LOST).unwrap().node(NodeIx(0));
        inside_without +=
            u32::from((without.total_nanos - truth).abs() <= without.total_error_nanos);
        inside += u32::from((found.total_nanos - truth).abs() <= found.total_error_nanos);
        widths.push(found.total_error_nanos / truth);
    }
    assert!(inside_without < 50, "{inside_without}");
    widths.sort_by(f64::total_cmp);
    (inside, widths[50])
}

#[test]
fn the_truth_lies_in_intervals_that_are_not_wide() {
    let long = |random: &mut Random, _: u32| -11.0 + random.below(14_000) as f64 / 1000.0;
    let (inside, width) = coverage(layer, 60, long);
    assert!(inside >= 93 && width <= 0.13, "layer: {inside}, {width}");
    let short = |random: &mut Random| -1.0 + random.below(5000) as f64 / 1000.0;
    let hidden = |random: &mut Random| -10.0 + random.below(12_000) as f64 / 1000.0;
    let by_method = |random: &mut Random, method| match method {
        2 | 3 => hidden(random),
        _ => short(random),
    };
    let (inside, width) = coverage(strings, 40, by_method);
    assert!(inside >= 93 && width <= 0.60, "strings: {inside}, {width}");
    let by_method = |random: &mut Random, method| match method {
        3 => hidden(random),
        _ => short(random),
    };
    let (inside, width) = coverage(exceptions, 600, by_method);
    assert!(inside >= 93 && width <= 1.20, "exceptions: {inside}, {width}");
}

#[test]
fn first_calls_cost_more() {
    let mut sim = Simulation::new(NANO_TIME, 4);
    sim.warms_up();
    sim.timed(0, |sim| {
        for _ in 0..4_000 {
            sim.timed(1, |sim| sim.work(300.0));
            sim.timed(2, |sim| sim.work(500.0));
        }
    });
    let (profile, truth) = (sim.profile(0.0), sim.whole_truth());
    let found = correct_times(&profile).unwrap().node(NodeIx(0));
    assert!(
        (found.total_nanos - truth).abs() <= found.total_error_nanos
            && found.total_error_nanos < truth * 0.5,
        "{found:?}, {truth}"
    );
    let without = correct_times_with(&profile, &warm()).unwrap().node(NodeIx(0));
    assert!(without.total_nanos - without.total_error_nanos > truth, "{without:?}, {truth}");
}

#[test]
fn the_beginning_of_a_method_is_found_in_its_caller() {
    let mut sim = Simulation::new(NANO_TIME, 4);
    sim.timed(0, |sim| {
        for _ in 0..1_000 {
            sim.work(50.0);
            sim.timed(1, |sim| sim.work(300.0));
        }
    });
    let profile = sim.profile(0.0);
    let with = |shifted| {
        let fenced = TimedResidual { shifted_nanos: shifted, ..NOTHING };
        correct_times_with(&profile, &Residual { ordered_clock: fenced, ..NOTHING_LOST }).unwrap()
    };
    let (plain, shifted) = (with(0.0), with(4.0));
    let [root, leaf] = [NodeIx(1), NodeIx(2)];
    let gained = (shifted.node(leaf).self_nanos - plain.node(leaf).self_nanos) / 1_000.0;
    // Less in long methods, of which less is at the beginning.
    assert!((2.0..3.0).contains(&gained), "{gained}");
    let lost = (plain.node(root).self_nanos - shifted.node(root).self_nanos) / 1_000.0;
    assert!((lost - gained).abs() < 0.1, "{lost}, {gained}");
}

#[test]
fn an_anchor_fixes_the_root() {
    let mut sim = Simulation::new(NANO_TIME, 3);
    (0..10).for_each(|method| sim.residual(method, 9.0));
    layer(&mut sim, 100);
    let truth = sim.whole_truth();
    let mut profile = sim.profile(0.0);
    let before = correct_times_with(&profile, &NOTHING_LOST).unwrap().node(NodeIx(0)).total_nanos;
    let calls: u64 = profile.methods.iter().map(|method| method.entries).sum();
    profile.anchor = Some(Anchor {
        roots_only_runs: 5,
        roots_only_nanos: truth,
        roots_only_deviation: truth * 0.01,
        full_runs: 5,
        residual_nanos: (before - truth) / calls as f64,
        correction_share: 1.0 - truth / before,
    });
    let found = correct_times(&profile).unwrap();
    let root = found.node(NodeIx(1));
    assert!(close_to(root.total_nanos, truth, 0.002), "{} for {truth}", root.total_nanos);
    assert!(
        root.total_error_nanos < truth * 0.05 && root.total_error_nanos > truth * 0.005,
        "{}",
        root.total_error_nanos / truth
    );
    // One run shows nothing of what runs differ by.
    let lone = Anchor { roots_only_runs: 1, roots_only_deviation: 0.0, ..profile.anchor.unwrap() };
    let lone =
        correct_times(&Profile { anchor: Some(lone), ..profile.clone() }).unwrap().node(NodeIx(1));
    assert!(
        lone.total_error_nanos >= truth * 0.2 && lone.total_nanos == root.total_nanos,
        "{lone:?}"
    );
    let below = profile.tree.children(NodeIx(1)).next().unwrap();
    let below = profile.tree.children(below).next().unwrap();
    let (parse, whole) = (found.node(below), found.node(NodeIx(1)));
    assert!(
        parse.total_error_nanos / parse.total_nanos > whole.total_error_nanos / whole.total_nanos,
        "how it is shared out is open"
    );
}

#[test]
fn an_anchor_takes_the_doubt_of_calibration_and_of_runs_from_the_root() {
    // Two runs, one of them on a slower machine, with calibrations that say little.
    let run = |residual: f64| {
        let mut sim = Simulation::new(NANO_TIME, 3);
        (0..10).for_each(|method| sim.residual(method, residual));
        layer(&mut sim, 100);
        let truth = sim.whole_truth();
        let mut profile = sim.profile(0.0);
        for calibration in &mut profile.meta.jvms[0].calibrations {
            for batches in [&mut calibration.inner, &mut calibration.outer] {
                (batches.deviation, batches.min) = (40.0, batches.median - 80.0);
            }
        }
        (profile, truth)
    };
    let ((one, truth), (other, _)) = (run(0.0), run(20.0));
    let mut profile = into_series(vec![one, other]).unwrap();
    let root = |profile: &Profile| correct_times(profile).unwrap().node(NodeIx(1));
    let loose = root(&profile);
    profile.anchor = Some(Anchor {
        roots_only_runs: 5,
        roots_only_nanos: truth,
        roots_only_deviation: truth * 0.01,
        full_runs: 2,
        residual_nanos: 0.0,
        correction_share: 0.0,
    });
    let anchored = root(&profile);
    assert!(loose.total_error_nanos > loose.total_nanos * 0.3, "{loose:?}");
    assert!(anchored.total_error_nanos < anchored.total_nanos * 0.05, "{anchored:?}");
    assert!(
        anchored.total_error_nanos > 2.0 * truth * 0.01,
        "what the uninstrumented runs scatter by stays: {anchored:?}"
    );
    let below = correct_times(&profile).unwrap();
    let below = profile.tree.children(NodeIx(1)).map(|child| below.node(child)).next().unwrap();
    assert!(below.self_error_nanos > 0.0 && below.total_error_nanos > 0.0, "{below:?}");
}

/// Thread 1 waits 1,000 ns for thread 2, which spends 30 of each 100 ns in its probes.
fn waiting(waits: bool) -> Profile {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    let worker = builder.thread(&info(2, "worker"));
    // The wait stands in m1: 100 µs.
    feed(&mut builder, main, &[START, e(0, 0), e(1, 100), r(1, 100_130), r(0, 100_230)]);
    let call = |at: u64| [e(3, 100 * at + 45), r(3, 100 * at + 55)];
    let start = Record::ThreadStart { high: 0, sequence: 2 };
    let end = r(2, 100_000);
    let records: Vec<Record> =
        [start, e(2, 0)].into_iter().chain((0..1_000).flat_map(call)).chain([end]).collect();
    feed(&mut builder, worker, &records);
    let mut profile = calibrated(profile(&builder));
    profile.methods.iter_mut().find(|method| method.id == id(1)).unwrap().info.waits = waits;
    profile
}

#[test]
fn who_waits_for_a_thread_waits_for_its_probes() {
    let found = |profile: &Profile| {
        let found = correct_times_with(profile, &NOTHING_LOST).unwrap();
        let of = |method: u32| {
            let node = profile.tree.nodes().find(|node| match profile.tree.frame(*node) {
                Frame::Method(it) => profile.method(it).id == id(method),
                _ => false,
            });
            found.node(node.unwrap())
        };
        [of(0), of(1), of(2)]
    };
    let [root, wait, worker] = found(&waiting(false));
    assert_eq!(
        (wait.self_nanos, worker.total_nanos),
        (100_020.0, 100_000.0 - 10.0 - 1_000.0 * 30.0)
    );
    let [root_now, wait_now, worker_now] = found(&waiting(true));
    // The worker's probes cost no more in all.
    let probes = 30_010.0;
    assert!((wait.self_nanos - wait_now.self_nanos - probes).abs() < 0.1, "{wait_now:?}");
    assert!((wait_now.self_error_nanos - probes).abs() < 10.0, "{wait_now:?}");
    assert_eq!(root_now.total_nanos - root.total_nanos, wait_now.self_nanos - wait.self_nanos);
    assert!(root_now.total_error_nanos >= wait_now.self_error_nanos * 0.999, "{root_now:?}");
    assert_eq!(worker_now, worker, "the worker waits for nobody");
}

/// An anchor speaks of the threads with roots: what it corrects there is taken from no other.
#[test]
fn an_anchor_leaves_threads_without_roots_alone() {
    let mut profile = waiting(false);
    profile.methods.iter_mut().for_each(|method| method.info.root = method.id == id(0));
    let of = |profile: &Profile| {
        let found = correct_times_with(profile, &warm()).unwrap();
        let roots: Vec<_> = profile.tree.roots().map(|root| found.node(root)).collect();
        [roots[0], roots[1]]
    };
    let before = of(&profile);
    let anchor = Anchor {
        roots_only_runs: 5,
        roots_only_nanos: 70_000.0,
        roots_only_deviation: 10.0,
        full_runs: 1,
        residual_nanos: 15_000.0,
        correction_share: 0.3,
    };
    profile.anchor = Some(anchor);
    let after = of(&profile);
    assert_eq!(after[1], before[1]);
    assert!(
        (before[0].total_nanos - after[0].total_nanos - 30_000.0).abs() < 100.0,
        "{before:?} {after:?}"
    );
}
