//! What the times of a report are, in sentences.

use crate::{
    calibration_check,
    number::{counted, percent_of, signed, with_error_bar},
    scheduling,
    view::View,
};
use jfathom_calibration::{CorrectedTimes, Cost, Costs, TimeStatus, Times, constants_machine};
use jfathom_profile::{Mode, Profile};
use std::io::{self, Write};

/// Writes what the times are: as measured, or corrected, how, and by how much.
pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(corrected) = corrected else {
        let why = match view.scope.is_raw {
            true => "--filter times=measured",
            false => "the recording has no calibration",
        };
        return write_line!(out, "times     measured wall times, probe cost included ({why})");
    };
    let measured = profile.total_time().0 as f64 * 1e9 / profile.rate.hz() as f64;
    write_line!(
        out,
        "times     corrected wall times: {} of {} measured{}",
        whole(profile, corrected),
        signed(measured).trim_end(),
        if profile.threads.len() > 1 { ", the sum of all threads" } else { "" }
    )?;
    write_line!(out, "          {}", parts_of_bar(profile, corrected))?;
    write_line!(out, "          constants as shipped, of {}", constants_machine())?;
    write_doubt(profile, corrected, out)?;
    if let Some(costs) = costs(corrected) {
        let Costs { inner, outer, outer_throw, count, .. } = costs;
        write_line!(
            out,
            "probes    per timed call inner cost {}, outer cost {} ({} if it throws); {} per counted call; \
             residual overhead {} in all",
            cost(inner),
            cost(outer),
            cost(outer_throw),
            cost(count),
            signed(corrected.residual_nanos).trim_end()
        )?;
    }
    if corrected.waits_nanos > 0.0 {
        write_line!(
            out,
            "waits     {} of waits for other threads were corrected: their probes made the waits longer; \
             the error bars hold as much",
            signed(corrected.waits_nanos).trim_end()
        )?;
    }
    calibration_check::write(profile, out)?;
    if !scheduling::write(profile, out)? && was_busy(profile) {
        write_line!(
            out,
            "          the machine was busy during calibration: wall times contain run-queue delay, and no \
             error bar does"
        )?;
    }
    if let Some(anchor) = profile.anchor {
        write_line!(
            out,
            "anchor    {}: {} each; residual overhead {:.1} ns per timed call, {:.1} % of the time",
            counted(anchor.roots_only_runs, "roots-only run", "roots-only runs"),
            signed(anchor.roots_only_nanos).trim_end(),
            anchor.residual_nanos,
            anchor.correction_share * 100.0
        )?;
    }
    Ok(())
}

/// Writes in a line how far the times of a report can be trusted, and in another one what to do if
/// that is not far.
pub(crate) fn write_short(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(corrected) = corrected else { return write(profile, None, view, out) };
    write_line!(
        out,
        "times     wall times without the probes' cost; {}",
        parts_of_bar(profile, corrected)
    )?;
    write_doubt(profile, corrected, out)?;
    scheduling::write(profile, out)?;
    Ok(())
}

/// Writes that times are not to be acted on, if so.
fn write_doubt(
    profile: &Profile,
    corrected: &CorrectedTimes,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !is_doubtful(profile, corrected) {
        return Ok(());
    }
    if is_mostly_queue(&judged(profile, corrected)) {
        return write_line!(
            out,
            "          do not act on these times: threads waited long for a processor. A less busy machine \
             tells more"
        );
    }
    let has_roots = profile.meta.jvms.iter().any(|jvm| jvm.has_roots);
    let remedy = match (has_roots, profile.anchor.is_some(), profile.runs.len() > 1) {
        (true, false, false) => {
            "`--runs 5` measures the roots, and a deeper `--root` needs fewer probes"
        }
        (true, true, _) => {
            "More runs measure the roots better, and a deeper `--root` needs fewer probes"
        }
        (true, false, true) => "A deeper `--root` needs fewer probes",
        (false, _, _) => "With a `--root`, there are fewer probes",
    };
    write_line!(
        out,
        "          do not act on these times: what the probes cost in all is uncertain. {remedy}"
    )
}

/// Whether more of the error bar is for waiting for a processor than for the probes.
fn is_mostly_queue(sum: &Times) -> bool {
    sum.total_queue_nanos > sum.total_probes_error_nanos()
}

/// The times that the whole is judged by: the roots' with an anchor, else those of all threads.
fn judged(profile: &Profile, corrected: &CorrectedTimes) -> Times {
    match profile.anchor {
        Some(_) => sum_of_roots(profile, corrected),
        None => sum_of_threads(profile, corrected),
    }
}

/// Writes how many methods were not timed, if there are any.
pub(crate) fn write_modes(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let demoted = profile.methods.iter().filter(|method| method.demotion.is_some()).count() as u64;
    let is_counted =
        |method: &&jfathom_profile::Method| method.mode == Mode::Count && method.demotion.is_none();
    let from_start = profile.methods.iter().filter(is_counted).count() as u64;
    let calls = profile.methods.iter().map(|method| method.counted).fold(0, u64::saturating_add);
    if demoted + from_start + calls == 0 {
        return Ok(());
    }
    write_line!(
        out,
        "counted   {}, not timed: {} from the start, {} while the program ran",
        counted(calls, "call", "calls"),
        counted(from_start, "method", "methods"),
        counted(demoted, "method", "methods"),
    )
}

/// With a larger error bar, the report warns.
const DOUBTFUL_SHARE: f64 = 0.25;

/// Whether batches of a calibration scatter upwards as no probe does.
fn was_busy(profile: &Profile) -> bool {
    let calibrations = profile.meta.jvms.iter().flat_map(|jvm| &jvm.calibrations);
    let mut batches = calibrations.flat_map(|loops| [loops.inner, loops.outer, loops.reference]);
    batches.any(|batch| batch.deviation > 5.0 && batch.deviation > 5.0 * (batch.median - batch.min))
}

fn whole(profile: &Profile, corrected: &CorrectedTimes) -> String {
    let sum = sum_of_threads(profile, corrected);
    with_error_bar(sum.total_nanos, sum.total_error_nanos).trim_end().to_owned()
}

fn sum_of_threads(profile: &Profile, corrected: &CorrectedTimes) -> Times {
    let roots = profile.tree.roots().map(|root| corrected.node(root));
    roots.reduce(Times::plus).unwrap_or_default()
}

/// The outermost roots, which an anchor measures.
fn sum_of_roots(profile: &Profile, corrected: &CorrectedTimes) -> Times {
    let roots = profile.outermost_roots().map(|root| corrected.node(root));
    roots.reduce(Times::plus).unwrap_or_default()
}

/// Whether the doubt is so large that times say little.
fn is_doubtful(profile: &Profile, corrected: &CorrectedTimes) -> bool {
    let sum = judged(profile, corrected);
    sum.total_error_nanos > DOUBTFUL_SHARE * sum.total_nanos
}

/// What the error bars hold, and what tells more.
fn parts_of_bar(profile: &Profile, corrected: &CorrectedTimes) -> String {
    let part_of = |sum: &Times, nanos: f64| match sum.total_status() {
        TimeStatus::AboveResolution => percent_of(nanos, sum.total_nanos),
        TimeStatus::BelowResolution => signed(nanos).trim_end().to_owned(),
    };
    if let Some(anchor) = &profile.anchor {
        let roots = sum_of_roots(profile, corrected);
        let bar = part_of(&roots, roots.total_error_nanos);
        let runs = counted(anchor.roots_only_runs, "roots-only run", "roots-only runs");
        return format!(
            "error bars: ±{bar} for the roots, by {runs}; single methods have wider ones"
        );
    }
    let sum = sum_of_threads(profile, corrected);
    let part = |nanos: f64| part_of(&sum, nanos);
    let bar = part(sum.total_error_nanos);
    let cause = if is_mostly_queue(&sum) { "waits for a processor" } else { "the probes" };
    let between = part(sum.total_between_runs_nanos);
    let another = match profile.runs.len() {
        runs @ 2.. => format!("other {runs} runs may differ by ±{between}"),
        _ => format!("another run may differ by ±{between} (assumed: `--runs 5` measures it)"),
    };
    format!("error bars: ±{bar} of the whole, mostly for {cause}; {another}")
}

/// The corrected time of one run of several.
pub(crate) fn mean_of_runs(profile: &Profile, corrected: &CorrectedTimes, runs: usize) -> String {
    let sum = sum_of_threads(profile, corrected);
    let of_one = |nanos: f64| nanos / runs.max(1) as f64;
    with_error_bar(of_one(sum.total_nanos), of_one(sum.total_error_nanos)).trim_end().to_owned()
}

/// The costs of the first JVM that has any.
fn costs(corrected: &CorrectedTimes) -> Option<Costs> {
    corrected.costs.iter().flatten().next().copied()
}

fn cost(cost: Cost) -> String {
    format!("{:.1} ± {:.1} ns", cost.nanos, cost.error_nanos)
}
