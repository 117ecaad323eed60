//! What `rewrite` says.

use super::{by_reason, notices, objects, shell, skip_line, unnamed};
use crate::{
    check,
    rewrite::{self, Report, Rewrote, Walked},
};
use jfathom_archive::Notice;
use jfathom_plan::{Placement, SkipReason};
use jfathom_report::number::{counted, grouped, seconds, size};
use jfathom_report::unfollowed_sentence;
use jfathom_rewriter::PinCounts;

/// How many files are listed without being asked for.
const FILES: usize = 20;

/// How many roots are named.
const ROOTS: usize = 5;

/// What was done, and what to do next.
pub(crate) fn summary(report: &Report) -> String {
    let mut text = String::new();
    for line in report.walked.iter().flat_map(|walked| unnamed(&walked.unnamed)) {
        put_line!(text, "{line}");
    }
    let listed = if report.args.verbose { usize::MAX } else { FILES };
    for file in report.files.iter().take(listed) {
        put_line!(text, "{}", line(file));
    }
    if let Some(more) = report.files.len().checked_sub(listed).filter(|&more| more > 0) {
        put_line!(text, "and {} (-v lists them)", counted(more, "more file", "more files"));
    }
    left_alone(&mut text, report);
    if report.args.selection.pin {
        pins(&mut text, report);
    }
    put_line!(
        text,
        "{} in {} (ids {}, plan {})",
        counted(report.files.iter().map(|file| file.methods).sum::<usize>(), "method", "methods"),
        seconds(report.time),
        report.ids,
        report.plan
    );
    let checked = rewrite::checked(&report.files);
    if !checked.is_empty() {
        text.push_str(&check::summary(&checked, report.args.verbose));
    }
    roots(&mut text, report);
    let native: Vec<&Rewrote> = report.files.iter().filter(|file| file.native_access).collect();
    if let Some((first, others)) = native.split_first() {
        let others =
            if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        put_line!(
            text,
            "{}{others}: Enable-Native-Access: ALL-UNNAMED was added to the manifest, for the faster clock of JDK 22 and later",
            first.path.display()
        );
    }
    next(&mut text, report);
    text
}

fn line(file: &Rewrote) -> String {
    let mut line = format!(
        "{}: {} of {}, {}",
        file.path.display(),
        grouped(file.changed as u64),
        counted(file.classes, "class", "classes"),
        counted(file.methods, "method", "methods")
    );
    if file.before > 0 {
        line.push_str(&format!(", {} → {}", size(file.before), size(file.after)));
        if file.changed == 0 && file.before == file.after {
            line.push_str(" (unchanged)");
        }
    }
    line
}

fn left_alone(text: &mut String, report: &Report) {
    let counts = by_reason(report.files.iter().flat_map(|file| &file.skips));
    if !counts.is_empty() {
        let counts: Vec<String> = counts
            .into_iter()
            .map(|(reason, count)| format!("{} {reason}", grouped(count as u64)))
            .collect();
        let hint =
            if report.args.verbose { "" } else { " (-v or `jfathom inspect --skips` lists them)" };
        put_line!(text, "left alone: {}{hint}", counts.join(", "));
    }
    let of =
        |reason| report.files.iter().filter_map(move |file| file.omitted.get(&reason)).sum::<u32>();
    let (without_code, unmarked) = (
        of(SkipReason::Abstract),
        report.files.iter().map(|file| file.unmarked_catches).sum::<u64>(),
    );
    if report.args.verbose {
        for file in &report.files {
            for skip in &file.skips {
                put_line!(text, "  {}!{}", file.path.display(), skip_line(skip));
            }
        }
        put_line!(
            text,
            "  {} no code",
            counted(without_code, "abstract method has", "abstract methods have")
        );
        if unmarked > 0 {
            let handlers = counted(unmarked, "exception handler has", "exception handlers have");
            put_line!(text, "  {handlers} no catch probe; what is caught there is inferred");
        }
    }
}

/// How many methods are pinned, and why others are not.
fn pins(text: &mut String, report: &Report) {
    let mut all = PinCounts::default();
    report.files.iter().for_each(|file| all += file.pins);
    let reasons = [
        (all.without_numbers, ["without a number to tie"; 2]),
        (all.constructors, ["constructor or initializer", "constructors and initializers"]),
        (all.trivial, ["trivial"; 2]),
        (all.too_large, ["too large"; 2]),
    ];
    let reasons: Vec<String> = reasons
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, [one, many])| counted(*count, one, many))
        .collect();
    let not =
        if reasons.is_empty() { String::new() } else { format!("; not: {}", reasons.join(", ")) };
    put_line!(text, "{} pinned{not}", counted(all.pinned, "method is", "methods are"));
}

fn roots(text: &mut String, report: &Report) {
    if !report.rooted {
        return;
    }
    let roots: Vec<&String> = report.files.iter().flat_map(|file| &file.roots).collect();
    let more = if roots.len() > ROOTS {
        format!(" and {} more", grouped((roots.len() - ROOTS) as u64))
    } else {
        String::new()
    };
    let names: Vec<&str> = roots.iter().take(ROOTS).map(|root| root.as_str()).collect();
    let hand_offs = report.files.iter().map(|file| file.hand_offs).sum::<u64>();
    put_line!(text, "recorded only inside {}{more}", names.join(", "));
    let policy = report.args.selection.policy;
    match &report.walked {
        Some(walked) => put_line!(
            text,
            "instrumented is what can be called there, by policy {policy}, with objects {}; `jfathom plan` says why",
            objects(&walked.objects)
        ),
        None => put_line!(text, "instrumented is everything that is selected, by policy {policy}"),
    }
    if let Some(what) =
        report.walked.as_ref().and_then(|walked| unfollowed_sentence(&walked.unfollowed))
    {
        put_line!(
            text,
            "not followed: {what}; calls below may be missing (--also, --seen, --policy total)"
        );
    }
    let [one, many] = ["hand-off to another thread is", "hand-offs to other threads are"];
    put_line!(text, "{} followed", counted(hand_offs, one, many));
}

/// The command that runs the result.
fn next(text: &mut String, report: &Report) {
    let main = report.files.iter().find(|file| file.main_class.is_some());
    let path = |file: &Rewrote| file.path.display().to_string();
    let program = match (report.placement, main) {
        (Placement::Modular, _) => {
            let module =
                report.files.iter().find_map(|file| file.module.as_deref()).unwrap_or("MODULE");
            let output = report.args.output.display().to_string();
            vec!["-p".to_owned(), output, "-m".to_owned(), format!("{module}/MAIN-CLASS")]
        }
        (Placement::JavaBase, None) => vec!["PROGRAM".to_owned()],
        (_, Some(main)) => vec!["-jar".to_owned(), path(main)],
        (_, None) => {
            vec!["-cp".to_owned(), class_path(report), "MAIN-CLASS".to_owned()]
        }
    };
    let is_apart = report.notices.iter().any(|notice| matches!(notice, Notice::PlacedApart { .. }));
    if is_apart && report.placement != Placement::Modular && main.is_some() {
        put_line!(text, "class path: {}", shell(&[class_path(report)]));
    }
    if !report.flags.is_empty() {
        put_line!(text, "it needs these JVM flags, which `jfathom record` adds to `java`:");
        put_line!(text, "  {}", shell(&report.flags));
    }
    put_line!(text, "next: jfathom record -- java {}", shell(&program));
}

/// All that was written, in the order of the inputs.
fn class_path(report: &Report) -> String {
    let paths: Vec<String> =
        report.files.iter().map(|file| file.path.display().to_string()).collect();
    paths.join(":")
}

/// What the user should look at, one line each.
pub(crate) fn warnings(report: &Report) -> String {
    let mut text = String::new();
    if let Some(Walked { missing: Some((count, example)), .. }) = &report.walked {
        put_line!(
            text,
            "jfathom: warning: {} nowhere that the roots need, such as {example}; what that calls back is not \
             instrumented (`jfathom plan` lists it)",
            counted(*count, "class or method is", "classes or methods are"),
        );
    }
    for notice in report.walked.iter().flat_map(|walked| &walked.notices) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    for remark in &report.remarks {
        put_line!(text, "jfathom: warning: {remark}");
    }
    let is_known = |notice: &Notice| {
        matches!(
            notice,
            Notice::MultiRelease { .. }
                | Notice::DuplicateName { .. }
                | Notice::SeveralNames { .. }
        )
    };
    notices(&mut text, &report.notices, report.args.verbose, is_known);
    text
}
