//! User messages of `rewrite`.

use super::notices;
use crate::{check, java::NATIVE_CLOCK};
use jfathom_archive::Notice;
use jfathom_instrument::{
    AnalysisSummary, Libraries, Rewriting, RewrittenInput, Selection, read_backs,
};
use jfathom_plan::{Placement, SkipReason, shell_words};
use jfathom_report::{
    REMEDIES, entry_points, names_and_more,
    number::{counted, grouped, seconds, size},
    skip_counts, unfollowed_sentence, unnamed_lines,
};
use std::{collections::BTreeSet, path::Path, time::Duration};

/// Files that are listed without --verbose.
const FILES: usize = 20;

/// Roots that are named.
const ROOTS: usize = 5;

/// Kotlin files that are named.
const KOTLIN: usize = 3;

/// Contents of the summary.
pub(crate) struct Shown<'a> {
    pub(crate) selection: &'a Selection,
    pub(crate) rewriting: &'a Rewriting,
    /// The output directory as the user named it.
    pub(crate) output: &'a Path,
    /// Feature version of the Java that the program runs on, if known.
    pub(crate) java: Option<u32>,
    pub(crate) verbose: bool,
}

/// The outputs, and the command that runs them.
pub(crate) fn summary(shown: &Shown<'_>, time: Duration) -> String {
    let Shown { selection, rewriting, verbose, .. } = *shown;
    let mut text = String::new();
    for path in &rewriting.kept {
        let why = "it was written from the same file with the same options";
        put_line!(text, "{}: kept: {why}", path.display());
    }
    if rewriting.files.is_empty() {
        return text;
    }
    for line in rewriting.analysis.iter().flat_map(|analysis| unnamed_lines(&analysis.unnamed)) {
        put_line!(text, "{line}");
    }
    files(&mut text, &rewriting.files, verbose);
    skipped(&mut text, rewriting, verbose);
    let methods = rewriting.files.iter().map(|file| file.methods).sum::<usize>();
    put_line!(
        text,
        "{} in {} (ids {}, plan {})",
        methods_of(methods, rewriting.files.iter().map(|file| file.of_libraries).sum()),
        seconds(time),
        rewriting.ids,
        rewriting.plan
    );
    let counted_only = rewriting.files.iter().map(|file| file.counted_only).sum::<usize>();
    if counted_only > 0 {
        let what = counted(counted_only, "method", "methods");
        let has_libraries = rewriting.files.iter().any(|file| file.of_libraries > 0);
        let why = match selection.of_libraries() {
            _ if selection.count_only => "",
            Libraries::Count if has_libraries => {
                ", those of libraries (--libraries time) or too small for a time"
            }
            _ => ", too small for a time",
        };
        put_line!(text, "counted only: {what}{why}");
    }
    let checked = read_backs(&rewriting.files);
    if !checked.is_empty() {
        text.push_str(&check::summary(&checked, verbose));
    }
    roots(&mut text, selection, rewriting);
    if verbose || shown.java.is_none_or(|java| java >= NATIVE_CLOCK) {
        native_access(&mut text, rewriting);
    }
    next(&mut text, rewriting, shown.output);
    text
}

/// The number of methods, those of libraries apart.
fn methods_of(all: usize, of_libraries: usize) -> String {
    match of_libraries {
        0 => counted(all, "method", "methods"),
        some => format!(
            "{} of yours, {} of libraries",
            counted(all.saturating_sub(some), "method", "methods"),
            grouped(some as u64)
        ),
    }
}

fn files(text: &mut String, files: &[RewrittenInput], verbose: bool) {
    let listed = if verbose { usize::MAX } else { FILES };
    for file in files.iter().take(listed) {
        put_line!(text, "{}", line(file));
    }
    if let Some(more) = files.len().checked_sub(listed).filter(|&more| more > 0) {
        put_line!(text, "and {} (-v lists them)", counted(more, "more file", "more files"));
    }
}

/// The jar manifests that got an entry. It matters only to a JVM that asks for it.
fn native_access(text: &mut String, rewriting: &Rewriting) {
    let mut changed = rewriting.files.iter().filter(|file| file.native_access);
    let Some(first) = changed.next() else { return };
    let others = match changed.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    put_line!(
        text,
        "{}{others}: the jar manifest now has Enable-Native-Access: ALL-UNNAMED, for the faster \
         clock of JDK {NATIVE_CLOCK} and later, and Add-Exports of two of the JDK's packages, for \
         virtual threads",
        first.path.display()
    );
}

fn line(file: &RewrittenInput) -> String {
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

fn skipped(text: &mut String, rewriting: &Rewriting, verbose: bool) {
    if let Some(counts) = skip_counts(rewriting.files.iter().flat_map(|file| &file.skips)) {
        let hint = if verbose { "" } else { " (-v or `jfathom inspect --list skips` lists them)" };
        put_line!(text, "skipped: {counts}{hint}");
    }
    let counts =
        rewriting.files.iter().filter_map(|file| file.skip_counts.get(&SkipReason::Abstract));
    let abstract_methods = counts.sum::<u32>();
    let unmarked = rewriting.files.iter().map(|file| file.unmarked_catches).sum::<u64>();
    if verbose {
        for file in &rewriting.files {
            for skip in &file.skips {
                put_line!(text, "  {}!{skip}", file.path.display());
            }
        }
        put_line!(
            text,
            "  {} no code",
            counted(abstract_methods, "abstract method has", "abstract methods have")
        );
        if unmarked > 0 {
            let handlers = counted(unmarked, "exception handler has", "exception handlers have");
            put_line!(text, "  {handlers} no catch probe; the catch is inferred");
        }
    }
}

fn roots(text: &mut String, selection: &Selection, rewriting: &Rewriting) {
    if !rewriting.has_roots {
        return;
    }
    let mut roots: Vec<&String> = rewriting.files.iter().flat_map(|file| &file.roots).collect();
    // A multi-release jar has a root once for each release.
    let mut named = BTreeSet::new();
    roots.retain(|root| named.insert(*root));
    let hand_offs = rewriting.files.iter().map(|file| file.hand_offs).sum::<u64>();
    put_line!(text, "recorded only inside {}", names_and_more(&roots, ROOTS));
    match (&rewriting.analysis, selection.call_graph()) {
        (Some(analysis), Some(call_graph)) => put_line!(
            text,
            "instrumented: the methods that can be called there, by call graph {call_graph} with entries {}; \
             `jfathom plan` says why",
            entry_points(&analysis.objects)
        ),
        _ if selection.regions_are_roots() && !selection.has_inclusion() => {
            put_line!(text, "instrumented: the regions only");
        }
        _ => put_line!(text, "instrumented: every selected method (scheme total)"),
    }
    let unfollowed =
        rewriting.analysis.as_ref().and_then(|analysis| unfollowed_sentence(&analysis.unfollowed));
    if let Some(what) = unfollowed {
        put_line!(text, "not followed: {what}; calls below may be missing ({REMEDIES})");
    }
    let [one, many] = ["hand-off to another thread is", "hand-offs to other threads are"];
    put_line!(text, "{} followed", counted(hand_offs, one, many));
}

/// The command that runs the result.
fn next(text: &mut String, rewriting: &Rewriting, output: &Path) {
    flags(text, rewriting);
    let main = rewriting.files.iter().find(|file| file.main_class.is_some());
    if let (None, Some(war)) = (main, rewriting.files.iter().find(|file| file.is_war)) {
        // A server loads its classes; `java` cannot start it.
        let [war, output] =
            [&war.path, output].map(|path| shell_words(&[path.display().to_string()]));
        put_line!(text, "next: deploy {war} in place of its original, and start the server:");
        let options = format!("--rewritten {output} --use-java-tool-options");
        put_line!(text, "  jfathom record {options} -- START-SERVER");
        return;
    }
    let path = |file: &RewrittenInput| file.path.display().to_string();
    let program = match (rewriting.placement, main) {
        (Placement::Modular, _) => {
            let module =
                rewriting.files.iter().find_map(|file| file.module.as_deref()).unwrap_or("MODULE");
            let output = output.display().to_string();
            vec!["-p".to_owned(), output, "-m".to_owned(), format!("{module}/MAIN-CLASS")]
        }
        (Placement::JavaBase, None) => vec!["PROGRAM".to_owned()],
        (_, Some(main)) => vec!["-jar".to_owned(), path(main)],
        (_, None) => {
            vec!["-cp".to_owned(), class_path(rewriting), "MAIN-CLASS".to_owned()]
        }
    };
    let is_spread =
        rewriting.notices.iter().any(|notice| matches!(notice, Notice::PlacedApart { .. }));
    if is_spread && rewriting.placement != Placement::Modular && main.is_some() {
        put_line!(text, "class path: {}", shell_words(&[class_path(rewriting)]));
    }
    put_line!(text, "next: jfathom record -- java {}", shell_words(&program));
}

fn flags(text: &mut String, rewriting: &Rewriting) {
    if rewriting.flags.is_empty() {
        return;
    }
    put_line!(text, "the program needs these JVM flags, which `jfathom record` adds to `java`:");
    put_line!(text, "  {}", shell_words(&rewriting.flags));
}

/// All outputs, in the order of the inputs.
fn class_path(rewriting: &Rewriting) -> String {
    let paths: Vec<String> =
        rewriting.files.iter().map(|file| file.path.display().to_string()).collect();
    paths.join(":")
}

/// Notices and warnings, one line each.
pub(crate) fn warnings(rewriting: &Rewriting, verbose: bool) -> String {
    let mut text = String::new();
    if let Some(AnalysisSummary { missing: Some((count, example)), .. }) = &rewriting.analysis {
        put_line!(
            text,
            "jfathom: warning: {}, such as {example}; methods called from there are not instrumented \
             (`jfathom plan` lists them)",
            counted(
                *count,
                "class or method that the roots need is missing",
                "classes or methods that the roots need are missing"
            ),
        );
    }
    for notice in rewriting.analysis.iter().flat_map(|analysis| &analysis.notices) {
        put_line!(text, "jfathom: notice: {notice}");
    }
    for remark in &rewriting.remarks {
        put_line!(text, "jfathom: warning: {remark}");
    }
    let kotlin: Vec<String> = rewriting
        .files
        .iter()
        .filter(|file| file.is_kotlin)
        .map(|file| file.path.display().to_string())
        .collect();
    if !kotlin.is_empty() {
        put_line!(
            text,
            "jfathom: notice: do not compile Kotlin code against {}: Kotlin's compiler would copy inline \
             functions, with their probes, into that code; use the original",
            names_and_more(&kotlin, KOTLIN)
        );
    }
    let is_known = |notice: &Notice| {
        matches!(
            notice,
            Notice::MultiRelease { .. }
                | Notice::DuplicateName { .. }
                | Notice::SeveralNames { .. }
        )
    };
    notices(&mut text, &rewriting.notices, verbose, is_known);
    text
}
