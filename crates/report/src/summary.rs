//! The head of a report: what was recorded, where and how well.

use crate::{
    allocation, budget, cpu, events, notices,
    number::{counted, duration, grouped},
    parked, quality, resumed, sampled_roots, samples, threads, times, trust, unfollowed,
    view::View,
};
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Jvm, LiveSessionInfo, Nanos, Profile};
use std::io::{self, Write};

/// JVMs that are described one by one.
const JVMS_SHOWN: usize = 8;

/// Writes the head. What was repaired or lost comes first.
pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let meta = &profile.meta;
    let is_clean = quality::write(profile, out)?;
    if !is_clean {
        unfollowed::write(&meta.unfollowed, out)?;
        sampled_roots::write(profile, out)?;
    }
    write_line!(out, "command   {}", meta.command.join(" "))?;
    if is_clean {
        unfollowed::write(&meta.unfollowed, out)?;
        sampled_roots::write(profile, out)?;
    }
    for jvm in meta.jvms.iter().take(JVMS_SHOWN) {
        write_jvm(jvm, meta.jvms.len() > 1, out)?;
    }
    if let more @ 1.. = meta.jvms.len().saturating_sub(JVMS_SHOWN) {
        write_line!(out, "jvm       and {} more", grouped(more as u64))?;
    }
    if profile.runs.len() > 1 {
        let runs = profile.runs.len();
        let mean = corrected.map_or(String::new(), |corrected| {
            format!(", {} per run", times::mean_of_runs(profile, corrected, runs))
        });
        write_line!(
            out,
            "runs      {runs}: calls and times below are sums of the runs{mean}; error bars contain their spread"
        )?;
    } else if meta.jvms.len() > 1 {
        write_line!(out, "merged    the records of {} JVMs are added up", meta.jvms.len())?;
    }
    if !meta.labels.is_empty() {
        let labels = meta.labels.iter().map(|(key, value)| format!("{key}={value}"));
        write_line!(out, "labels    {}", labels.collect::<Vec<_>>().join(" "))?;
    }
    if let Some(size) = meta.size {
        write_line!(out, "size      {} (record --sizes)", grouped(size.get()))?;
    }
    if meta.interleaving_id.is_some() {
        write_line!(
            out,
            "series    interleaved with the runs of another profile (record --baseline)"
        )?;
    }
    let machine = &meta.machine;
    let facts = [&machine.os, &machine.arch, &machine.cpu];
    let facts: Vec<&str> =
        facts.into_iter().map(String::as_str).filter(|fact| !fact.is_empty()).collect();
    write_line!(
        out,
        "machine   {}, {}",
        facts.join(", "),
        counted(machine.cpus, "processor", "processors")
    )?;
    if let limits @ [_, ..] = &limits(&meta.jvms)[..] {
        write_line!(out, "limits    {} (control groups)", limits.join("; "))?;
    }
    let elapsed = duration(Nanos(meta.duration_millis.saturating_mul(1_000_000)));
    write_line!(
        out,
        "recorded  {} in {}: {} of {} on {}, {}",
        counted(profile.quality.records, "record", "records"),
        elapsed.trim_end(),
        counted(
            profile.tree.roots().map(|root| threads::calls(profile, root)).sum::<u64>(),
            "call",
            "calls"
        ),
        counted(profile.method_count() as u64, "method", "methods"),
        counted(profile.threads.len() as u64, "thread", "threads"),
        counted(profile.tree.len() as u64, "tree node", "tree nodes"),
    )?;
    resumed::write(profile, out)?;
    times::write(profile, corrected, view, out)?;
    parked::write(profile, out)?;
    profile.trust.as_ref().map_or(Ok(()), |found| trust::head(found, out))?;
    allocation::write(profile, out)?;
    cpu::write(profile, out)?;
    events::write(profile, out)?;
    samples::write(profile, out)?;
    times::write_modes(profile, out)?;
    budget::write(profile, out)?;
    for remark in jfathom_views::quality::remarks(profile) {
        write_line!(out, "note      {remark}")?;
    }
    notices::write(profile, usize::MAX, out)
}

/// Limits of the JVMs, each once.
fn limits(jvms: &[Jvm]) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for limits in jvms.iter().map(|jvm| &jvm.limits).filter(|limits| !limits.is_empty()) {
        let text = limits.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

fn write_jvm(jvm: &Jvm, several: bool, out: &mut dyn Write) -> io::Result<()> {
    let clock = &jvm.clock;
    let hz = clock.rate.hz();
    let rate =
        if hz == 1_000_000_000 { String::new() } else { format!(" at {:.1} MHz", hz as f64 / 1e6) };
    let drift = clock.drift.map_or(String::new(), |drift| {
        format!(", off by {:.1} ppm", drift.parts_per_billion as f64 / 1e3)
    });
    let roots = if jvm.has_roots { "inside roots only" } else { "everything" };
    write_line!(
        out,
        "jvm       {} {} ({}), pid {}, clock {}{rate}{drift} ({}), records {roots}",
        jvm.vm_name,
        jvm.java_version,
        jvm.vendor,
        jvm.pid,
        clock.name,
        clock.reason
    )?;
    if several {
        write_line!(out, "          {}", jvm.command)?;
    }
    jvm.live.as_ref().map_or(Ok(()), |live| write_live(live, out))
}

/// Roots of a live session that are described one by one.
const ROOTS_SHOWN: usize = 4;

/// When the roots were live, and what the probes' coming has cost.
fn write_live(live: &LiveSessionInfo, out: &mut dyn Write) -> io::Result<()> {
    let time = |nanos| duration(Nanos(nanos)).trim().to_owned();
    let roots = live.roots.iter().take(ROOTS_SHOWN).map(|root| match root.live_at {
        Some(at) => format!("{} live after {}", root.selector, time(at)),
        None => format!("{} never live", root.selector),
    });
    let more = live.roots.len().checked_sub(ROOTS_SHOWN).filter(|more| *more > 0);
    let roots: Vec<String> =
        roots.chain(more.map(|more| format!("{} more", grouped(more as u64)))).collect();
    write_line!(out, "live      {}, {}", live.scheme, roots.join("; "))?;
    let mut facts = vec![
        format!("{} instrumented", counted(live.methods, "method", "methods")),
        format!("{} at load", counted(live.at_load, "class", "classes")),
        format!(
            "{} of {} in {}",
            counted(live.retransformations, "retransformation", "retransformations"),
            counted(live.retransformed_classes, "class", "classes"),
            time(live.pause_nanos)
        ),
    ];
    if live.skipped > 0 {
        facts.push(format!("{} skipped", grouped(live.skipped)));
    }
    write_line!(out, "          {}", facts.join(", "))
}
