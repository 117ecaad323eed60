//! Rewrites one input by the choice, and says in its manifest what was done.

use super::runtime::Runtime;
use crate::{
    check,
    failure::archive,
    progress::ProgressBar,
    select::{Selected, Selection, Source, Surveyed},
};
use anyhow::{Context, Result};
use jfathom_archive::{
    Additions, Entry, EntryName, ManifestEdit, NewEntry, Notice, Prepared, Replace, Work,
};
use jfathom_check::{Contract, Outcome};
use jfathom_plan::{
    Digest, IdRange, InstrumentedMethod, MANIFEST_PATH, Manifest, ManifestClass, MethodId,
    Placement, Plan, ProbeKind, Selector, Skip, SkipReason, UnfollowedCounts,
};
use jfathom_rewriter::{Instrumented, Options, PinCounts, Rewriter};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    num::NonZeroUsize,
    path::PathBuf,
    sync::Mutex,
    sync::atomic::{AtomicUsize, Ordering},
};

/// What is done to a class that was rewritten, by its internal name, before it is written. Nothing
/// but tests changes anything here.
pub(crate) type Change = fn(&str, Vec<u8>) -> Vec<u8>;

/// Leaves a class as it was rewritten.
pub(crate) fn as_rewritten(_name: &str, bytes: Vec<u8>) -> Vec<u8> {
    bytes
}

/// What all inputs share.
pub(crate) struct Job<'a> {
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) choice: &'a Plan,
    pub(crate) selection: &'a Selection,
    pub(crate) placement: Placement,
    pub(crate) plan: Digest,
    /// What the walk from the roots could not follow.
    unfollowed: UnfollowedCounts,
    change: Change,
}

impl<'a> Job<'a> {
    pub(crate) fn new(selected: &'a Selected<'_>, selection: &'a Selection) -> Self {
        let Selected { surveyed, choice, placement, plan, walk, .. } = selected;
        let unfollowed =
            walk.as_ref().map(|walk| walk.statistics.unfollowed.clone()).unwrap_or_default();
        Self {
            surveyed,
            choice,
            selection,
            placement: *placement,
            plan: *plan,
            unfollowed,
            change: as_rewritten,
        }
    }

    /// The same with something done to each class that was rewritten.
    pub(super) fn changing(self, change: Change) -> Self {
        Self { change, ..self }
    }
}

/// What became of one input.
pub(crate) struct Rewrote {
    /// The output.
    pub(crate) path: PathBuf,
    /// What `java -jar` starts in it.
    pub(crate) main_class: Option<String>,
    /// The module that it declares.
    pub(crate) module: Option<String>,
    /// Whether `Enable-Native-Access` was added.
    pub(crate) native_access: bool,
    /// Classes seen and changed.
    pub(crate) classes: usize,
    pub(crate) changed: usize,
    /// Methods that got probes.
    pub(crate) methods: usize,
    /// Roots among them, for people.
    pub(crate) roots: Vec<String>,
    pub(crate) skips: Vec<Skip>,
    pub(crate) omitted: BTreeMap<SkipReason, u32>,
    /// Handlers without a probe, call sites that hand work over.
    pub(crate) unmarked_catches: u64,
    pub(crate) hand_offs: u64,
    pub(crate) pins: PinCounts,
    /// Sizes of a jar before and after; zero before for what is no jar.
    pub(crate) before: u64,
    pub(crate) after: u64,
    pub(crate) notices: Vec<Notice>,
    /// What other readers say of it, if they were asked.
    pub(crate) checked: Option<Outcome>,
}

/// What the threads found, in the order in which they came by it.
#[derive(Default)]
struct Found {
    /// By index of class.
    done: Vec<(usize, Vec<Instrumented>)>,
    skips: Vec<(usize, Vec<Skip>)>,
    unmarked_catches: u64,
    hand_offs: u64,
    sizes: Sizes,
    pins: PinCounts,
}

/// Sizes in bytes, before and after.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sizes {
    /// Class files, whether changed or not.
    pub(crate) classes: (u64, u64),
    /// Bytecode of the instrumented methods.
    pub(crate) code: (u64, u64),
}

impl Sizes {
    /// The sums.
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

    /// Rewrites a class by the choice.
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
        let Some(class) = job.surveyed.class_at(self.number, entry.id()) else {
            return Replace::Keep;
        };
        let Some(chosen) = job.choice.classes.get(class).filter(|chosen| !chosen.plan.is_empty())
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
                found.pins += rewritten.pins;
                if !rewritten.skips.is_empty() {
                    found.skips.push((class, rewritten.skips));
                }
                drop(found);
                match (rewritten.bytes == bytes, job.surveyed.classes.get(class)) {
                    (false, Some(survey)) => {
                        Replace::Bytes((job.change)(&survey.name, rewritten.bytes.to_vec()))
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

    /// The manifest, once all classes are through.
    pub(crate) fn manifest(&self) -> Manifest {
        describe(self.number, self.source, self.job, &mut lock(&self.found))
    }
}

/// What a rewriting in memory found, of which nothing is written.
pub(crate) struct DryRun {
    pub(crate) manifest: Manifest,
    /// Classes that there are, and that are changed.
    pub(crate) classes: usize,
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
    bar: &ProgressBar,
) -> Result<DryRun> {
    let rewriting = Rewriting::new(number, source, job);
    let show = |progress| bar.show(progress);
    let is_changed =
        |entry: &Entry<'_>, bytes: &[u8]| rewriting.class(entry, bytes) != Replace::Keep;
    let work = Work { progress: Some(&show), ..work };
    // What was not surveyed counts, and need not be read.
    let all = AtomicUsize::new(0);
    let can_change = |name: &EntryName| {
        all.fetch_add(1, Ordering::Relaxed);
        job.surveyed.can_hold(name)
    };
    let visited = source.input.visit_some(&work, can_change, is_changed).map_err(archive)?;
    let manifest = rewriting.manifest();
    let found = lock(&rewriting.found);
    Ok(DryRun {
        manifest,
        classes: all.into_inner(),
        changed: visited.values.iter().filter(|&&changed| changed).count(),
        hand_offs: found.hand_offs,
        sizes: found.sizes,
        notices: visited.notices,
    })
}

/// Rewrites the input with this number for its destination; it gets its name there when it is
/// committed. With `check` it is read back.
pub(super) fn one(
    number: usize,
    source: &Source,
    job: &Job,
    runtime: &Runtime,
    work: Work<'_>,
    bar: &ProgressBar,
    check: bool,
) -> Result<(Rewrote, Prepared)> {
    let destination = source.destination.as_ref().context("an input without a destination")?;
    let rewriting = Rewriting::new(number, source, job);
    let show = |progress| bar.show(progress);
    let mut manifest = None;
    let mut native_access = false;
    let prepared = jfathom_archive::prepare(
        &source.input,
        destination,
        &Work { progress: Some(&show), ..work },
        |entry, bytes| rewriting.class(entry, bytes),
        |tally| {
            let written = rewriting.manifest();
            let additions = additions(runtime, source, (tally.changed > 0).then_some(&written));
            native_access = !additions.manifest.is_empty();
            manifest = Some(written);
            additions
        },
    )
    .map_err(archive)?;
    let found = rewriting.found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let manifest = manifest.unwrap_or_else(|| empty(job));
    let outcome = prepared.outcome();
    let checked = match check {
        false => None,
        true => Some(read_back(
            source,
            &prepared,
            Contract::new(&manifest),
            native_access,
            work.threads,
        )?),
    };
    let rewrote = Rewrote {
        path: destination.path.clone(),
        main_class: source.main_class.clone(),
        module: source.module.clone(),
        native_access,
        classes: outcome.tally.classes,
        changed: outcome.tally.changed,
        methods: manifest.methods().count(),
        roots: roots(&manifest),
        skips: manifest.skips,
        omitted: manifest.omitted,
        unmarked_catches: found.unmarked_catches,
        hand_offs: found.hand_offs,
        pins: found.pins,
        before: source.bytes,
        after: outcome.bytes,
        notices: outcome.notices.clone(),
        checked,
    };
    Ok((rewrote, prepared))
}

/// Holds an output against its source. `native_access` says whether its manifest got that
/// attribute.
pub(super) fn read_back(
    source: &Source,
    prepared: &Prepared,
    contract: Contract<'_>,
    native_access: bool,
    threads: Option<NonZeroUsize>,
) -> Result<Outcome> {
    let added = prepared.added().iter().map(|entry| {
        (
            String::from_utf8_lossy(entry.name.as_bytes()).into_owned(),
            Some(Cow::from(entry.bytes.as_slice())),
        )
    });
    let contract = contract.with_added(added).with_native_access(native_access);
    // Modules of the JDK hand work over by their own means, which are not followed.
    let contract = if source.java_home.is_none() { contract } else { contract.without_hand_offs() };
    // Of entries of one name those readers see the last.
    let mut notices = source.input.notices().iter().chain(&prepared.outcome().notices);
    let complete = notices.all(|notice| !matches!(notice, Notice::DuplicateName { .. }));
    check::output(&source.input, &source.origin, prepared.path(), &contract, complete, threads)
}

/// What a container gets beside its classes: the manifest, where one is to be written, and the
/// runtime where it is to be.
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
    }
    additions
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn empty(job: &Job) -> Manifest {
    Manifest {
        tool: crate::TOOL.to_owned(),
        plan: job.plan,
        placement: job.placement,
        module: None,
        ids: IdRange { start: job.choice.ids.start, len: 0 },
        rooted: job.choice.has_roots,
        roots: job.selection.root.iter().map(Selector::to_string).collect(),
        policy: job.choice.has_roots.then(|| job.selection.policy.name().to_owned()),
        pinned: job.selection.pin,
        classes: Vec::new(),
        skips: Vec::new(),
        omitted: BTreeMap::new(),
        unfollowed: job.unfollowed.clone(),
    }
}

/// The manifest of the input, in the order of the input whatever order the threads came by.
fn describe(number: usize, source: &Source, job: &Job, found: &mut Found) -> Manifest {
    found.done.sort_by_key(|(class, _)| *class);
    found.skips.sort_by_key(|(class, _)| *class);
    let mut manifest = Manifest {
        module: source.module.clone(),
        ids: job.surveyed.ids(number, job.choice),
        skips: job.surveyed.skips(number).to_vec(),
        ..empty(job)
    };
    let mut code_before = 0;
    for (class, done) in &found.done {
        let (Some(survey), Some(chosen)) =
            (job.surveyed.classes.get(*class), job.choice.classes.get(*class))
        else {
            continue;
        };
        let done: HashMap<MethodId, Instrumented> = done.iter().map(|it| (it.id, *it)).collect();
        let mut methods: Vec<InstrumentedMethod> = Vec::with_capacity(done.len());
        // Plans keep the order of the class file, so that one pass finds the survey of each method.
        let mut surveys = survey.methods.iter();
        for plan in &chosen.plan.methods {
            let method = surveys
                .find(|method| method.name == plan.name && method.descriptor == plan.descriptor);
            let Some((method, done)) = method.zip(done.get(&plan.id)) else { continue };
            code_before += u64::from(method.code_length.unwrap_or(0));
            methods.push(InstrumentedMethod {
                id: plan.id,
                name: plan.name.clone(),
                descriptor: plan.descriptor.clone(),
                line: method.first_line,
                digest: method.digest,
                root: plan.kind == ProbeKind::Root,
                trivial: method.trivial,
                waits: method.waits,
                pinned: done.pinned,
            });
        }
        if !methods.is_empty() {
            manifest.classes.push(ManifestClass {
                name: survey.name.clone(),
                source: survey.source.clone(),
                methods,
            });
        }
    }
    found.sizes.code.0 = code_before;
    let mut without_code = 0;
    for chosen in job.choice.classes.get(job.surveyed.range(number)).unwrap_or_default() {
        manifest.skips.extend(chosen.skips.iter().cloned());
        without_code += chosen.abstract_methods;
    }
    manifest.skips.extend(found.skips.iter().flat_map(|(_, skips)| skips.iter().cloned()));
    if without_code > 0 {
        manifest.omitted.insert(SkipReason::Abstract, without_code);
    }
    manifest
}

fn roots(manifest: &Manifest) -> Vec<String> {
    let roots = manifest.methods().filter(|(_, method)| method.root);
    roots
        .map(|(class, method)| {
            format!("{}::{}{}", class.name.replace('/', "."), method.name, method.descriptor)
        })
        .collect()
}
