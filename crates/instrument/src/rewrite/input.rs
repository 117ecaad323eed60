//! The rewriting of one input by the plan, to its destination or in memory.

use super::{
    manifest::{Planned, abstract_methods, describe, each_method, empty, roots, skips},
    runtime::Runtime,
};
use crate::{
    error::Result,
    progress::StageProgress,
    read_back,
    select::Selected,
    selection::Selection,
    sources::{Source, WAR_CLASSES},
    summaries::Summaries,
};
use jfathom_archive::{
    Additions, Entry, EntryName, ManifestEdit, NewEntry, Notice, Prepared, Replace, Work,
};
use jfathom_check::{Contract, Outcome};
use jfathom_plan::{
    ClassSummary, Digest, LineRange, MANIFEST_PATH, Manifest, Placement, Plan, ProbeKind, Skip,
    SkipReason, UnfollowedCounts,
};
use jfathom_rewriter::{Instrumented, Options, Rewriter};
use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::PathBuf,
    sync::Mutex,
    sync::atomic::{AtomicUsize, Ordering},
};

/// Changes a rewritten class, given its internal name, before it is written: for tests that plant
/// faults.
pub(crate) type Change = fn(&str, Vec<u8>) -> Vec<u8>;

/// No change.
pub(crate) fn as_rewritten(_name: &str, bytes: Vec<u8>) -> Vec<u8> {
    bytes
}

/// The plan, and what else all inputs share.
pub(crate) struct Job<'a> {
    pub(crate) summaries: &'a Summaries,
    pub(crate) plan: &'a Plan,
    pub(crate) selection: &'a Selection,
    pub(crate) placement: Placement,
    pub(crate) plan_id: Digest,
    /// What the reachability analysis could not follow.
    pub(super) unfollowed: UnfollowedCounts,
    change: Change,
}

impl<'a> Job<'a> {
    pub(crate) fn new(selected: &'a Selected<'_>, selection: &'a Selection) -> Self {
        let Selected { summaries, plan, placement, plan_id, query, .. } = selected;
        let unfollowed =
            query.as_ref().map(|query| query.statistics.unfollowed.clone()).unwrap_or_default();
        Self {
            summaries,
            plan,
            selection,
            placement: *placement,
            plan_id: *plan_id,
            unfollowed,
            change: as_rewritten,
        }
    }

    /// The same with a change to each rewritten class.
    pub(super) fn changing(self, change: Change) -> Self {
        Self { change, ..self }
    }
}

/// The output of one input.
#[derive(Debug)]
pub struct RewrittenInput {
    /// The output.
    pub path: PathBuf,
    /// The class that `java -jar` starts.
    pub main_class: Option<String>,
    /// Whether it is a war.
    pub is_war: bool,
    /// The module that it declares.
    pub module: Option<String>,
    /// Whether `Enable-Native-Access` and `Add-Exports` were added to its jar manifest.
    pub native_access: bool,
    /// Classes in it.
    pub classes: usize,
    /// Classes of it that were changed.
    pub changed: usize,
    /// Methods with probes.
    pub methods: usize,
    /// Those of them that have an entry probe alone.
    pub counted_only: usize,
    /// Those of them that are methods of libraries.
    pub of_libraries: usize,
    /// Roots among them, as selectors.
    pub roots: Vec<String>,
    /// Classes and methods that were skipped.
    pub skips: Vec<Skip>,
    /// Methods skipped for reasons that are only counted.
    pub skip_counts: BTreeMap<SkipReason, u32>,
    /// Exception handlers without a catch probe.
    pub unmarked_catches: u64,
    /// Hand-offs that are followed.
    pub hand_offs: u64,
    /// Whether a class with probes was compiled from Kotlin.
    pub is_kotlin: bool,
    /// Size of a jar before, in bytes; 0 for anything else.
    pub before: u64,
    /// Size of the output, in bytes.
    pub after: u64,
    /// Notices of the archive crate.
    pub notices: Vec<Notice>,
    /// How it compares with its original, if it was read back.
    pub checked: Option<Outcome>,
}

/// The results of the threads, in the order in which they came.
#[derive(Default)]
pub(super) struct Found {
    /// The instrumented methods by index of class.
    pub(super) done: Vec<(usize, Vec<Instrumented>)>,
    pub(super) skips: Vec<(usize, Vec<Skip>)>,
    unmarked_catches: u64,
    hand_offs: u64,
    is_kotlin: bool,
    pub(super) sizes: Sizes,
}

impl Found {
    /// Sorts the results as the classes are in the inputs.
    pub(super) fn sort(&mut self) {
        self.done.sort_by_key(|(class, _)| *class);
        self.skips.sort_by_key(|(class, _)| *class);
    }
}

/// Sizes in bytes, before and after.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// Class files, changed or not.
    pub classes: (u64, u64),
    /// Bytecode of the instrumented methods.
    pub code: (u64, u64),
}

impl Sizes {
    /// The sums of both.
    pub(crate) fn plus(self, other: Self) -> Self {
        let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        Self { classes: add(self.classes, other.classes), code: add(self.code, other.code) }
    }
}

/// The rewriting of one input, by several threads.
pub(crate) struct Rewriting<'a> {
    number: usize,
    source: &'a Source,
    job: &'a Job<'a>,
    found: Mutex<Found>,
    rewriters: Mutex<Vec<Rewriter>>,
}

impl<'a> Rewriting<'a> {
    pub(crate) fn new(number: usize, source: &'a Source, job: &'a Job<'a>) -> Self {
        Self { number, source, job, found: Mutex::default(), rewriters: Mutex::default() }
    }

    /// Rewrites a class by the plan.
    pub(crate) fn class(&self, entry: &Entry<'_>, bytes: &[u8]) -> Replace {
        let mut sizes =
            Sizes { classes: (bytes.len() as u64, bytes.len() as u64), ..Sizes::default() };
        let replace = self.replace(entry, bytes, &mut sizes);
        if let Replace::Bytes(new) = &replace {
            sizes.classes.1 = new.len() as u64;
        }
        let all = &mut lock(&self.found).sizes;
        all.classes = (all.classes.0 + sizes.classes.0, all.classes.1 + sizes.classes.1);
        all.code.1 += sizes.code.1;
        replace
    }

    fn replace(&self, entry: &Entry<'_>, bytes: &[u8], sizes: &mut Sizes) -> Replace {
        let job = self.job;
        let Some(class) = job.summaries.class_at(self.number, entry.id()) else {
            return Replace::Keep;
        };
        let Some(chosen) = job.plan.classes.get(class).filter(|chosen| !chosen.plan.is_empty())
        else {
            return Replace::Keep;
        };
        let mut rewriter = lock(&self.rewriters)
            .pop()
            .unwrap_or_else(|| Rewriter::new(Options { placement: job.placement }));
        let replace = match rewriter.rewrite(bytes, &chosen.plan) {
            Ok(rewritten) => {
                let mut found = lock(&self.found);
                found.done.push((class, rewritten.done.to_vec()));
                sizes.code.1 =
                    rewritten.done.iter().map(|method| u64::from(method.code_length)).sum();
                found.unmarked_catches += u64::from(rewritten.unmarked_catches);
                found.hand_offs += u64::from(rewritten.hand_offs);
                if !rewritten.skips.is_empty() {
                    found.skips.push((class, rewritten.skips));
                }
                let summary = job.summaries.classes.get(class);
                found.is_kotlin |= !rewritten.done.is_empty() && summary.is_some_and(is_kotlin);
                drop(found);
                match (rewritten.bytes == bytes, summary) {
                    (false, Some(summary)) => {
                        Replace::Bytes((job.change)(&summary.name, rewritten.bytes.to_vec()))
                    }
                    _ => Replace::Keep,
                }
            }
            Err(skip) => {
                lock(&self.found).skips.push((class, vec![skip]));
                Replace::Keep
            }
        };
        lock(&self.rewriters).push(rewriter);
        replace
    }

    /// The manifest, after all classes.
    pub(crate) fn manifest(&self) -> Manifest {
        describe(self.number, self.source, self.job, &mut lock(&self.found))
    }
}

/// Whether a class was compiled from Kotlin: its compiler says so in an annotation.
fn is_kotlin(summary: &ClassSummary) -> bool {
    summary.annotations.iter().any(|annotation| annotation == "kotlin/Metadata")
}

/// A method that a rewriting in memory instrumented.
pub(crate) struct TriedMethod {
    /// The indices of its class and of itself in the summaries.
    pub(crate) class: usize,
    pub(crate) method: usize,
    pub(crate) kind: ProbeKind,
    /// The lines, if it is a region of the method.
    pub(crate) region: Option<LineRange>,
}

/// The result of a rewriting in memory.
pub(crate) struct TriedInput {
    /// In the order of the input.
    pub(crate) methods: Vec<TriedMethod>,
    pub(crate) skips: Vec<Skip>,
    pub(crate) abstract_methods: u32,
    /// Classes in the input.
    pub(crate) classes: usize,
    /// Classes that would be changed.
    pub(crate) changed: usize,
    pub(crate) hand_offs: u64,
    pub(crate) sizes: Sizes,
    pub(crate) notices: Vec<Notice>,
}

/// Rewrites the input with this number in memory.
pub(crate) fn try_one(
    number: usize,
    source: &Source,
    job: &Job,
    work: Work<'_>,
    progress: &StageProgress<'_>,
) -> Result<TriedInput> {
    let rewriting = Rewriting::new(number, source, job);
    let report = |done| progress.report(done);
    let is_changed =
        |entry: &Entry<'_>, bytes: &[u8]| rewriting.class(entry, bytes) != Replace::Keep;
    let work = Work { progress: Some(&report), ..work };
    // Classes without a summary count, and need not be read.
    let all = AtomicUsize::new(0);
    let can_change = |name: &EntryName| {
        all.fetch_add(1, Ordering::Relaxed);
        job.summaries.can_hold(name)
    };
    let visited = source.input.visit_some(&work, can_change, is_changed)?;
    let mut found = rewriting.found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    found.sort();
    let mut methods = Vec::new();
    let mut code_before = 0;
    each_method(job, &found, |at, summary, plan, _| {
        let region = match plan {
            Planned::Method(_) => {
                code_before += u64::from(summary.code_length.unwrap_or(0));
                None
            }
            Planned::Region(plan) => Some(plan.lines),
            Planned::Resumptions(_) => return,
        };
        methods.push(TriedMethod { class: at.0, method: at.1, kind: plan.kind(), region });
    });
    found.sizes.code.0 = code_before;
    Ok(TriedInput {
        methods,
        skips: skips(number, job, &found),
        abstract_methods: abstract_methods(number, job),
        classes: all.into_inner(),
        changed: visited.values.iter().filter(|&&changed| changed).count(),
        hand_offs: found.hand_offs,
        sizes: found.sizes,
        notices: visited.notices,
    })
}

/// Rewrites the input with this number for its destination. Committing the result gives it its name
/// there. With `check` it is read back.
pub(super) fn one(
    number: usize,
    source: &Source,
    job: &Job,
    runtime: &Runtime,
    work: Work<'_>,
    progress: &StageProgress<'_>,
    check: bool,
) -> Result<(RewrittenInput, Prepared)> {
    let destination = source.destination()?;
    let rewriting = Rewriting::new(number, source, job);
    let report = |done| progress.report(done);
    let mut manifest = None;
    let mut native_access = false;
    let prepared = jfathom_archive::prepare(
        &source.input,
        destination,
        &Work { progress: Some(&report), ..work },
        |entry, bytes| rewriting.class(entry, bytes),
        |counts| {
            let written = rewriting.manifest();
            let additions = additions(runtime, source, (counts.changed > 0).then_some(&written));
            native_access = !additions.manifest.is_empty();
            manifest = Some(written);
            additions
        },
    )?;
    let found = rewriting.found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let manifest = manifest.unwrap_or_else(|| empty(job));
    let outcome = prepared.outcome();
    let checked = match check {
        false => None,
        true => Some(compare(source, &prepared, Contract::new(&manifest), native_access)?),
    };
    let rewritten = RewrittenInput {
        path: destination.path.clone(),
        main_class: source.main_class.clone(),
        is_war: source.class_folder == WAR_CLASSES,
        module: source.module.clone(),
        native_access,
        classes: outcome.counts.classes,
        changed: outcome.counts.changed,
        methods: manifest.method_count(),
        counted_only: manifest.counted_only(),
        of_libraries: of_libraries(job, &found),
        roots: roots(&manifest),
        skips: manifest.skips,
        skip_counts: manifest.skip_counts,
        unmarked_catches: found.unmarked_catches,
        hand_offs: found.hand_offs,
        is_kotlin: found.is_kotlin,
        before: source.bytes,
        after: outcome.bytes,
        notices: outcome.notices.clone(),
        checked,
    };
    Ok((rewritten, prepared))
}

/// The number of instrumented methods of libraries.
fn of_libraries(job: &Job, found: &Found) -> usize {
    let is_library =
        |class: &usize| job.plan.classes.get(*class).is_some_and(|chosen| chosen.is_library);
    let done = found.done.iter().filter(|(class, _)| is_library(class)).flat_map(|(_, done)| done);
    // Regions and resumptions have no code of their own.
    done.filter(|method| method.code_length > 0).count()
}

/// Compares an output with its source. `native_access` says whether its jar manifest got that
/// attribute.
pub(super) fn compare(
    source: &Source,
    prepared: &Prepared,
    contract: Contract<'_>,
    native_access: bool,
) -> Result<Outcome> {
    let added = prepared.added().iter().map(|entry| {
        (
            String::from_utf8_lossy(entry.name.as_bytes()).into_owned(),
            Some(Cow::from(entry.bytes.as_slice())),
        )
    });
    let contract = contract.with_added(added).with_native_access(native_access);
    // JDK modules have hand-offs of their own, which are not followed.
    let contract = if source.java_home.is_none() { contract } else { contract.without_hand_offs() };
    // Of several entries of one name, those readers see the last.
    let mut notices = source.input.notices().iter().chain(&prepared.outcome().notices);
    let complete = notices.all(|notice| !matches!(notice, Notice::DuplicateName { .. }));
    read_back::compare(&source.input, &source.origin, prepared.path(), &contract, complete)
}

/// The entries that a container gets beside its classes: `manifest`, and the runtime if the
/// placement puts it there.
pub(super) fn additions(
    runtime: &Runtime,
    source: &Source,
    manifest: Option<&Manifest>,
) -> Additions {
    let mut additions = Additions::none();
    if let Some(manifest) = manifest {
        let name = format!("{}{MANIFEST_PATH}", source.class_folder);
        additions.entries.push(NewEntry::new(name, manifest.to_json()));
    }
    runtime.add_to(&mut additions, source);
    if !additions.is_empty() && source.main_class.is_some() {
        additions.manifest.push(ManifestEdit::add_word("Enable-Native-Access", "ALL-UNNAMED"));
        let packages = jfathom_runtime_java::CARRIER_PACKAGES;
        let exports = packages.map(|package| ManifestEdit::add_word("Add-Exports", package));
        additions.manifest.extend(exports);
    }
    additions
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
