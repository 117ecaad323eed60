//! User messages of `plan`.

mod paths;

pub(crate) use paths::paths;

use super::{REMEDIES, by_reason, notices, objects, skip_line, unnamed};
use jfathom_archive::Notice;
use jfathom_instrument::{Analysis, ObjectSource, PlanOutcome};
use jfathom_plan::{CallGraph, MethodKey};
use jfathom_report::number::{counted, grouped, seconds, size};
use jfathom_report::unfollowed_sentence;
use std::time::Duration;

/// Rows of a list without --verbose.
const ROWS: usize = 10;
/// Roots and recursive methods that are named.
const NAMES: usize = 3;

/// The methods that would be instrumented, and why.
pub(crate) fn summary(plan: &PlanOutcome, verbose: bool, time: Duration) -> String {
    let mut text = String::new();
    let rows = if verbose { usize::MAX } else { ROWS };
    if let Some(analysis) = &plan.analysis {
        for line in unnamed(&analysis.unnamed) {
            put_line!(text, "{line}");
        }
        head(&mut text, plan, analysis, rows);
    } else if !plan.selection.roots.is_empty() {
        put_line!(text, "scheme      total: every selected method, called by a root or not");
    }
    put_line!(
        text,
        "would instrument {} in {} of {}",
        match plan.all_methods {
            Some(all) => format!(
                "{} of {}",
                grouped(plan.methods.len() as u64),
                counted(all, "method", "methods")
            ),
            None => counted(plan.methods.len(), "method", "methods"),
        },
        grouped(plan.classes() as u64),
        counted(plan.all_classes, "class", "classes"),
    );
    if plan.analysis.is_some() {
        let reasons = plan
            .by_reason()
            .into_iter()
            .map(|(why, count)| (why.name().to_owned(), count))
            .collect();
        table(&mut text, "by reason", reasons, rows);
    }
    let package = |name: &str| {
        if name.is_empty() { "(no package)".to_owned() } else { name.replace('/', ".") }
    };
    let packages =
        plan.by_package().into_iter().map(|(name, count)| (package(name), count)).collect();
    table(&mut text, "by package", packages, rows);
    inputs(&mut text, plan, rows);
    sizes(&mut text, plan);
    skipped(&mut text, plan, verbose);
    if let Some(analysis) = &plan.analysis {
        gaps(&mut text, analysis, rows);
    }
    if !plan.selection.roots.is_empty() {
        let [one, many] = ["hand-off to another thread", "hand-offs to other threads"];
        put_line!(text, "{} would be followed", counted(plan.hand_offs, one, many));
    }
    put_line!(text, "nothing was written; {}", seconds(time));
    text
}

/// The roots, and how their call subgraph was found.
fn head(text: &mut String, plan: &PlanOutcome, analysis: &Analysis, rows: usize) {
    let mut list = |name: &str, keys: &[MethodKey]| {
        if let Some(names) = named(keys) {
            put_line!(text, "{name:<12}{names}");
        }
    };
    list("root", &analysis.roots);
    list("assumed", &analysis.assumed);
    let call_graph = match plan.selection.call_graph() {
        Some(CallGraph::Cha) => "cha: a virtual call may have any class as its receiver",
        _ => "rta: a virtual call may have any instantiated class as its receiver",
    };
    put_line!(text, "call graph  {call_graph}");
    let hint = match analysis.objects {
        ObjectSource::Program => "; --entry-point makes the plan smaller",
        ObjectSource::Mains(_) => "; --entry-point names others",
        ObjectSource::Roots | ObjectSource::Entries(_) => "",
    };
    put_line!(text, "entries     {}{hint}", objects(&analysis.objects));
    if let Some(calls) = &analysis.profiled {
        let files: Vec<String> =
            calls.profiles.iter().map(|path| path.display().to_string()).collect();
        let unknown = match calls.unknown {
            0 => String::new(),
            unknown => format!(", {} not in the inputs", grouped(unknown as u64)),
        };
        put_line!(
            text,
            "profiled    {} in {}; {} found only there{unknown}",
            counted(calls.called, "called method", "called methods"),
            files.join(", "),
            grouped(calls.found_only.len() as u64),
        );
        for key in calls.found_only.iter().take(rows) {
            put_line!(text, "              {key}");
        }
        more(text, calls.found_only.len(), rows);
    }
    let instrumented = if plan.selection.include_jdk { "" } else { ", not instrumented" };
    put_line!(
        text,
        "JDK         {} at {}: {} analyzed{instrumented}",
        analysis.jdk.version,
        analysis.jdk.home.display(),
        counted(analysis.jdk_methods, "method", "methods")
    );
}

/// Some names, and how many more there are.
fn named(keys: &[MethodKey]) -> Option<String> {
    if keys.is_empty() {
        return None;
    }
    let mut names = keys.iter().take(NAMES).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if let Some(more) = keys.len().checked_sub(NAMES).filter(|&more| more > 0) {
        names.push_str(&format!(" and {} more", grouped(more as u64)));
    }
    Some(names)
}

fn table(text: &mut String, title: &str, counts: Vec<(String, usize)>, rows: usize) {
    if counts.is_empty() {
        return;
    }
    put_line!(text, "  {title}");
    for (name, count) in counts.iter().take(rows) {
        put_line!(text, "  {:>10}  {name}", grouped(*count as u64));
    }
    more(text, counts.len(), rows);
}

fn more(text: &mut String, all: usize, shown: usize) {
    if let Some(more) = all.checked_sub(shown).filter(|&more| more > 0) {
        put_line!(text, "              and {} more (-v lists all)", grouped(more as u64));
    }
}

fn inputs(text: &mut String, plan: &PlanOutcome, rows: usize) {
    let mut listed: Vec<_> = plan.inputs.iter().collect();
    listed.sort_by_key(|input| std::cmp::Reverse(input.methods));
    put_line!(text, "  by input");
    for input in listed.iter().take(rows) {
        let of =
            input.all_methods.map_or(String::new(), |all| format!("of {} ", grouped(all as u64)));
        put_line!(text, "  {:>10}  {of}in {}", grouped(input.methods as u64), input.name);
    }
    more(text, listed.len(), rows);
}

fn sizes(text: &mut String, plan: &PlanOutcome) {
    let row = |(before, after): (u64, u64)| {
        let percent = if before == 0 { 0.0 } else { (after as f64 / before as f64 - 1.0) * 100.0 };
        format!("{} → {} (+{percent:.0} %)", size(before), size(after))
    };
    put_line!(
        text,
        "size        bytecode of these methods {}, {} class files {}",
        row(plan.sizes.code),
        if plan.all_methods.is_some() { "all" } else { "their" },
        row(plan.sizes.classes)
    );
}

fn skipped(text: &mut String, plan: &PlanOutcome, verbose: bool) {
    let counts = by_reason(plan.skips());
    if counts.is_empty() {
        put_line!(text, "skipped     nothing that can be rewritten");
        return;
    }
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(reason, count)| format!("{} {reason}", grouped(count as u64)))
        .collect();
    let hint = if verbose { "" } else { " (-v lists them)" };
    put_line!(text, "skipped     {}{hint}", counts.join(", "));
    if verbose {
        for input in &plan.inputs {
            for skip in &input.skips {
                put_line!(text, "  {}!{}", input.name, skip_line(skip));
            }
        }
    }
}

/// Calls that may be missing, and recursion.
fn gaps(text: &mut String, analysis: &Analysis, rows: usize) {
    if let Some(what) = unfollowed_sentence(&analysis.unfollowed) {
        put_line!(text, "unfollowed  {what}: calls below may be missing ({REMEDIES})");
    }
    if !analysis.missing.is_empty() {
        put_line!(
            text,
            "missing     {}:",
            counted(analysis.missing.len(), "class or method", "classes or methods")
        );
        for missing in analysis.missing.iter().take(rows) {
            put_line!(text, "              {} (needed by {})", missing.what, missing.from);
        }
        more(text, analysis.missing.len(), rows);
    }
    if let Some(largest) = analysis.recursion.first() {
        let of_all = analysis.recursion.iter().map(Vec::len).sum::<usize>();
        let names = named(largest).unwrap_or_default();
        let cycles = match analysis.recursion.len() {
            1 => String::new(),
            cycles => format!(
                ", in {cycles} separate cycles; the largest has {}",
                counted(largest.len(), "method", "methods")
            ),
        };
        put_line!(
            text,
            "recursion   {}{cycles}: {names}",
            counted(
                of_all,
                "method may be called again below itself",
                "methods may be called again below themselves"
            )
        );
    }
}

/// Notices and warnings, one line each.
pub(crate) fn warnings(plan: &PlanOutcome, verbose: bool) -> String {
    let mut text = String::new();
    let is_known = |notice: &Notice| {
        matches!(
            notice,
            Notice::MultiRelease { .. }
                | Notice::DuplicateName { .. }
                | Notice::SeveralNames { .. }
                | Notice::PlacedApart { .. }
        )
    };
    notices(&mut text, &plan.notices, verbose, is_known);
    for input in plan.inputs.iter().filter(|input| input.is_signed && input.changed > 0) {
        put_line!(
            text,
            "jfathom: notice: {}: is signed; rewriting drops the signature",
            input.name
        );
    }
    for notice in plan.analysis.iter().flat_map(|analysis| &analysis.notices) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    text
}
