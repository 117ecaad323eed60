//! What was repaired or is missing, in sentences.

use crate::number::{counted, duration};
use jfathom_profile::{Profile, Quality, Ticks};
use std::io::{self, Write};

/// One sentence for each kind of repair or loss; empty where the recording is clean.
pub(crate) fn sentences(profile: &Profile) -> Vec<String> {
    let q = &profile.quality;
    let time = |ticks: Ticks| duration(profile.rate.nanos(ticks)).trim_end().to_owned();
    let losses: [(u64, &dyn Fn(u64) -> String); 21] = [
        (q.lost_records, &|n| {
            format!("{} not taken: the collector was gone or had no room", counted(n, "record was", "records were"))
        }),
        (q.lost_with_collector, &|n| {
            format!("{} lost with the killed collector", counted(n, "record was", "records were"))
        }),
        (q.gap_ticks.0, &|_| format!("{} lie in gaps of the record and in no node", time(q.gap_ticks))),
        (q.lost_rings, &|n| format!("{} not recorded for want of space", counted(n, "thread was", "threads were"))),
        (q.damaged_rings, &|n| format!("{} could not be read", counted(n, "ring", "rings"))),
        (q.inferred_exits, &|n| format!("{} inferred from later events", counted(n, "exit was", "exits were"))),
        (q.unmatched_exits, &|n| format!("{} without an entry (recording began inside)", counted(n, "exit", "exits"))),
        (q.unmatched_catches, &|n| format!("{} in no recorded frame", counted(n, "catch", "catches"))),
        (q.repaired_tasks, &|n| format!("{} closed by later events", counted(n, "task was", "tasks were"))),
        (q.backward_times, &|n| {
            format!("{} before the one in front, taken as no time", counted(n, "time was", "times were"))
        }),
        (q.unknown_records, &|n| format!("{} of unknown kinds", counted(n, "record", "records"))),
        (q.virtual_calls, &|n| {
            format!("{} on virtual threads, counted per method and in no tree", counted(n, "call", "calls"))
        }),
        (q.lost_counts, &|n| format!("{} not counted for want of space", counted(n, "call was", "calls were"))),
        (q.not_followed, &|n| {
            format!("{} to other threads could not be followed", counted(n, "hand-off", "hand-offs"))
        }),
        (q.second_runtimes, &|n| format!("{} of the runtime in one JVM", counted(n, "further copy", "further copies"))),
        (q.outside_span, &|n| format!("{} of methods that the session had no room for", counted(n, "call", "calls"))),
        (q.unnamed_methods, &|n| {
            format!("{} without a name (`?id`): their manifest was not found", counted(n, "method", "methods"))
        }),
        (q.late_calls, &|n| {
            format!(
                "{} before the probes of their callees were in place, some of whose calls are missing",
                counted(n, "first call went on", "first calls went on")
            )
        }),
        (q.failed_classes, &|n| {
            format!("{} not be instrumented and are not in the tree", counted(n, "class could", "classes could"))
        }),
        (q.restored_unlike, &|n| {
            format!("{} not the code of the beginning back", counted(n, "class has", "classes have"))
        }),
        (q.unclean_ends, &|n| {
            format!("{} without running shutdown hooks (killed or halted)", counted(n, "JVM ended", "JVMs ended"))
        }),
    ];
    let mut sentences: Vec<String> =
        losses.into_iter().filter(|(n, _)| *n > 0).map(|(n, sentence)| sentence(n)).collect();
    if q.info_dropped > 0 {
        sentences.push(format!("{} about a JVM did not fit", counted(q.info_dropped, "text", "texts")));
    }
    if sentences.is_empty() && !q.is_clean() {
        sentences.push("something was repaired that this report has no words for; see --json".to_owned());
    }
    sentences
}

/// Writes the quality line: before all numbers when the recording is not clean.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let sentences = sentences(profile);
    if !sentences.is_empty() {
        writeln!(out, "NOT CLEAN: {}", sentences.join("; "))?;
    }
    Ok(())
}

/// What happened in a sound recording and is worth a word.
pub(crate) fn remarks(profile: &Profile) -> Vec<String> {
    let Quality { open_frames, waits, adjusted, .. } = &profile.quality;
    let mut remarks = Vec::new();
    if *open_frames > 0 {
        remarks.push(format!("{} still open at the end", counted(*open_frames, "call was", "calls were")));
    }
    if *waits > 0 || adjusted.0 > 0 {
        remarks.push(format!(
            "{} of waiting for {} taken out ({})",
            duration(profile.rate.nanos(*adjusted)).trim_end(),
            match profile.meta.jvms.iter().any(|jvm| jvm.live.is_some()) {
                true => "the collector and the agent",
                false => "the collector",
            },
            counted(*waits, "wait", "waits")
        ));
    }
    remarks
}
