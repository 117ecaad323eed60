//! Where stated stacks belong in a stated tree.

use crate::{
    contexts::{ContextIx, Contexts},
    measure,
    place::{Place, Places, method_table},
    waits::Waits,
};
use jfathom_calibration::{CorrectedTimes, correct_times};
use jfathom_jfr::{SampleKind, SampledMethod, Samples};
use jfathom_profile::{MethodIx, Profile, TrustVerdict};
use jfathom_testkit::small_profile;

/// The fixture: `run` calls `step(int)` and, recursively, `step(long)`; on a worker a task of `run`
/// calls `stray`. With `is_counted`, `step(int)` was counted after some calls.
fn fixture(is_counted: bool) -> (Profile, CorrectedTimes) {
    let mut profile = small_profile::calibrated();
    if !is_counted {
        let like = small_profile::profile();
        profile = Profile { meta: profile.meta, anchor: None, ..like };
    }
    for method in &mut profile.methods {
        if method.info.key.class.is_empty() {
            method.info.key.class = "p/Pool".to_owned();
            method.info.key.name = "stray".to_owned();
            method.info.key.descriptor = "()V".to_owned();
        }
    }
    let corrected = correct_times(&profile).unwrap();
    (profile, corrected)
}

/// `int` and `long` are the overloads of `step`.
fn sampled(word: &str) -> SampledMethod {
    let (class, name, descriptor) = match word {
        "int" => ("com/acme/Engine", "step", "(I)V"),
        "long" => ("com/acme/Engine", "step", "(J)V"),
        "run" => ("com/acme/Engine", "run", "()V"),
        "stray" => ("p/Pool", "stray", "()V"),
        other => ("q/Unknown", other, "()V"),
    };
    SampledMethod { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

/// A stack by its frames, the outermost first.
fn push(samples: &mut Samples, frames: &str) {
    let frames: Vec<&str> = frames.split(' ').collect();
    samples.push(frames.into_iter().rev().map(sampled), false, SampleKind::Java);
}

/// Where a stack belongs: its path, its method, and whether the recording has the path.
fn place(is_counted: bool, frames: &str) -> Option<(String, String, bool)> {
    let (profile, corrected) = fixture(is_counted);
    let contexts = Contexts::of(&profile, &corrected, &Waits::of(&profile, &corrected));
    let mut samples = Samples::default();
    push(&mut samples, frames);
    let table = method_table(&profile.methods);
    let name = |method: MethodIx| match &*profile.method(method).info.key.descriptor {
        "(I)V" => "int".to_owned(),
        "(J)V" => "long".to_owned(),
        _ => profile.method(method).info.key.name.clone(),
    };
    match Places::new(&contexts, &table, &samples).place(&samples.stacks[0]) {
        Place::Inside { context, method, is_recorded } => {
            let mut path = Vec::new();
            let mut at = Some(context);
            while let Some(ContextIx(here)) = at {
                path.push(name(contexts.all()[here as usize].method));
                at = contexts.all()[here as usize].caller;
            }
            path.reverse();
            Some((path.join(" "), name(method), is_recorded))
        }
        Place::Outside | Place::Unknown => None,
    }
}

fn inside(path: &str, method: &str, is_recorded: bool) -> Option<(String, String, bool)> {
    Some((path.to_owned(), method.to_owned(), is_recorded))
}

#[test]
fn frames_without_probes_are_passed_over() {
    assert_eq!(place(false, "main run"), inside("run", "run", true));
    assert_eq!(place(false, "main run lambda int x y"), inside("run int", "int", true));
    assert_eq!(place(false, "run long long x"), inside("run long long", "long", true));
}

#[test]
fn outside_the_roots_there_is_no_path() {
    assert_eq!(place(false, "main x"), None);
    // Only the root calls it, so a call elsewhere is none that was recorded.
    assert_eq!(place(false, "main int x"), None);
    assert_eq!(place(false, "main int run"), inside("run", "run", true));
}

#[test]
fn a_task_begins_a_path_on_another_thread() {
    assert_eq!(place(false, "Thread.run pool stray"), inside("stray", "stray", true));
}

#[test]
fn a_path_that_the_recording_lacks_ends_where_it_leaves() {
    assert_eq!(place(false, "run int long"), inside("run int", "long", false));
    assert_eq!(place(false, "run long long long"), inside("run long long", "long", false));
    // What comes behind is no path of the recording, whatever it is called.
    assert_eq!(place(false, "run int run int"), inside("run int", "int", false));
}

#[test]
fn a_counted_method_is_its_callers() {
    assert_eq!(place(true, "run int"), inside("run", "run", true));
    assert_eq!(place(true, "run int x long"), inside("run long", "long", true));
}

#[test]
fn a_truncated_stack_has_no_place() {
    let (profile, corrected) = fixture(false);
    let mut samples = Samples::default();
    samples.push([sampled("int"), sampled("run")], true, SampleKind::Java);
    samples.push([sampled("int"), sampled("run")], false, SampleKind::Native);
    let trust = measure(&profile, &corrected, &[samples]).unwrap();
    assert_eq!((trust.samples.truncated, trust.samples.inside, trust.samples.native), (1, 1, 1));
}

#[test]
fn without_a_sample_inside_nothing_is_compared() {
    let (profile, corrected) = fixture(false);
    let mut samples = Samples::default();
    push(&mut samples, "main x");
    let error = measure(&profile, &corrected, &[samples]).unwrap_err();
    assert!(error.to_string().contains("1 are outside"), "{error}");
}

/// Of the 10 ms of `run`, `step(int)` takes 1.1 and `step(long)` 1.5.
#[test]
fn shares_of_both_sides_stand_beside_each_other() {
    let (profile, corrected) = fixture(false);
    let runs: Vec<Samples> = (0..3)
        .map(|_| {
            let mut samples = Samples::default();
            for (frames, count) in [("run", 730), ("run int", 120), ("run long x", 150)] {
                (0..count).for_each(|_| push(&mut samples, frames));
            }
            samples.period_nanos = Some(10_000);
            samples
        })
        .collect();
    let trust = measure(&profile, &corrected, &runs).unwrap();
    assert_eq!((trust.runs, trust.samples.inside, trust.scatter), (3, 3000, 1.0));
    let row =
        |at: usize| (trust.methods[at], profile.methods[trust.methods[at].method as usize].calls());
    let (run, _) = row(0);
    assert_eq!((run.share.samples, run.share.sampled), (2190, 0.73));
    assert!((run.share.recorded - 0.74).abs() < 0.01, "{run:?}");
    let sum: f64 = trust.methods.iter().map(|row| row.combined).sum();
    assert!((sum - 1.0).abs() < 0.005, "{sum}");
    // 1000 samples of 10 µs are 10 ms for each run.
    let whole = run.nanos_per_call.unwrap();
    assert!((whole - run.combined * 10e6).abs() < 1.0, "{whole}");
    assert_eq!(trust.contexts[0].share.samples, 3000);
    let depths: Vec<u32> = trust.contexts.iter().map(|context| context.depth).collect();
    assert_eq!(depths[..2], [0, 1]);
    assert!(trust.contexts.iter().all(|context| context.share.verdict.is_some()));
    assert_ne!(trust.contexts[0].share.verdict, Some(TrustVerdict::Distorted));
}
