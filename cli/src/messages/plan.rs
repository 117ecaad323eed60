//! What `plan` says.

mod paths;

pub(crate) use paths::ways;

use super::{by_reason, notices, objects, skip_line, unnamed};
use crate::{
    plan::{Report, WalkFacts},
    select::ObjectSource,
};
use jfathom_archive::Notice;
use jfathom_plan::MethodKey;
use jfathom_report::number::{counted, grouped, seconds, size};
use jfathom_report::unfollowed_sentence;

/// How many rows of a list are shown without being asked for.
const ROWS: usize = 10;
/// How many roots and recursive methods are named.
const NAMES: usize = 3;

/// What would be instrumented, and why.
pub(crate) fn summary(report: &Report, verbose: bool) -> String {
    let mut text = String::new();
    let rows = if verbose { usize::MAX } else { ROWS };
    if let Some(walk) = &report.walk {
        for line in unnamed(&walk.unnamed) {
            put_line!(text, "{line}");
        }
        head(&mut text, report, walk);
    } else if !report.args.selection.root.is_empty() {
        put_line!(
            text,
            "policy      total: everything that is selected, whatever the roots can call"
        );
    }
    put_line!(
        text,
        "would instrument {} in {} of {}",
        match report.all_methods {
            Some(all) => format!(
                "{} of {}",
                grouped(report.methods.len() as u64),
                counted(all, "method", "methods")
            ),
            None => counted(report.methods.len(), "method", "methods"),
        },
        grouped(report.classes() as u64),
        counted(report.all_classes, "class", "classes"),
    );
    if report.walk.is_some() {
        let reasons = report
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
        report.by_package().into_iter().map(|(name, count)| (package(name), count)).collect();
    table(&mut text, "by package", packages, rows);
    inputs(&mut text, report, rows);
    sizes(&mut text, report);
    left_alone(&mut text, report, verbose);
    if let Some(walk) = &report.walk {
        unknown(&mut text, walk, rows);
    }
    if !report.args.selection.root.is_empty() {
        let [one, many] = ["hand-off to another thread", "hand-offs to other threads"];
        put_line!(text, "{} would be followed", counted(report.hand_offs, one, many));
    }
    put_line!(text, "nothing was written; {}", seconds(report.time));
    text
}

fn head(text: &mut String, report: &Report, walk: &WalkFacts) {
    let mut list = |name: &str, keys: &[MethodKey]| {
        if let Some(names) = named(keys) {
            put_line!(text, "{name:<12}{names}");
        }
    };
    list("root", &walk.roots);
    list("also", &walk.also);
    let policy = match report.args.selection.policy.name() {
        "static" => "static: calls reach the methods of classes that have objects",
        _ => "cha: calls reach the methods of all classes",
    };
    put_line!(text, "policy      {policy}");
    let hint = match walk.objects {
        ObjectSource::Program => "; --entry, naming the methods that do, makes the plan smaller",
        ObjectSource::Mains(_) => "; --entry names other methods that do",
        ObjectSource::Roots | ObjectSource::Entries(_) => "",
    };
    put_line!(text, "objects     {}{hint}", objects(&walk.objects));
    if let Some(seen) = &walk.seen {
        let files: Vec<String> =
            seen.profiles.iter().map(|path| path.display().to_string()).collect();
        put_line!(
            text,
            "seen        {} in {}; {} found by that only{}",
            counted(seen.called, "called method", "called methods"),
            files.join(", "),
            grouped(seen.found_only.len() as u64),
            if seen.unknown > 0 {
                format!(", {} not in the inputs", grouped(seen.unknown as u64))
            } else {
                String::new()
            }
        );
        let shown = if report.args.verbose { usize::MAX } else { ROWS };
        for key in seen.found_only.iter().take(shown) {
            put_line!(text, "              {key}");
        }
        more(text, seen.found_only.len(), shown);
    }
    let instrumented = if report.args.selection.jdk_methods { "" } else { ", not instrumented" };
    put_line!(
        text,
        "JDK         {} at {}: {} walked through{instrumented}",
        walk.jdk.version,
        walk.jdk.home.display(),
        counted(walk.jdk_methods, "method", "methods")
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

fn inputs(text: &mut String, report: &Report, rows: usize) {
    let mut listed: Vec<_> = report.inputs.iter().collect();
    listed.sort_by_key(|input| std::cmp::Reverse(input.methods));
    put_line!(text, "  by input");
    for input in listed.iter().take(rows) {
        let of =
            input.all_methods.map_or(String::new(), |all| format!("of {} ", grouped(all as u64)));
        put_line!(text, "  {:>10}  {of}in {}", grouped(input.methods as u64), input.name);
    }
    more(text, listed.len(), rows);
}

fn sizes(text: &mut String, report: &Report) {
    let row = |(before, after): (u64, u64)| {
        let percent = if before == 0 { 0.0 } else { (after as f64 / before as f64 - 1.0) * 100.0 };
        format!("{} → {} (+{percent:.0} %)", size(before), size(after))
    };
    put_line!(
        text,
        "size        bytecode of these methods {}, {} class files {}",
        row(report.sizes.code),
        if report.all_methods.is_some() { "all" } else { "their" },
        row(report.sizes.classes)
    );
}

fn left_alone(text: &mut String, report: &Report, verbose: bool) {
    let counts = by_reason(report.skips());
    if counts.is_empty() {
        put_line!(text, "left alone  nothing that can be rewritten");
        return;
    }
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(reason, count)| format!("{} {reason}", grouped(count as u64)))
        .collect();
    let hint = if verbose { "" } else { " (-v lists them)" };
    put_line!(text, "left alone  {}{hint}", counts.join(", "));
    if verbose {
        for input in &report.inputs {
            for skip in &input.skips {
                put_line!(text, "  {}!{}", input.name, skip_line(skip));
            }
        }
    }
}

fn unknown(text: &mut String, walk: &WalkFacts, rows: usize) {
    if let Some(what) = unfollowed_sentence(&walk.unfollowed) {
        put_line!(
            text,
            "unfollowed  {what}: calls below may be missing (--also, --seen, --policy total)"
        );
    }
    if !walk.missing.is_empty() {
        put_line!(
            text,
            "nowhere     {}:",
            counted(walk.missing.len(), "class or method", "classes or methods")
        );
        for it in walk.missing.iter().take(rows) {
            put_line!(text, "              {} (needed by {})", it.what, it.from);
        }
        more(text, walk.missing.len(), rows);
    }
    if let Some(largest) = walk.recursion.first() {
        let of_all = walk.recursion.iter().map(Vec::len).sum::<usize>();
        let names = named(largest).unwrap_or_default();
        let circles = match walk.recursion.len() {
            1 => String::new(),
            circles => format!(
                ", in {circles} separate circles; the largest has {}",
                counted(largest.len(), "method", "methods")
            ),
        };
        put_line!(
            text,
            "recursion   {}{circles}: {names}",
            counted(
                of_all,
                "method may come to be called again below itself",
                "methods may come to be called again below themselves"
            )
        );
    }
}

/// What the user should look at, one line each.
pub(crate) fn warnings(report: &Report, verbose: bool) -> String {
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
    notices(&mut text, &report.notices, verbose, is_known);
    for input in report.inputs.iter().filter(|input| input.is_signed && input.changed > 0) {
        put_line!(
            text,
            "jfathom: notice: {}: is signed; rewriting drops the signature",
            input.name
        );
    }
    for notice in report.walk.iter().flat_map(|walk| &walk.notices) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    text
}
