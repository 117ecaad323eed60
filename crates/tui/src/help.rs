//! Texts that explain: the keys, the columns, the recording.

use crate::key::KEYS;
use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_views::{
    Shown,
    number::{counted, grouped, short_with_error_bar},
};

/// The keys and the columns, by lines, and what `⋯` means if the profile has it.
pub(crate) fn help(profile: &Profile) -> Vec<String> {
    let keys = KEYS.iter().map(|(keys, what)| format!("{keys:<16}{what}"));
    let columns = [
        "",
        "±       half of the 95 % interval of a time",
        "≤       the interval reaches zero: the time is at most that",
        "calls   all calls, each counted; timed: those with a time, if not all",
        "        counted calls have none: their time is in the method that called them",
        "alloc   bytes allocated on the Java heap (record --metrics alloc)",
        "cpu     how long threads ran (record --metrics cpu); ≥ where much of it is unknown",
    ];
    let between = [
        "⋯       calls that were counted and not timed: what is below it was called below",
        "        the method above it, not always by itself",
    ];
    let between = between.into_iter().filter(|_| profile.has_between());
    keys.chain(columns.into_iter().chain(between).map(str::to_owned)).collect()
}

/// What was recorded and how well, by lines. `losses` are sentences.
pub(crate) fn about(shown: &Shown) -> Vec<String> {
    let profile = shown.profile;
    let Profile { meta, quality, threads, .. } = profile;
    let whole: f64 =
        shown.roots.iter().map(|root| shown.times_or_measured(*root).total_error_nanos).sum();
    let mut lines = vec![
        match quality.is_clean() {
            true => "clean: nothing was lost".to_owned(),
            false => "NOT CLEAN: `jfathom report --view summary` says what was repaired or lost"
                .to_owned(),
        },
        String::new(),
        format!("command   {}", printable(&meta.command.join(" "))),
    ];
    for jvm in meta.jvms.iter().take(8) {
        lines.push(format!(
            "jvm       {} {}, pid {}, clock {}",
            printable(&jvm.vm_name),
            printable(&jvm.java_version),
            jvm.pid,
            printable(&jvm.clock.name)
        ));
    }
    lines.push(format!(
        "machine   {}, {}",
        printable(&meta.machine.cpu),
        counted(meta.machine.cpus, "processor", "processors")
    ));
    lines.push(format!(
        "recorded  {} of {} on {}",
        counted(quality.records, "record", "records"),
        counted(profile.method_count() as u64, "method", "methods"),
        counted(threads.len() as u64, "thread", "threads")
    ));
    lines.push(format!("calls     {}", grouped(shown.calls as u64)));
    lines.push(format!(
        "time      {}, {}",
        short_with_error_bar(shown.whole, whole),
        match shown.is_corrected() {
            true => "the probes' cost subtracted",
            false => "as measured, the probes' cost in it",
        }
    ));
    lines
}
