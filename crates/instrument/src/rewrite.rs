//! The rewriting of whole inputs into an output directory.

mod input;
mod manifest;
mod roots_only;
mod runtime;
#[cfg(test)]
mod tests;

pub(crate) use input::{Job, TriedInput, TriedMethod, try_one};
pub use input::{RewrittenInput, Sizes};
pub use roots_only::{RootsOnlyOptions, RootsOnlyUnavailable, rewrite_roots_only};

use crate::{
    error::Result,
    progress::{Observer, Stage, StageProgress},
    read_back::{Faults, ReadBack},
    root_query::RootQuery,
    runtimes,
    select::{self, Selected},
    selection::Selection,
    sidecar::{OutputFile, Run, Sidecar, identity},
    sources::{Output, Source, remarks},
};
use input::{Change, as_rewritten};
use jfathom_archive::{Notice, Work};
use jfathom_plan::{Digest, IdRange, ObjectSource, Placement, UnfollowedCounts, Unnamed};
use runtime::Runtime;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::{
    cell::RefCell,
    path::{Path, PathBuf},
};

/// A rewriting.
#[derive(Clone, Copy, Debug)]
pub struct RewriteRequest<'a> {
    /// The inputs and the methods to instrument.
    pub selection: &'a Selection,
    /// The directory for the outputs.
    pub output: &'a Path,
    /// The first method id; the one after those in the directory if `None`.
    pub id_base: Option<u32>,
    /// Replace existing outputs.
    pub force: bool,
    /// Read each output back and compare it with its original, before any of them is put in place.
    pub check: bool,
}

/// The outputs of a rewriting.
#[derive(Debug)]
pub struct Rewriting {
    /// Where the runtime is.
    pub placement: Placement,
    /// The outputs, in the order of the inputs.
    pub files: Vec<RewrittenInput>,
    /// The ids of all methods.
    pub ids: IdRange,
    /// The digest of the plan.
    pub plan: Digest,
    /// Whether probes record only inside roots.
    pub has_roots: bool,
    /// The reachability analysis of the roots, if there was one.
    pub analysis: Option<AnalysisSummary>,
    /// Outputs that stay: an earlier run has written them from the same files with the same
    /// options.
    pub kept: Vec<PathBuf>,
    /// Notices of the archive crate.
    pub notices: Vec<Notice>,
    /// Warnings about files that may not find the runtime, or not the one that they need.
    pub remarks: Vec<String>,
    /// The JVM flags that a program needs to run with the outputs.
    pub flags: Vec<String>,
}

/// The result of a rewriting that did not fail.
#[derive(Debug)]
pub enum RewriteOutcome {
    /// The outputs are in place.
    Written(Box<Rewriting>),
    /// Outputs are not their originals with probes; nothing was written.
    Faults(Faults),
}

/// The result of a reachability analysis, in short.
#[derive(Debug)]
pub struct AnalysisSummary {
    /// The methods whose instantiations virtual calls consider.
    pub objects: ObjectSource,
    /// What could not be followed.
    pub unfollowed: UnfollowedCounts,
    /// Methods that load classes by unknown names.
    pub unnamed: Unnamed,
    /// The number of classes and methods that are missing from the inputs, and one of them.
    pub missing: Option<(usize, String)>,
    /// Reasons why the answer may surprise.
    pub notices: Vec<String>,
}

/// Rewrites inputs into an output directory. Either all outputs are put in place or none, unless
/// the operating system refuses the last renaming of some.
///
/// # Errors
/// Fails if the request is wrong, or if a file cannot be read or written.
pub fn rewrite(request: &RewriteRequest<'_>, observer: &dyn Observer) -> Result<RewriteOutcome> {
    rewrite_with(request, observer, as_rewritten)
}

/// The same with a change to each rewritten class.
fn rewrite_with(
    request: &RewriteRequest<'_>,
    observer: &dyn Observer,
    change: Change,
) -> Result<RewriteOutcome> {
    let sidecar = RefCell::new(Sidecar::read(request.output)?);
    let output = Output { directory: request.output, force: request.force };
    let first_id = |sources: &[&Source]| {
        let names =
            |source: &&Source| std::iter::once(source.below.clone()).chain(source.links.clone());
        let replaced: Vec<_> = sources.iter().flat_map(names).collect();
        let next = sidecar.borrow_mut().next_id(&replaced);
        request.id_base.unwrap_or(next)
    };
    select::select(request.selection, Some(output), observer, first_id, |selected| {
        write(request, observer, &mut sidecar.borrow_mut(), selected, change)
    })
}

fn write(
    request: &RewriteRequest<'_>,
    observer: &dyn Observer,
    sidecar: &mut Sidecar,
    mut selected: Selected<'_>,
    change: Change,
) -> Result<RewriteOutcome> {
    let Selected { placement, plan_id, summaries, .. } = selected;
    let work = Work::default();
    let runtime = Runtime::new(placement, request.output)?;
    let entries = select::entries(selected.sources.iter().copied());
    let progress = StageProgress::start(observer, Stage::Rewriting, entries);
    let job = Job::new(&selected, request.selection).changing(change);
    allow_open_files(selected.sources.len());
    let mut files = Vec::with_capacity(selected.sources.len());
    let mut prepared = Vec::with_capacity(selected.sources.len());
    for (at, source) in selected.sources.iter().enumerate() {
        let (file, ready) = input::one(at, source, &job, &runtime, work, &progress, request.check)?;
        files.push(file);
        prepared.push(ready);
        progress.next_input(source.entries);
    }
    drop(progress);
    // Nothing is in its place yet: a fault in one output leaves all as they were.
    if let Some(faults) = Faults::of(&read_backs(&files)) {
        return Ok(RewriteOutcome::Faults(faults));
    }

    // Written before the outputs, so that each existing output is listed even if this run is
    // killed.
    for (at, source) in selected.sources.iter().enumerate() {
        sidecar.files.push(OutputFile {
            path: source.below.clone(),
            links: source.links.clone(),
            source: source.origin.clone(),
            ids: summaries.ids(at, &selected.plan),
            placement,
            plan: plan_id,
            module: source.module.clone(),
            java_home: source.java_home.clone(),
            identity: identity(&source.input),
            options: request.selection.options(source.is_library()),
        });
    }
    sidecar.write(request.output)?;
    runtime.write(&selected.sources)?;
    for ready in prepared {
        ready.commit()?;
    }

    let mut remarks = remarks(&selected.sources, placement);
    let is_new = |path: &Path| selected.sources.iter().any(|source| source.below == path);
    let others = sidecar.files.iter().filter(|file| !is_new(&file.path));
    let others: Vec<PathBuf> = others.map(|file| request.output.join(&file.path)).collect();
    let older = runtimes::older(others.iter().map(PathBuf::as_path));
    remarks.extend(older.iter().map(|path| older_runtime(path)));
    let mut notices = std::mem::take(&mut selected.notices);
    notices.extend(files.iter_mut().flat_map(|file| std::mem::take(&mut file.notices)));
    Ok(RewriteOutcome::Written(Box::new(Rewriting {
        placement,
        ids: selected.plan.ids,
        plan: plan_id,
        has_roots: selected.plan.has_roots,
        analysis: selected.query.as_ref().map(summary),
        kept: selected.kept,
        notices,
        remarks,
        flags: sidecar.flags(request.output, &Run::default())?,
        files,
    })))
}

/// What to say of a file with a runtime that lacks probes of this jfathom.
fn older_runtime(path: &Path) -> String {
    format!(
        "{}: has the runtime of an earlier jfathom; before the new files on a class path it ends \
         their methods in NoSuchMethodError: rewrite its original again, too",
        path.display()
    )
}

/// The outputs that were read back.
pub fn read_backs(files: &[RewrittenInput]) -> Vec<ReadBack> {
    let read_back = |file: &RewrittenInput| {
        Some(ReadBack { path: file.path.clone(), outcome: file.checked.clone()? })
    };
    files.iter().filter_map(read_back).collect()
}

/// Lets the process hold all outputs open until they are complete: two files each, and a few for
/// the rest. If the system allows fewer, opening the first output beyond the limit fails.
fn allow_open_files(outputs: usize) {
    let wanted = 2 * outputs as u64 + 100;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(limit.maximum.map_or(wanted, |maximum| wanted.min(maximum)));
        let _unchanged_on_failure = setrlimit(Resource::Nofile, limit);
    }
}

fn summary(query: &RootQuery<'_>) -> AnalysisSummary {
    let missing = query.reached.missing(&query.world);
    AnalysisSummary {
        objects: query.objects.clone(),
        unfollowed: query.statistics.unfollowed.clone(),
        unnamed: query.unnamed.clone(),
        missing: missing.first().map(|first| (missing.len(), first.what.clone())),
        notices: query.notices(false),
    }
}
