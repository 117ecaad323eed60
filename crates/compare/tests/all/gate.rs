//! The gate: what it lets pass, what it does not, and how often it errs on simulated runs.

use jfathom_compare::{
    CallLimit, Column, ColumnDiff, Diff, Gate, GateError, Limits, RatioLimit, SelectedMethods,
    UnmatchedSelector, Verdict, condition_differences, diff, gate, into_series, merge,
};
use jfathom_plan::Digest;
use jfathom_profile::{
    AllocationSource, Anchor, Frame, MethodInfo, MethodIx, MethodNames, NodeIx, Profile,
    Scheduling, TickRate, Ticks, UnsampledCalls,
};
use jfathom_testkit::{Random, profiles::*, records::*};
use jfathom_trace::record::Record;
use std::num::NonZeroU64;

/// A run of the root `m0`, which takes this time and calls `m1` so often.
fn run(nanos: u64, calls: u64) -> Profile {
    let mut records = vec![e(0, 0)];
    for call in 0..calls {
        records.extend([e(1, call), r(1, call)]);
    }
    records.push(r(0, nanos));
    one_thread(&records)
}

fn runs(each: &[(u64, u64)]) -> Profile {
    into_series(each.iter().map(|(nanos, calls)| run(*nanos, *calls)).collect()).unwrap()
}

fn held(base: &Profile, new: &Profile, limits: &Limits) -> Gate {
    gate(base, new, &diff(base, new), limits, |_| true).unwrap()
}

const fn limits(calls: Option<CallLimit>, time: Option<f64>) -> Limits {
    Limits { calls, time, columns: Vec::new(), ratios: Vec::new(), strict: false }
}

const NONE: Limits = limits(None, None);
const CALLS: Limits = limits(Some(CallLimit::Share(0.0)), None);
const TIME: Limits = limits(None, Some(0.05));

#[test]
fn one_more_call_breaks_the_gate() {
    let base = runs(&[(100, 5); 10]);
    let same = held(&base, &runs(&[(107, 5); 10]), &CALLS);
    assert!(!same.is_failed() && same.calls_within == 2 && same.notes.is_empty(), "{same:?}");
    let more = held(&base, &runs(&[(100, 6); 10]), &CALLS);
    assert!(more.is_failed());
    assert_eq!((more.calls_exceeded[0].base, more.calls_exceeded[0].new), (5, 6));
    assert!(!held(&base, &runs(&[(100, 4); 10]), &CALLS).is_failed(), "fewer calls are fine");
    let ten_more = Limits { calls: Some(CallLimit::Number(1)), ..NONE };
    assert!(!held(&base, &runs(&[(100, 6); 10]), &ten_more).is_failed());
    // One run on each side is enough for counts, with a word on what is not known.
    let single = held(&run(100, 5), &run(100, 6), &CALLS);
    assert!(single.is_failed() && single.notes.len() == 2, "{single:?}");
}

#[test]
fn a_gate_says_what_differs_around_the_sides() {
    let (base, mut new) = (runs(&[(100, 5); 2]), runs(&[(100, 5); 2]));
    assert_eq!(condition_differences(&base, &new), [""; 0]);
    new.meta.jvms.iter_mut().for_each(|jvm| jvm.roots_only = true);
    let found = held(&base, &new, &CALLS);
    assert_eq!(
        found.notes,
        [
            "another choice of what is timed: ‘all methods’ in the base, ‘roots only’ on the new side",
        ]
    );
    new.meta.jvms[1].roots_only = false;
    assert!(held(&base, &new, &CALLS).notes[0].contains("‘roots only in part’"));
}

/// Where a session's own recording of JFR lies is another directory each time.
#[test]
fn the_directory_of_jfr_is_no_other_condition() {
    let of = |flag: &str| {
        let mut profile = jfathom_testkit::small_profile::profile();
        profile.meta.jvms[0].flags = vec![flag.to_owned(), "-Xmx1g".to_owned()];
        profile
    };
    let own = |dir| of(&format!("-XX:StartFlightRecording=name=jfathom,filename=/dev/shm/{dir}"));
    assert_eq!(condition_differences(&own("a"), &own("b")), [""; 0]);
    let chunks = |of: &str| format!("-XX:FlightRecorderOptions=stackdepth=2048{of}");
    let [without, with] = ["", ",repository=/tmp/a/jfr-chunks"].map(|end| of(&chunks(end)));
    assert_eq!(condition_differences(&without, &with), [""; 0]);
    let users = |dir| of(&format!("-XX:StartFlightRecording=filename={dir}"));
    for (base, new) in [(users("a"), users("b")), (own("a"), of("-Xint"))] {
        let [found] = &condition_differences(&base, &new)[..] else { panic!("one") };
        assert!(found.starts_with("another set of JVM flags: "), "{found}");
    }
}

/// A method that had no probes on one side has no calls there, and no limit can be held against
/// that.
#[test]
fn calls_that_could_not_be_recorded_are_not_within_a_limit() {
    let (full, mut other) = (runs(&[(100, 5); 2]), runs(&[(100, 5); 2]));
    let of_roots =
        |profile: &mut Profile| profile.meta.jvms.iter_mut().for_each(|jvm| jvm.roots_only = true);
    of_roots(&mut other);
    for (base, new) in [(&full, &other), (&other, &full)] {
        let found = held(base, new, &CALLS);
        assert!(
            found.refused[0].starts_with("calls: ") && found.refused[0].contains("roots only"),
            "{found:?}"
        );
        assert_eq!(found.calls_within, 0);
    }
    let found = held(&other, &other, &CALLS);
    assert!(found.refused.is_empty() && found.notes[0].contains("--probe '**=off'"), "{found:?}");
    let mut rooted = full.clone();
    rooted.meta.jvms.iter_mut().for_each(|jvm| jvm.has_roots = true);
    let found = held(&full, &rooted, &CALLS);
    assert!(
        found.refused[0].contains("everything") && found.refused[0].contains("inside roots"),
        "{found:?}"
    );
    assert!(held(&rooted, &rooted, &CALLS).refused.is_empty());
}

#[test]
fn counts_that_vary_between_equal_runs_are_left_out_and_named() {
    let base = runs(&[(100, 5), (100, 5), (100, 6)]);
    let new = runs(&[(100, 9), (100, 9), (100, 9)]);
    for (base, new) in [(&base, &new), (&new, &base), (&base, &run(100, 50))] {
        let found = held(base, new, &CALLS);
        assert!(!found.is_failed(), "{found:?}");
        assert_eq!((found.varying.len(), found.calls_within), (1, 1));
        assert!(found.refused.is_empty(), "{found:?}");
        // With nothing else to compare there is no answer.
        let only = diff(base, new);
        let only = gate(base, new, &only, &CALLS, |method| method.base == Some(MethodIx(1)));
        let only = only.unwrap();
        assert!(only.refused[0].contains("nothing to compare"), "{only:?}");
    }
}

#[test]
fn roots_that_are_all_negligible_are_no_answer() {
    // Next to no time is in the root `m0`, the rest in the root `m1`.
    let side = || {
        let mut run = one_thread(&[e(0, 0), r(0, 1), e(1, 2), r(1, 100_000)]);
        run.methods[1].info.root = true;
        into_series(vec![run; 10]).unwrap()
    };
    let (base, new) = (side(), side());
    let held = |at: u32| {
        let found = diff(&base, &new);
        gate(&base, &new, &found, &TIME, |method| method.base == Some(MethodIx(at))).unwrap()
    };
    assert_eq!(held(0).roots[0].verdict, Verdict::Negligible);
    assert!(held(0).refused[0].contains("nothing to compare"), "{:?}", held(0));
    assert!(held(1).refused.is_empty(), "{:?}", held(1));
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let (one, ten) = (run(100, 5), runs(&[(100, 5); 10]));
    let both = Limits { calls: Some(CallLimit::Share(0.0)), ..TIME };
    let found = held(&ten, &one, &both);
    assert!(found.refused[0].starts_with("time: the new profile has one run"), "{found:?}");
    assert_eq!((found.calls_within, found.roots.len()), (2, 0), "calls are answered all the same");
    let found = held(&lossy(&ten), &ten, &both);
    assert!(found.refused[0].contains("3 records were lost in the base profile"), "{found:?}");
    assert_eq!((found.calls_within, found.roots.len()), (0, 1), "times are answered all the same");

    let mut other = MethodNames::default();
    for value in 0..10 {
        let mut info: MethodInfo = method(value);
        info.key.class = format!("q/Other{value}");
        info.digest.0 += 100;
        other.insert(id(value), info);
    }
    let mut stranger = ten.clone();
    for method in &mut stranger.methods {
        method.info = other.get(method.id).unwrap().clone();
    }
    let error = gate(&ten, &stranger, &diff(&ten, &stranger), &both, |_| true).unwrap_err();
    assert_eq!(error, GateError::UnrelatedPrograms { common: 0, of: 2 });
    assert!(error.to_string().contains("only 0 of 2 methods"), "{error}");
    let nothing = gate(&ten, &ten, &diff(&ten, &ten), &both, |_| false).unwrap_err();
    assert_eq!(nothing, GateError::NothingSelected);
}

#[test]
fn another_jvm_is_noted_with_times() {
    let base = runs(&[(100, 5); 2]);
    let mut new = base.clone();
    new.meta.jvms.iter_mut().for_each(|jvm| jvm.java_version = "25".to_owned());
    new.anchor = Some(Anchor {
        roots_only_runs: 2,
        roots_only_nanos: 90.0,
        roots_only_deviation: 1.0,
        full_runs: 2,
        residual_nanos: 0.5,
        correction_share: 0.1,
    });
    let found = held(&base, &new, &TIME);
    let anchor =
        "another time in the roots: ‘computed’ in the base, ‘measured (--anchor)’ on the new side";
    assert!(found.notes.iter().any(|note| note == anchor), "{found:?}");
    assert!(found.notes.iter().any(|note| note.contains("another JVM: ‘a VM 17’")), "{found:?}");
    assert!(found.notes.iter().any(|note| note.contains("2 and 2 runs are too few")), "{found:?}");
}

/// `m1` per `m0`, of which each run has one call.
fn ratio(base: &Profile, new: &Profile, max: f64) -> Gate {
    let limit = format!("p.C::m1/p.C::m0={max}").parse().unwrap();
    held(base, new, &Limits { ratios: vec![limit], ..NONE })
}

#[test]
fn a_ratio_is_of_the_candidate_alone_and_holds_in_each_run() {
    let base = runs(&[(100, 1); 3]);
    for (new, max, verdict) in [
        (runs(&[(100, 5), (100, 5)]), 5.0, Verdict::Within),
        (runs(&[(100, 5), (100, 5)]), 4.5, Verdict::Exceeded),
        (runs(&[(100, 5), (100, 4)]), 4.5, Verdict::Inconclusive),
        (run(100, 5), 4.5, Verdict::Exceeded),
    ] {
        let found = ratio(&base, &new, max);
        let [held] = &found.ratios[..] else { panic!("{found:?}") };
        assert_eq!((held.of, held.per, held.verdict), (5, 1, verdict));
        assert_eq!(found.is_failed(), verdict == Verdict::Exceeded);
    }
    // A method that the candidate does not call is known from the baseline.
    let none = ratio(&base, &run(100, 0), 0.0);
    assert_eq!((none.ratios[0].of, none.ratios[0].verdict), (0, Verdict::Within));
    for (base, new, why) in [
        (run(100, 0), run(100, 0), "ratio p.C::m1 per p.C::m0: p.C::m1 matches no method"),
        (base.clone(), lossy(&base), "ratios: 3 records were lost in the new profile"),
    ] {
        let found = ratio(&base, &new, 1.0);
        assert!(found.refused[0].starts_with(why) && found.ratios.is_empty(), "{found:?}");
    }
    let uncalled = "p.C::m0/p.C::m1=1".parse().unwrap();
    let found = held(&base, &run(100, 0), &Limits { ratios: vec![uncalled], ..NONE });
    assert_eq!(found.refused, ["ratio p.C::m0 per p.C::m1: p.C::m1 was not called"]);
}

fn lossy(profile: &Profile) -> Profile {
    let mut lossy = profile.clone();
    lossy.quality.lost_records = 3;
    lossy
}

#[test]
fn a_strict_gate_fails_in_doubt() {
    let (base, new) = (runs(&[(100, 5), (110, 5)]), runs(&[(120, 5), (180, 5)]));
    let found = held(&base, &new, &TIME);
    assert!(!found.is_failed() && found.is_in_doubt(), "{found:?}");
    let strict = Limits { strict: true, ..TIME };
    assert!(held(&base, &new, &strict).is_failed());
    assert!(!held(&base, &base, &strict).is_failed());
}

#[test]
fn ratios_are_read_as_they_are_written() {
    let descriptor = "a.Dao::find(Ljava/lang/String;)Lb/Row;/b.Handler::handle(I)V=0.5";
    let read: RatioLimit = descriptor.parse().unwrap();
    assert_eq!(
        (read.of.to_string(), read.per.to_string(), read.max),
        ("a.Dao::find(Ljava/lang/String;)Lb/Row;".into(), "b.Handler::handle(I)V".into(), 0.5)
    );
    assert_eq!(read.to_string(), descriptor);
    for text in ["", "a.A::b=1", "a.A::b/a.B::c", "a.A::b/a.B::c=x", "a.A::b/a.B::c=-1"] {
        assert!(text.parse::<RatioLimit>().is_err(), "{text}");
    }
    for text in ["!a.A::b/a.B::c=1", "@A/a.B::c=1", "a.A::b/a.B::c=NaN", "a.A::b/a.B::c=inf"] {
        assert!(text.parse::<RatioLimit>().is_err(), "{text}");
    }
}

#[test]
fn limits_are_read_as_they_are_written() {
    for (text, limit, written) in [
        ("+0%", CallLimit::Share(0.0), "+0%"),
        ("7%", CallLimit::Share(0.07), "+7%"),
        ("+12", CallLimit::Number(12), "+12"),
        ("0", CallLimit::Number(0), "+0"),
    ] {
        let read: CallLimit = text.parse().unwrap();
        assert_eq!((read, read.to_string().as_str()), (limit, written));
    }
    for text in ["", "%", "-1", "-1%", "x", "NaN%", "inf%", "1.5"] {
        assert!(text.parse::<CallLimit>().is_err(), "{text}");
    }
    assert_eq!(Limits::time_of("+5%"), Ok(0.05));
    assert!(Limits::time_of("5").is_err());
    assert!(
        CallLimit::Share(0.0).allows(u64::MAX, u64::MAX)
            && !CallLimit::Share(0.0).allows(u64::MAX - 1, u64::MAX)
    );
}

/// Times around 1 s as runs on a machine that others use have them: 2 % of noise, and now and then
/// much more.
fn noisy(random: &mut Random, spread: f64, disturbed: f64) -> f64 {
    let mut uniform = || (random.below(1 << 30) as f64 + 0.5) / (1 << 30) as f64;
    let normal = (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
    let burst = if uniform() < disturbed { -0.3 * uniform().ln() } else { 0.0 };
    1e9 * (1.0 + spread * normal + burst)
}

/// How many of so many pairs of ten runs each break the limit of 5 % when the new side is slower by
/// a factor.
fn broken(seed: u64, pairs: u32, spread: f64, disturbed: f64, slower: f64) -> u32 {
    let base = runs(&[(100, 1); 10]);
    let mut found: Diff = diff(&base, &base);
    let mut random = Random(seed);
    let mut broken = 0;
    for _ in 0..pairs {
        for (side, factor) in [1.0, slower].into_iter().enumerate() {
            found.roots[0].nanos[side] =
                (0..10).map(|_| factor * noisy(&mut random, spread, disturbed)).collect();
        }
        let held = gate(&base, &base, &found, &TIME, |_| true).unwrap();
        assert!(held.roots[0].exact);
        broken += u32::from(held.roots[0].verdict == Verdict::Exceeded);
    }
    broken
}

#[test]
fn equal_programs_break_no_limit() {
    assert_eq!(broken(1, 10_000, 0.02, 0.0, 1.0), 0);
    assert_eq!(broken(2, 10_000, 0.02, 0.1, 1.0), 0);
    // Spread so large that the limit lies within it: the test's own level, one in a thousand,
    // holds.
    assert!(broken(3, 500, 0.10, 0.0, 1.0) <= 3);
}

#[test]
fn ten_per_cent_are_found() {
    assert_eq!(broken(4, 200, 0.02, 0.0, 1.1), 200);
    assert!(broken(5, 200, 0.02, 0.1, 1.1) >= 180, "with disturbed runs on both sides");
    assert_eq!(
        broken(6, 500, 0.02, 0.0, 1.01),
        0,
        "what lies well within the limit is none of its business"
    );
}

#[test]
fn sides_that_were_not_recorded_in_turn_are_told() {
    let [mut base, mut new] = [runs(&[(100, 5); 10]), runs(&[(100, 5); 10])];
    let told = |base: &Profile, new: &Profile, limits: &Limits| {
        held(base, new, limits)
            .notes
            .iter()
            .any(|note| note.contains("not interleaved") && note.contains("--baseline"))
    };
    assert!(told(&base, &new, &TIME));
    assert!(!told(&base, &new, &CALLS), "only times depend on it");
    base.meta.interleaving_id = NonZeroU64::new(7);
    assert!(told(&base, &new, &TIME));
    new.meta.interleaving_id = NonZeroU64::new(8);
    assert!(told(&base, &new, &TIME));
    new.meta.interleaving_id = base.meta.interleaving_id;
    assert!(!told(&base, &new, &TIME) && held(&base, &new, &TIME).notes.is_empty());
}

/// How the machine changes while a series of runs is made.
#[derive(Clone, Copy)]
enum Drift {
    /// Not at all.
    None,
    /// Evenly, by a fifth in all.
    Slower,
    /// Eight of the twenty runs, wherever they come, take a tenth longer.
    Stretch,
    /// From run to run, by 2 % up or down.
    Walk,
}

/// How many of so many pairs of ten runs each with 2 % of noise break the limit of 5 %, made in
/// interleaved (base, new, new, base, …) or else the base first, as `in_turn` says.
fn drifting(
    seed: u64,
    pairs: u32,
    drift: Drift,
    disturbed: f64,
    slower: f64,
    made: bool,
    in_turn: bool,
) -> u32 {
    scattered(seed, pairs, drift, [0.02, disturbed], slower, [made, in_turn])
}

/// The same with other noise, which comes before the part of the runs that are disturbed.
fn scattered(
    seed: u64,
    pairs: u32,
    drift: Drift,
    [spread, disturbed]: [f64; 2],
    slower: f64,
    [made, in_turn]: [bool; 2],
) -> u32 {
    let mut base = runs(&[(100, 1); 10]);
    let mut found: Diff = diff(&base, &base);
    base.meta.interleaving_id = in_turn.then_some(NonZeroU64::MIN);
    // Something differs, so that the level is that of the test.
    let mut new = base.clone();
    new.meta.machine.cpu.push_str(", another");
    let mut random = Random(seed);
    let mut broken = 0;
    for _ in 0..pairs {
        let (from, mut walk) = (random.below(20), 0.0);
        found.roots[0].nanos = [Vec::new(), Vec::new()];
        for at in 0..20 {
            walk += noisy(&mut random, 0.02, 0.0) - 1e9;
            let level = match drift {
                Drift::None => 0.0,
                Drift::Slower => 1e7 * at as f64,
                Drift::Stretch if (at + 20 - from) % 20 < 8 => 1e8,
                Drift::Stretch => 0.0,
                Drift::Walk => walk,
            };
            let side =
                if made { usize::from(matches!(at % 4, 1 | 2)) } else { usize::from(at >= 10) };
            let nanos = level + noisy(&mut random, spread, disturbed);
            found.roots[0].nanos[side].push(nanos * if side == 1 { slower } else { 1.0 });
        }
        let held = gate(&base, &new, &found, &TIME, |_| true).unwrap();
        assert!(held.roots[0].exact);
        broken += u32::from(held.roots[0].verdict == Verdict::Exceeded);
    }
    broken
}

#[test]
fn drift_breaks_no_limit_where_sides_were_recorded_in_turn() {
    for drift in [Drift::None, Drift::Slower, Drift::Stretch, Drift::Walk] {
        assert_eq!(drifting(7, 1000, drift, 0.0, 1.0, true, true), 0);
        assert_eq!(drifting(8, 1000, drift, 0.1, 1.0, true, true), 0);
    }
    let apart = [Drift::Slower, Drift::Stretch, Drift::Walk]
        .map(|drift| drifting(9, 200, drift, 0.0, 1.0, false, false));
    assert!(
        apart[0] > 150 && apart[1] > 0 && apart[2] > 20,
        "as they do one after the other: {apart:?}"
    );
}

#[test]
fn ten_per_cent_are_found_in_spite_of_drift() {
    let found = |drift, in_turn| drifting(10, 300, drift, 0.0, 1.1, true, in_turn);
    assert_eq!(found(Drift::None, true), 300);
    for drift in [Drift::Slower, Drift::Stretch, Drift::Walk] {
        let (neighbours, all) = (found(drift, true), found(drift, false));
        assert!(neighbours > all && neighbours >= 285, "{neighbours} and {all}");
    }
    assert!(drifting(11, 300, Drift::None, 0.1, 1.1, true, true) >= 290);
    assert!(drifting(11, 300, Drift::None, 0.2, 1.1, true, true) >= 250);
}

/// What ten runs a side can tell, whatever the test: a shift of 10 % is three standard errors at 7
/// % of noise.
#[test]
fn ten_per_cent_are_found_as_far_as_noise_allows() {
    let found = |spread| scattered(12, 300, Drift::None, [spread, 0.0], 1.1, [true, true]);
    let found = [0.03, 0.05, 0.07].map(found);
    assert!(
        found[0] >= 295 && (235..=275).contains(&found[1]) && (135..=180).contains(&found[2]),
        "{found:?}"
    );
    assert!(scattered(13, 500, Drift::None, [0.1, 0.0], 1.0, [true, true]) <= 5, "equal sides");
}

/// Calls and times of a sample are less than those of all.
#[test]
fn sums_of_sampled_roots_are_refused() {
    let base = runs(&[(100, 5); 10]);
    let mut new = base.clone();
    new.latencies.unsampled =
        vec![UnsampledCalls { method: MethodIx(0), calls: 9, time: Ticks(90) }];
    for (limits, what) in [(&TIME, "time"), (&CALLS, "calls")] {
        for sides in [[&base, &new], [&new, &base]] {
            let found = held(sides[0], sides[1], limits);
            assert!(found.refused.iter().any(|why| why.contains("--sample-roots")), "{what}");
        }
        assert_eq!(held(&base, &base, limits).refused, [""; 0]);
    }
}

/// Interleaved runs of 20 % more in the mean, with a p-value between both levels.
#[test]
fn a_growth_without_a_known_difference_needs_more_evidence() {
    let mut base = runs(&[(100, 1); 10]);
    base.meta.interleaving_id = Some(NonZeroU64::MIN);
    let mut found: Diff = diff(&base, &base);
    let mut random = Random(3);
    let mut verdicts = Vec::new();
    while verdicts.is_empty() {
        let mut side = |level: f64| -> Vec<f64> {
            (0..10).map(|_| level * noisy(&mut random, 0.12, 0.0)).collect()
        };
        found.roots[0].nanos = [side(1.0), side(1.2)];
        let held = gate(&base, &base, &found, &TIME, |_| true).unwrap();
        if held.roots[0].p_value.is_some_and(|p_value| (0.002..0.004).contains(&p_value)) {
            verdicts.push((held.alpha, held.roots[0].verdict));
        }
    }
    let mut new = base.clone();
    new.meta.machine.cpu.push_str(", another");
    let held = gate(&base, &new, &found, &TIME, |_| true).unwrap();
    verdicts.push((held.alpha, held.roots[0].verdict));
    assert_eq!(verdicts, [(0.001, Verdict::Inconclusive), (0.005, Verdict::Exceeded)]);
}

#[test]
fn the_rate_of_a_clock_does_not_matter() {
    let base = runs(&[(1000, 1); 10]);
    let mut new = runs(&[(2000, 1); 10]);
    new.rate = TickRate::new(2_000_000_000).unwrap();
    assert!(!held(&base, &new, &TIME).is_failed());
    new.rate = TickRate::NANOS;
    let found = held(&base, &new, &TIME);
    assert!(found.is_failed() && found.roots[0].p_value < Some(1e-4), "{found:?}");
}

#[test]
fn selectors_choose_what_is_checked() {
    let (base, new) = (run(100, 5), run(100, 6));
    let found = diff(&base, &new);
    let select = |texts: &[&str]| {
        let selectors: Vec<_> = texts.iter().map(|text| text.parse().unwrap()).collect();
        SelectedMethods::new(&base.methods, &new.methods, &selectors)
    };
    for (selectors, is_failed) in [
        (&[][..], true),
        (&["p.C"], true),
        (&["p.C::m1"], true),
        (&["p.C::m0"], false),
        (&["!p.C::m1"], false),
        (&["p.C", "!p.C::m1"], false),
    ] {
        let selected = select(selectors).unwrap();
        let result = gate(&base, &new, &found, &CALLS, |method| selected.contains(method));
        assert_eq!(result.unwrap().is_failed(), is_failed, "{selectors:?}");
    }
    assert_eq!(select(&["p.C", "p.C::m7"]), Err(UnmatchedSelector(1)));
    assert_eq!(select(&["@Timed"]), Err(UnmatchedSelector(0)));
}

/// Ten runs of the root `m0`, whose times scatter by a quarter. One call of `m1` takes `own`.
fn with_edited(own: u64, digest: u64, random: &mut Random) -> Profile {
    let mut run = || {
        let rest = 1_000_000 + random.below(300_000);
        one_thread(&[e(0, 0), e(1, 0), r(1, own), r(0, own + rest)])
    };
    let mut profile = into_series((0..10).map(|_| run()).collect()).unwrap();
    profile.methods[1].info.digest = Digest(digest);
    profile
}

/// The root shows nothing beyond its scatter; its edited method does.
#[test]
fn an_edited_method_shows_what_the_root_hides() {
    let mut random = Random(7);
    let base = with_edited(1_000, 1, &mut random);
    let slower = with_edited(121_000, 2, &mut random);
    let found = held(&base, &slower, &TIME);
    assert_eq!((found.roots[0].verdict, &found.edited[..]), (Verdict::Exceeded, &[1][..]));
    let growth = found.roots[0].changed_growth.unwrap();
    assert!((0.1..0.12).contains(&growth), "{growth}");
    // The same times of the same code: nothing changed that could be summed up.
    let unedited = with_edited(121_000, 1, &mut random);
    let found = held(&base, &unedited, &TIME);
    assert_eq!((found.roots[0].changed_growth, found.edited.len()), (None, 0));
    // Edited, and as fast as before.
    let found = held(&base, &with_edited(1_000, 2, &mut random), &TIME);
    assert_eq!(found.edited, [1]);
    assert!(!found.is_failed(), "{found:?}");
}

/// Ten runs that could have run for as long, of which this share was run-queue delay.
fn delayed(work: u64, share: f64, observed: bool) -> Profile {
    let of = |run: u64| {
        let nanos = ((work + run) as f64 / (1.0 - share)) as u64;
        let mut profile = one_thread(&[e(0, 0), r(0, nanos)]);
        profile.threads[0].scheduling = observed.then_some(Scheduling {
            observed_nanos: nanos,
            ran_nanos: work + run,
            queued_nanos: nanos - work - run,
            involuntary_switches: 1,
        });
        profile
    };
    into_series((0..10).map(of).collect()).unwrap()
}

#[test]
fn run_queue_delay_is_no_growth() {
    let base = delayed(1_000_000, 0.1, true);
    let same = delayed(1_000_000, 0.4, true);
    let found = diff(&base, &same);
    assert!(found.without_delay);
    assert!(found.roots[0].growth().unwrap().abs() < 0.001, "{:?}", found.roots[0]);
    assert_eq!(held(&base, &same, &TIME).roots[0].verdict, Verdict::Within);
    let slower = delayed(1_200_000, 0.4, true);
    assert_eq!(held(&base, &slower, &TIME).roots[0].verdict, Verdict::Exceeded);
    // Not known on one side: the clock's times are compared.
    let unknown = delayed(1_000_000, 0.4, false);
    let found = diff(&base, &unknown);
    assert!(!found.without_delay && found.roots[0].growth().unwrap() > 0.3);
}

/// A limit on allocated bytes.
fn alloc(share: f64) -> Limits {
    Limits { columns: vec![(Column::of_key("alloc").unwrap(), share)], ..NONE }
}

/// The bytes of a method or a context on both sides; none where one has not read them.
fn bytes(of: &ColumnDiff) -> [Option<f64>; 2] {
    [of.base, of.new].map(|side| side?.known())
}

/// A root that allocates so many bytes in two calls, of which a callee's are half.
fn allocating(bytes: u64) -> Profile {
    let records = [0, 1_000].into_iter().flat_map(|from| {
        [
            e(0, from + 10),
            Record::Allocated { bytes: bytes / 4 },
            e(1, from + 20),
            Record::Allocated { bytes: bytes / 4 },
            r(1, from + 30),
            r(0, from + 40),
        ]
    });
    let mut profile = one_thread(&records.collect::<Vec<_>>());
    profile.allocation.source = AllocationSource::Fields;
    profile
}

#[test]
fn allocated_bytes_have_a_limit() {
    let base = allocating(400_000);
    for (bytes, verdict) in [
        (400_000, Verdict::Within),
        (404_000, Verdict::Within),
        (404_004, Verdict::Exceeded),
        (4_000, Verdict::Within),
    ] {
        let found = held(&base, &allocating(bytes), &alloc(0.01));
        let verdicts: Vec<_> =
            found.columns.iter().map(|root| (root.sides, root.verdict)).collect();
        assert_eq!(verdicts, [([400_000.0, bytes as f64], verdict)]);
        assert_eq!(found.is_failed(), verdict == Verdict::Exceeded);
        assert!(found.refused.is_empty(), "{:?}", found.refused);
    }
}

#[test]
fn bytes_from_nothing_exceed_any_limit() {
    let found = held(&allocating(0), &allocating(40), &alloc(9.0));
    assert!(found.is_failed() && found.columns[0].growth.is_none());
    assert!(!held(&allocating(0), &allocating(0), &alloc(0.01)).is_failed());
}

#[test]
fn bytes_that_were_not_recorded_are_not_judged() {
    let whole = allocating(400);
    for source in [AllocationSource::Unasked, AllocationSource::Partly] {
        let mut lacks = whole.clone();
        lacks.allocation.source = source;
        for (base, new, side) in [(&lacks, &whole, "base"), (&whole, &lacks, "new")] {
            let found = held(base, new, &alloc(0.01));
            assert!(
                found.refused[0].contains(&format!("the {side} profile has no allocated bytes"))
            );
            assert!(found.columns.is_empty() && !found.is_failed());
        }
    }
    let mut lost = whole.clone();
    lost.quality.lost_waiting = 3;
    assert!(
        held(&whole, &lost, &alloc(0.01)).refused[0].contains("lacks some of the allocated bytes")
    );
}

/// Runs of a series are compared by their mean.
#[test]
fn bytes_are_those_of_a_run() {
    let one = allocating(400);
    let three = into_series(vec![one.clone(), one.clone(), one.clone()]).unwrap();
    let found = held(&one, &three, &alloc(0.01));
    assert_eq!(found.columns[0].sides, [400.0, 400.0]);
}

/// As of a method that has not read: the bytes of counted calls are their callers'.
#[test]
fn what_one_side_only_counts_is_compared_in_its_callers() {
    let timed = allocating(400);
    let records = [e(0, 10), counted(1, 1), Record::Allocated { bytes: 400 }, r(0, 40)];
    let mut counts = one_thread(&records);
    counts.allocation.source = AllocationSource::Fields;
    for (base, new) in [(&timed, &counts), (&counts, &timed), (&counts, &counts)] {
        let found = diff(base, new);
        let all = found.methods.iter().map(|of| {
            let name = base.method(of.base.expect("both have it")).info.key.name.as_str();
            (name, of.columns[0][0].is_unread(), of.columns[0].each_ref().map(bytes))
        });
        let all: Vec<_> = all.collect();
        let expected = [("m0", false, [[Some(400.0); 2]; 2]), ("m1", true, [[None; 2]; 2])];
        assert!(expected.iter().all(|row| all.contains(row)), "{all:?}");
        assert_eq!(held(base, new, &alloc(0.01)).columns[0].verdict, Verdict::Within);
    }
}

/// A callee whose calls have not read on one side has no bytes on both; its caller has them.
#[test]
fn what_one_side_has_not_read_is_compared_in_its_callers() {
    let whole = allocating(400);
    let mut some = allocating(400);
    some.set_alloc_reading(|_| false);
    for (base, new) in [(&whole, &some), (&some, &whole), (&some, &some)] {
        let found = diff(base, new);
        let named = |name: &str| {
            let of = found.methods.iter().find(|method| {
                let at = method.base.expect("both have it");
                base.method(at).info.key.name == name
            });
            let of = of.unwrap();
            (of.columns[0][0].is_unread(), of.columns[0].each_ref().map(bytes))
        };
        assert_eq!(named("m0"), (false, [[Some(400.0); 2]; 2]));
        assert_eq!(named("m1"), (true, [[None; 2]; 2]));
        let contexts: Vec<_> = found.contexts.iter().map(|of| bytes(&of.columns[0])).collect();
        assert_eq!(contexts, [[Some(400.0); 2], [None; 2]]);
        assert_eq!(held(base, new, &alloc(0.01)).columns[0].verdict, Verdict::Within);
    }
    assert!(!diff(&whole, &whole).methods.iter().any(|method| method.columns[0][0].is_unread()));
    // The same in sums and series.
    for sum in [
        merge(vec![whole.clone(), some.clone()]).unwrap(),
        into_series(vec![whole.clone(), some]).unwrap(),
    ] {
        let tree = &sum.tree;
        let named = |node: &NodeIx, name: &str| match tree.frame(*node) {
            Frame::Method(at) => sum.method(at).info.key.name == name,
            Frame::Thread(_) | Frame::Task(_) => false,
        };
        let own = |name: &str| {
            let nodes = tree.nodes().filter(|node| named(node, name));
            nodes.map(|node| tree.allocated(node).0).sum::<u64>()
        };
        assert_eq!([own("m0"), own("m1")], [800, 0]);
        assert!(sum.has_unread());
        sum.check().unwrap();
    }
}

/// Without roots the frames at the bottom count, which may not have read.
#[test]
fn a_root_that_has_not_read_is_not_judged() {
    let rootless = |reads: bool| {
        let mut profile = allocating(400);
        profile.methods.iter_mut().for_each(|method| method.info.root = false);
        if !reads {
            profile.set_alloc_reading(|method| method.info.key.name == "m1");
        }
        profile
    };
    let (whole, some) = (rootless(true), rootless(false));
    assert_eq!(held(&whole, &whole, &alloc(0.01)).columns.len(), 1);
    for (base, new) in [(&whole, &some), (&some, &whole)] {
        let found = held(base, new, &alloc(0.01));
        assert!(found.refused[0].contains("p.C::m0()V has not read"), "{:?}", found.refused);
        assert!(found.columns.is_empty() && !found.is_failed());
    }
}
