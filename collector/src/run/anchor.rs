//! The anchor: the time in the roots, measured by roots-only runs.
//!
//! A roots-only run has the program's time in its roots. If other methods have probes that are off,
//! each of their calls costs a load and a branch. The anchor subtracts that for as many calls as
//! the full runs have; a run without such probes has no calibration of them. What the full runs
//! have beyond the anchor is optimisation that the compiler left out because of the probes. It is
//! distributed over the timed calls.

use jfathom_calibration::subtracted_root_nanos;
use jfathom_plan::Problem;
use jfathom_profile::{Anchor, CallKind, Frame, MethodIx, NodeIx, Phase, Profile};
use std::collections::BTreeMap;

/// The first root that two runs have not called equally often: its name and its calls in both.
pub(crate) fn differing_calls(one: &Profile, other: &Profile) -> Option<(String, u64, u64)> {
    let (one, other) = (root_calls(one), root_calls(other));
    let of = |calls: &BTreeMap<String, u64>, name: &str| calls.get(name).copied().unwrap_or(0);
    let mut names = one.keys().chain(other.keys());
    let name = names.find(|name| of(&one, name) != of(&other, name))?;
    Some((name.clone(), of(&one, name), of(&other, name)))
}

fn root_calls(profile: &Profile) -> BTreeMap<String, u64> {
    let mut calls = BTreeMap::new();
    for method in profile.methods.iter().filter(|method| method.info.root) {
        *calls.entry(method.info.key.to_string()).or_default() +=
            method.calls().saturating_add(method.virtual_calls);
    }
    calls
}

/// The anchor of the full runs in `full`, from their roots-only runs.
///
/// # Errors
/// Fails with a sentence if no call was timed in the roots, if a JVM ended in a root without its
/// shutdown hooks, or if a JVM has not measured its probes.
pub(crate) fn from_runs(roots_only: &[Profile], full: &Profile) -> Result<Anchor, Problem> {
    if let Some(root) = roots_only.iter().chain([full]).find_map(endless_root) {
        return Err(format!(
            "{root} had not ended when a JVM did without its shutdown hooks: its time is not known"
        )
        .into());
    }
    let runs = full.run_count() as f64;
    let off_calls =
        full.outermost_roots().map(|root| calls_below(full, root)).sum::<u64>() as f64 / runs;
    let times: Option<Vec<f64>> = roots_only
        .iter()
        .map(|run| Some(subtracted_root_nanos(run)? - off_calls * off_cost(run)))
        .collect();
    let times = times.ok_or(NOT_CALIBRATED)?;
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let middle = median(times.clone());
    let squares: f64 = times.iter().map(|time| (time - mean).powi(2)).sum();
    let deviation = if times.len() < 2 { 0.0 } else { (squares / (times.len() - 1) as f64).sqrt() };
    // The corrected time is linear in the residual, but for the grain of times: two values far
    // apart give the line.
    let with = |residual_nanos: f64| {
        let anchor = Anchor {
            roots_only_runs: roots_only.len() as u32,
            roots_only_nanos: middle,
            roots_only_deviation: deviation,
            full_runs: full.run_count() as u32,
            residual_nanos,
            correction_share: 0.0,
        };
        let anchored = Profile { anchor: Some(anchor), ..full.clone() };
        Some((anchor, subtracted_root_nanos(&anchored)?))
    };
    let ((anchor, before), (_, after)) =
        (with(0.0).ok_or(NOT_CALIBRATED)?, with(FAR).ok_or(NOT_CALIBRATED)?);
    let surplus = before - middle * runs;
    if before <= after {
        return Err("no call was timed in the roots".into());
    }
    // The correction may have taken out more than there was.
    let share = if before == 0.0 { 0.0 } else { surplus / before.abs() };
    Ok(Anchor {
        residual_nanos: surplus * FAR / (before - after),
        correction_share: share,
        ..anchor
    })
}

/// A root that was open when a JVM ended without a mark of its end: nobody knows how long it was.
fn endless_root(run: &Profile) -> Option<String> {
    if run.meta.jvms.iter().all(|jvm| jvm.clean_end) {
        return None;
    }
    let mut roots = run.methods.iter().filter(|method| method.info.root);
    roots.find(|root| root.open > 0).map(|root| root.info.key.to_string())
}

/// The median, not the mean: other work of the machine may disturb one run more than all others.
fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = [times.get(times.len().saturating_sub(1) / 2), times.get(times.len() / 2)];
    middle.into_iter().flatten().sum::<f64>() / 2.0
}

/// A residual that is far from zero, in ns per call.
const FAR: f64 = 1e6;

const NOT_CALIBRATED: &str = "a JVM has not measured its probes";

fn is_root(profile: &Profile, method: MethodIx) -> bool {
    profile.methods.get(method.0 as usize).is_some_and(|method| method.info.root)
}

/// Calls of methods that are no roots, timed and counted, at and below a node.
fn calls_below(profile: &Profile, node: NodeIx) -> u64 {
    let tree = &profile.tree;
    let calls = |node: NodeIx| match tree.frame(node) {
        Frame::Method(method) if !is_root(profile, method) => tree.calls(node),
        _ => 0,
    };
    tree.subtree(node).map(NodeIx).map(calls).fold(0, u64::saturating_add)
}

/// Cost of a call of a method that is off, in nanoseconds: the mean of the JVM's medians.
fn off_cost(profile: &Profile) -> f64 {
    let all = || {
        profile
            .meta
            .jvms
            .iter()
            .flat_map(|jvm| &jvm.calibrations)
            .filter(|calibration| calibration.kind == CallKind::Off)
    };
    let of = |phase: Phase| {
        let medians: Vec<f64> = all()
            .filter(|calibration| calibration.phase == phase)
            .map(|calibration| calibration.outer.median)
            .collect();
        (!medians.is_empty()).then(|| medians.iter().sum::<f64>() / medians.len() as f64)
    };
    let phases: Vec<f64> = [of(Phase::Start), of(Phase::End)].into_iter().flatten().collect();
    phases.iter().sum::<f64>().max(0.0) / phases.len().max(1) as f64
}
