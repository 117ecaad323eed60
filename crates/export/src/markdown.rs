//! Ten lines of Markdown for a pull request: the quality first, then the sums and five methods.

use crate::notes::Notes;
use jfathom_profile::{Frame, Nanos};
use jfathom_views::{Shown, Sort, number};
use std::io::{self, Write};

const METHODS: usize = 5;

pub(crate) fn write(shown: &Shown, out: &mut impl Write) -> io::Result<()> {
    let notes = Notes::of(shown);
    writeln!(out, "- **Quality:** {}", inline(&notes.quality))?;
    writeln!(out, "- **Recorded:** {}", recorded(shown, &notes))?;
    writeln!(out, "- **In all:** {}", whole(shown))?;
    let methods = methods(shown);
    if methods.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(out, "| method | calls | self time | total time |")?;
    writeln!(out, "|---|---:|---:|---:|")?;
    for [name, calls, self_time, total] in methods {
        writeln!(out, "| {} | {calls} | {self_time} | {total} |", inline(&name))?;
    }
    Ok(())
}

/// Command, JVM and length.
fn recorded(shown: &Shown, notes: &Notes) -> String {
    let meta = &shown.profile.meta;
    let jvm = match &meta.jvms[..] {
        [jvm] => format!("JVM {}", jvm.java_version),
        jvms => number::counted(jvms.len(), "JVM", "JVMs"),
    };
    let runs = match shown.profile.run_count() {
        0 | 1 => String::new(),
        runs => format!(", {runs} runs"),
    };
    let elapsed = number::duration(Nanos(meta.duration_millis.saturating_mul(1_000_000)));
    let threads =
        shown.roots.iter().filter(|root| matches!(shown.tree.frame(**root), Frame::Thread(_)));
    let threads = match threads.count() {
        0 => "threads merged".to_owned(),
        count => number::counted(count, "thread", "threads"),
    };
    inline(&format!("`{}`, {jvm}{runs}, {threads}, {}", notes.command, elapsed.trim_end()))
}

/// Time, calls and what the times are.
fn whole(shown: &Shown) -> String {
    let mut total = jfathom_calibration::Times::default();
    shown.roots.iter().for_each(|root| total = total.plus(shown.times_or_measured(*root)));
    let methods = shown.hot_methods(Sort::SelfTime);
    let calls = methods.iter().map(|hot| hot.calls()).fold(0, u64::saturating_add);
    let times = match shown.is_corrected() {
        true => "wall time without the probes' cost, ± 95 %",
        false => "wall time as measured, the probes' cost in it",
    };
    format!(
        "{} in {} of {} ({times})",
        time(shown, total.total_nanos, total.total_error_nanos),
        number::counted(calls, "call", "calls"),
        number::counted(methods.len(), "method", "methods"),
    )
}

/// Name, calls, self and total time of the methods with the largest self time.
fn methods(shown: &Shown) -> Vec<[String; 4]> {
    let rows = shown.hot_methods(Sort::SelfTime);
    let rows = rows.into_iter().take(METHODS);
    rows.map(|hot| {
        let times = hot.times;
        let is_timed = hot.has_time();
        let or_dash = |nanos, bar| match is_timed {
            true => time(shown, nanos, bar),
            false => "not timed".to_owned(),
        };
        [
            format!("`{}`", shown.names.method(hot.method)),
            number::grouped(hot.calls()),
            or_dash(times.self_nanos, times.self_error_nanos),
            or_dash(times.total_nanos, times.total_error_nanos),
        ]
    })
    .collect()
}

fn time(shown: &Shown, nanos: f64, bar: f64) -> String {
    match shown.is_corrected() {
        true => number::with_error_bar(nanos, bar),
        false => number::duration(Nanos(nanos.round() as u64)).trim_end().to_owned(),
    }
}

/// A text in one line of a list or a table.
fn inline(text: &str) -> String {
    text.replace('|', "\\|")
}
