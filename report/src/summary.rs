//! The head of a report: what was recorded, where and how well.

use crate::{
    names::printable,
    number::{counted, duration, grouped},
    quality, threads, times,
    view::View,
};
use jfathom_profile::{Corrected, Jvm, Nanos, Profile};
use std::io::{self, Write};

/// JVMs that are described one by one.
const JVMS_SHOWN: usize = 8;

/// Writes the head. What was repaired or lost comes first.
pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&Corrected>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let meta = &profile.meta;
    quality::write(profile, out)?;
    writeln!(out, "command   {}", printable(&meta.command.join(" ")))?;
    for jvm in meta.jvms.iter().take(JVMS_SHOWN) {
        write_jvm(jvm, meta.jvms.len() > 1, out)?;
    }
    if let more @ 1.. = meta.jvms.len().saturating_sub(JVMS_SHOWN) {
        writeln!(out, "jvm       and {} more", grouped(more as u64))?;
    }
    if profile.runs.len() > 1 {
        writeln!(out, "runs      {} runs are added up; bars hold what they differ by", profile.runs.len())?;
    } else if meta.jvms.len() > 1 {
        writeln!(out, "merged    the records of {} JVMs are added up", meta.jvms.len())?;
    }
    let machine = &meta.machine;
    let facts = [printable(&machine.os), printable(&machine.arch), printable(&machine.cpu)];
    let facts: Vec<String> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    writeln!(out, "machine   {}, {}", facts.join(", "), counted(machine.cpus.into(), "processor", "processors"))?;
    let elapsed = duration(Nanos(meta.duration_millis.saturating_mul(1_000_000)));
    writeln!(
        out,
        "recorded  {} in {}: {} of {} on {}, {}",
        counted(profile.quality.records, "record", "records"),
        elapsed.trim_end(),
        counted(profile.tree.roots().map(|root| threads::calls(profile, root)).sum(), "call", "calls"),
        counted(profile.methods.len() as u64, "method", "methods"),
        counted(profile.threads.len() as u64, "thread", "threads"),
        counted(profile.tree.len() as u64, "tree node", "tree nodes"),
    )?;
    times::write(profile, corrected, view, out)?;
    times::write_modes(profile, out)?;
    for remark in quality::remarks(profile) {
        writeln!(out, "note      {remark}")?;
    }
    for notice in &meta.notices {
        writeln!(out, "note      {}", printable(notice))?;
    }
    Ok(())
}

fn write_jvm(jvm: &Jvm, several: bool, out: &mut dyn Write) -> io::Result<()> {
    let clock = &jvm.clock;
    let hz = clock.rate.hz();
    let rate = if hz == 1_000_000_000 { String::new() } else { format!(" at {:.1} MHz", hz as f64 / 1e6) };
    let roots = if jvm.roots { "inside roots only" } else { "everything" };
    writeln!(
        out,
        "jvm       {} {} ({}), pid {}, clock {}{rate} ({}), records {roots}",
        printable(&jvm.vm_name),
        printable(&jvm.java_version),
        printable(&jvm.vendor),
        jvm.pid,
        clock.name,
        clock.reason
    )?;
    if several {
        writeln!(out, "          {}", printable(&jvm.command))?;
    }
    Ok(())
}
