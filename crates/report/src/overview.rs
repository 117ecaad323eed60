//! The beginning of a report without a choice of sections: the answer, and how far to trust it.

use crate::{
    allocation,
    counted::TIMED_LEGEND,
    cpu, events, notices,
    number::{counted, duration, grouped, signed, with_error_bar},
    parked, quality, resumed, sampled_roots, samples, times,
    tree::CHAIN_LEGEND,
    trust, unfollowed,
    view::View,
    wrapped::Wrapped,
};
use jfathom_calibration::{CorrectedTimes, Times};
use jfathom_profile::{Frame, Method, Metric, Nanos, Profile, Thread};
use jfathom_views::{BETWEEN_LEGEND, Pruned, Sort};
use std::io::{self, Write};

/// Roots that are named one by one.
const ROOTS_SHOWN: usize = 4;
/// Notices that are shown.
const NOTICES_SHOWN: usize = 3;

/// Writes for each root its time and calls, then what limits them, then what was recorded.
pub(crate) fn write(
    shown: &Pruned,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let profile = shown.profile;
    let out = &mut Wrapped::new(out, view.width);
    quality::write(profile, out)?;
    unfollowed::write(&profile.meta.unfollowed, out)?;
    sampled_roots::write(profile, out)?;
    let all_calls = profile.methods.iter().map(Method::calls).fold(0, u64::saturating_add);
    let mut roots = shown.hot_methods(Sort::TotalTime);
    roots.retain(|hot| profile.method(hot.method).info.root);
    for root in roots.iter().take(ROOTS_SHOWN) {
        let runs = profile.run_count();
        let of_run = |nanos: f64| nanos / runs.max(1) as f64;
        let Times { total_nanos, total_error_nanos, .. } = root.times;
        let time = match corrected {
            Some(_) => with_error_bar(of_run(total_nanos), of_run(total_error_nanos)),
            None => signed(of_run(total_nanos)),
        };
        let per_run = if runs > 1 { " per run" } else { "" };
        write_line!(
            out,
            "root      {}: {}{per_run} in {}{}",
            shown.frame_name(Frame::Method(root.method)),
            time.trim_end(),
            counted(root.calls(), "call", "calls"),
            if runs > 1 { " of all runs" } else { "" }
        )?;
    }
    if let more @ 1.. = roots.len().saturating_sub(ROOTS_SHOWN) {
        write_line!(out, "          and {} more roots", grouped(more as u64))?;
    }
    let runs = match profile.runs.len() {
        runs @ 2.. => format!(", the sums of {runs} runs"),
        _ => String::new(),
    };
    match all_calls {
        0 => write_line!(out, "calls     none was recorded")?,
        _ => write_line!(
            out,
            "calls     {} of {} on {}, each counted{runs}",
            grouped(all_calls),
            counted(profile.method_count() as u64, "method", "methods"),
            threads(profile),
        )?,
    }
    resumed::write(profile, out)?;
    times::write_short(profile, corrected, view, out)?;
    parked::write(profile, out)?;
    profile.trust.as_ref().map_or(Ok(()), |found| trust::head(found, out))?;
    allocation::write(profile, out)?;
    cpu::write(profile, out)?;
    events::write(profile, out)?;
    samples::write(profile, out)?;
    notices::write(profile, NOTICES_SHOWN, out)?;
    let meta = &profile.meta;
    let elapsed = duration(Nanos(meta.duration_millis.saturating_mul(1_000_000)));
    let version = meta.jvms.first().map_or("?", |jvm| &*jvm.java_version);
    let jvms = match meta.jvms.len() {
        2.. => format!(" in {} JVMs", meta.jvms.len()),
        _ => String::new(),
    };
    let limits = match meta.jvms.first().map(|jvm| jvm.limits) {
        Some(limits) if !limits.is_empty() => format!(", limited to {limits}"),
        _ => String::new(),
    };
    write_line!(
        out,
        "recorded  {} in {}{jvms}, JDK {version} on {}{limits}: {}",
        counted(profile.quality.records, "record", "records"),
        elapsed.trim_end(),
        meta.machine.cpu,
        meta.command.join(" ")
    )?;
    out.flush()
}

/// The threads with calls. Carriers of virtual threads have rings, and often no calls of their own.
fn threads(profile: &Profile) -> String {
    let roots = profile.tree.roots().filter(|root| profile.tree.subtree(*root).len() > 1);
    let threads = roots.filter_map(|root| match profile.tree.frame(root) {
        Frame::Thread(thread) => profile.threads.get(thread.0 as usize),
        Frame::Method(_) | Frame::Task(_) => None,
    });
    let (virtuals, own): (Vec<&Thread>, Vec<&Thread>) =
        threads.partition(|thread| thread.is_virtual());
    match (own.len(), virtuals.is_empty()) {
        (own, true) => counted(own as u64, "thread", "threads"),
        (0, false) => "virtual threads".to_owned(),
        (own, false) => format!("{} and virtual ones", counted(own as u64, "thread", "threads")),
    }
}

/// Writes what the columns and signs of the sections mean, and where more is. `has_between` says
/// whether `⋯` is in them.
pub(crate) fn write_legend(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    has_between: bool,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut Wrapped::new(out, view.width);
    if corrected.is_some() {
        write_line!(
            out,
            "±         half of the 95 % interval; ≤ 9 s (4 s?): the interval reaches zero, the time is at \
             most 9 s, and the estimate 4 s"
        )?;
    }
    if profile.methods.iter().any(|method| method.counted > 0) {
        write_line!(out, "timed     {}", TIMED_LEGEND.trim_start_matches("timed: "))?;
    }
    if has_between {
        write_line!(out, "⋯         {}", BETWEEN_LEGEND.trim_start_matches("⋯ "))?;
    }
    if profile.methods.iter().any(|method| method.info.resumes && !method.info.is_resumption()) {
        write_line!(out, "↻         {}", resumed::RESUMED_LEGEND.trim_start_matches("↻: "))?;
    }
    if profile.tree.has(Metric::Parked) {
        write_line!(
            out,
            "parked    the part of a time in which virtual threads had no carrier: in the tree of the total, \
             else of the self time"
        )?;
    }
    if profile.allocation.is_recorded() {
        write_line!(
            out,
            "alloc     bytes that were allocated on the Java heap, with those of all callees; alloc self: \
             in the method itself, and in what it calls without a record{}",
            if profile.has_unread() { " or a reading" } else { "" }
        )?;
    }
    if profile.cpu.is_recorded() {
        write_line!(
            out,
            "cpu       the part of a time in which threads ran, with that of all callees; cpu self: in the \
             method itself; ≥: of more than 1 % of the time it is not known"
        )?;
    }
    if profile.stack_samples.is_recorded() {
        write_line!(out, "~         {}", samples::LEGEND.trim_start_matches("~ "))?;
    }
    if profile.events.are_asked() {
        write_line!(
            out,
            "why       the longest waits and pauses in the call path and below, or in the method itself; \
             unexplained: blocked time without a wait; thrown: exceptions made; caught: exceptions caught"
        )?;
    }
    if view.fold_chains {
        write_line!(out, "a › b     {}", CHAIN_LEGEND.trim_start_matches("a › b: "))?;
    }
    write_line!(
        out,
        "more      --view summary (machine, calibration, counted methods), --threshold 0.1 (more of the tree), \
         --limit 50 (more methods), --view NAME, --help"
    )?;
    out.flush()
}
