//! An output directory once more, with probes in the roots alone: what a program runs with where
//! only these are timed.
//!
//! Probes that are switched off cost compiled code nothing, but a program that is mostly cold runs
//! them in the interpreter and has larger methods to compile. Here the other methods are as in the
//! source, but for call sites of hand-offs where these are followed. Ids and manifests are those of
//! the output, so that both kinds of runs can be compared.

use super::{
    instrument::{Change, additions, as_rewritten, read_back},
    runtime::Runtime,
};
use crate::{
    check,
    failure::{archive, context},
    rewritten::{Rewritten, RuntimeAt},
    select::{Source, again},
    sidecar::{FOLDER, OutputFile, Sidecar, identity},
};
use anyhow::{Result, anyhow};
use jfathom_archive::{Entry, Replace, Work};
use jfathom_check::{Contract, Outcome};
use jfathom_plan::{
    ClassPlan, HugeMethods, InstrumentedMethod, Manifest, ManifestClass, MethodId, MethodPlan,
    Placement, ProbeKind, Skip,
};
use jfathom_rewriter::{Instrumented, Options, Rewriter};
use std::{
    collections::{HashMap, HashSet},
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Why an output cannot be made again.
#[derive(Debug)]
pub(crate) enum RootsOnlyUnavailable {
    /// It has no roots.
    NoRoots,
    /// A source is not what it was when it was rewritten, or is not there.
    Source(PathBuf),
    /// What was made is not what its source is: what the check found.
    Faults(String),
}

/// How an output is made again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    /// Whether work is followed that roots hand to other threads.
    pub(crate) hand_offs: bool,
    /// Whether each file is held against its source.
    pub(crate) check: bool,
}

impl fmt::Display for RootsOnlyUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoots => f.write_str("it has no roots"),
            Self::Faults(found) => f.write_str(found),
            Self::Source(source) => {
                write!(
                    f,
                    "{} is not there or not as it was when it was rewritten: rewrite it again",
                    source.display()
                )
            }
        }
    }
}

/// A rewritten file, and what it is made again from.
struct Part<'a> {
    file: &'a OutputFile,
    source: Source,
    manifest: Option<Manifest>,
    /// By class name.
    plans: HashMap<String, ClassPlan>,
    /// Whether the output has the runtime in it.
    holds_runtime: bool,
}

impl Part<'_> {
    fn has_roots(&self) -> bool {
        self.plans.values().any(|plan| !plan.methods.is_empty())
    }
}

/// Writes the output directory `out` again to `to`, which is empty, with probes in its roots only.
/// What else lies in it is linked to. Gives what `output.json` would say.
pub(crate) fn rewrite_roots_only(
    out: &Path,
    sidecar: &Sidecar,
    to: &Path,
    terms: Terms,
) -> Result<Result<Sidecar, RootsOnlyUnavailable>> {
    roots_alone_with(out, sidecar, to, terms, as_rewritten)
}

/// The same with something done to each class that was rewritten.
pub(super) fn roots_alone_with(
    out: &Path,
    sidecar: &Sidecar,
    to: &Path,
    terms: Terms,
    change: Change,
) -> Result<Result<Sidecar, RootsOnlyUnavailable>> {
    let mut parts = Vec::new();
    for file in &sidecar.files {
        let rewritten = Rewritten::open(&out.join(&file.path))?;
        let holds_runtime = rewritten.runtime == RuntimeAt::Here;
        if rewritten.manifest.is_none() && !holds_runtime {
            continue;
        }
        let Some(source) = unchanged(file, holds_runtime, to) else {
            return Ok(Err(RootsOnlyUnavailable::Source(file.source.clone())));
        };
        let hand_offs = terms.hand_offs && source.java_home.is_none();
        let of = |manifest: &Manifest| plans(manifest, hand_offs && manifest.rooted);
        let plans = rewritten.manifest.as_ref().map(of).unwrap_or_default();
        parts.push(Part { file, source, manifest: rewritten.manifest, plans, holds_runtime });
    }
    if !parts.iter().any(Part::has_roots) {
        return Ok(Err(RootsOnlyUnavailable::NoRoots));
    }
    let own: HashSet<&Path> = parts.iter().map(|part| part.file.path.as_path()).collect();
    // A patch of a module that would hold nothing is not passed to the JVM.
    parts.retain(|part| part.source.java_home.is_none() || !part.plans.is_empty());
    // A jar without the runtime finds it in the one that names it in its Class-Path.
    let elsewhere = parts.iter().any(|part| !part.plans.is_empty() && !part.holds_runtime);
    let mut checked = Vec::new();
    for part in &parts {
        let as_it_is = part.plans.is_empty() && !(part.holds_runtime && elsewhere);
        match as_it_is {
            true => {
                link(&part.file.source, &to.join(&part.file.path))?;
                part.file
                    .links
                    .iter()
                    .try_for_each(|name| link_again(&out.join(name), &to.join(name)))?;
            }
            false => {
                let outcome = write(part, &Runtime::new(part.file.placement, to), terms, change)?;
                checked.extend(outcome.map(|outcome| (to.join(&part.file.path), outcome)));
            }
        }
    }
    let checked: Vec<(PathBuf, &Outcome)> =
        checked.iter().map(|(path, outcome)| (path.clone(), outcome)).collect();
    if let Some(faults) = check::faults(&checked) {
        return Ok(Err(RootsOnlyUnavailable::Faults(faults)));
    }
    let sources: Vec<&Source> = parts.iter().map(|part| &part.source).collect();
    let mut placements: Vec<Placement> = parts.iter().map(|part| part.file.placement).collect();
    placements.dedup();
    placements.into_iter().try_for_each(|placement| Runtime::new(placement, to).write(&sources))?;
    link_others(out, to, Path::new(""), &own)?;
    let mut again = Sidecar::default();
    again.files.extend(parts.into_iter().map(|part| part.file.clone()));
    Ok(Ok(again))
}

/// The source of an output, if it is what it was.
fn unchanged(file: &OutputFile, holds_runtime: bool, to: &Path) -> Option<Source> {
    let source = again(file, holds_runtime, to).ok()?;
    let same = match file.java_home {
        Some(_) => true,
        None => file.identity.is_some() && identity(&source.input) == file.identity,
    };
    same.then_some(source)
}

/// The plans of the classes of a manifest, by class name: of their methods the roots alone.
fn plans(manifest: &Manifest, hand_offs: bool) -> HashMap<String, ClassPlan> {
    let mut plans: HashMap<String, ClassPlan> = HashMap::new();
    for class in &manifest.classes {
        // Several entries may hold a class of this name, as in multi-release jars: ids of one of
        // them serve for all.
        let plan = plans.entry(class.name.clone()).or_insert_with(|| ClassPlan {
            hand_offs,
            pin_probes: manifest.pinned,
            ..ClassPlan::default()
        });
        for method in class.methods.iter().filter(|method| method.root) {
            let is_same =
                |it: &MethodPlan| it.name == method.name && it.descriptor == method.descriptor;
            if !plan.methods.iter().any(is_same) {
                plan.methods.push(MethodPlan {
                    name: method.name.clone(),
                    descriptor: method.descriptor.clone(),
                    id: method.id,
                    kind: ProbeKind::Root,
                });
            }
            // It was allowed where the output was made.
            plan.huge = HugeMethods::Allow;
        }
    }
    plans.retain(|_, plan| !plan.is_empty());
    plans
}

/// What the threads found while they rewrote a file's roots.
#[derive(Default)]
struct Found {
    done: Vec<Instrumented>,
    skips: Vec<Skip>,
    rewriters: Vec<Rewriter>,
}

/// Writes a file again; gives what the check says of it, where it is asked for.
fn write(
    part: &Part<'_>,
    runtime: &Runtime,
    terms: Terms,
    change: Change,
) -> Result<Option<Outcome>> {
    let Part { file, source, manifest, plans, .. } = part;
    let found: Mutex<Found> = Mutex::default();
    let lock = || found.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let rewrite = |entry: &Entry<'_>, bytes: &[u8]| {
        let Some((name, plan)) =
            entry.name().class_name().and_then(|name| plans.get_key_value(name))
        else {
            return Replace::Keep;
        };
        let taken = lock().rewriters.pop();
        let mut rewriter =
            taken.unwrap_or_else(|| Rewriter::new(Options { placement: file.placement }));
        let replace = match rewriter.rewrite(bytes, plan) {
            Ok(rewritten) => {
                let mut found = lock();
                found.done.extend(rewritten.done);
                found.skips.extend(rewritten.skips);
                match rewritten.bytes != bytes {
                    true => Replace::Bytes(change(name, rewritten.bytes.to_vec())),
                    false => Replace::Keep,
                }
            }
            // What was said of it when the output was made holds here.
            Err(_) => Replace::Keep,
        };
        lock().rewriters.push(rewriter);
        replace
    };
    let destination =
        source.destination.as_ref().ok_or_else(|| anyhow!("a source without a destination"))?;
    let mut native_access = false;
    let prepared =
        jfathom_archive::prepare(&source.input, destination, &Work::default(), rewrite, |tally| {
            let additions =
                additions(runtime, source, manifest.as_ref().filter(|_| tally.changed > 0));
            native_access = !additions.manifest.is_empty();
            additions
        })
        .map_err(archive)?;
    let checked = match terms.check {
        false => None,
        true => {
            let found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
            let roots = manifest.as_ref().map(|manifest| roots_of(manifest, plans, found));
            let contract =
                roots.as_ref().map_or_else(|| Contract::nothing(file.placement), Contract::new);
            let contract = if terms.hand_offs { contract } else { contract.without_hand_offs() };
            Some(read_back(source, &prepared, contract, native_access, None)?)
        }
    };
    prepared.commit().map_err(archive)?;
    Ok(checked)
}

/// What the manifest says of the roots, as they were rewritten by these plans.
fn roots_of(manifest: &Manifest, plans: &HashMap<String, ClassPlan>, found: Found) -> Manifest {
    let planned: HashSet<MethodId> =
        plans.values().flat_map(|plan| &plan.methods).map(|method| method.id).collect();
    let pinned: HashMap<MethodId, bool> =
        found.done.iter().map(|done| (done.id, done.pinned)).collect();
    let method = |method: &InstrumentedMethod| InstrumentedMethod {
        pinned: pinned.get(&method.id).copied().unwrap_or(method.pinned),
        ..method.clone()
    };
    let class = |class: &ManifestClass| ManifestClass {
        name: class.name.clone(),
        source: None,
        methods: class
            .methods
            .iter()
            .filter(|method| planned.contains(&method.id))
            .map(method)
            .collect(),
    };
    Manifest {
        classes: manifest.classes.iter().map(class).collect(),
        skips: found.skips,
        ..manifest.clone()
    }
}

/// Puts what is at `source` also at `to`, with the folders above it.
///
/// Files are linked hard, or else copied: class loaders look for what a jar's Class-Path names
/// beside the file behind a symbolic link.
fn link(source: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    jfathom_files::create_directories(folder, 0o777)
        .map_err(|error| context(error, folder, "cannot create"))?;
    let linked = match source.is_dir() {
        true => jfathom_files::create_link(to, source),
        false => fs::hard_link(source, to).or_else(|_| jfathom_files::copy(source, to)),
    };
    linked.map_err(|error| context(error, to, "cannot link"))
}

/// Makes a link of the output again: a relative one, which leads to what `to` has.
fn link_again(link: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    jfathom_files::create_directories(folder, 0o777)
        .map_err(|error| context(error, folder, "cannot create"))?;
    let target = fs::read_link(link).map_err(|error| context(error, link, "cannot read"))?;
    jfathom_files::create_link(to, &target).map_err(|error| context(error, to, "cannot link"))
}

/// Links what `to` does not have to what `out` has, but for rewritten files: a program may look for
/// it beside its jars.
fn link_others(out: &Path, to: &Path, below: &Path, own: &HashSet<&Path>) -> Result<()> {
    let folder = out.join(below);
    let entries = fs::read_dir(&folder).map_err(|error| context(error, &folder, "cannot read"))?;
    for entry in entries {
        let entry = entry.map_err(|error| context(error, &folder, "cannot read"))?;
        let below = below.join(entry.file_name());
        if below == Path::new(FOLDER)
            || own.contains(below.as_path())
            || to.starts_with(entry.path())
        {
            continue;
        }
        let copy = to.join(&below);
        match copy.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                link(&entry.path(), &copy)?;
            }
            Ok(found) if found.is_dir() => link_others(out, to, &below, own)?,
            Ok(_) => {}
            Err(error) => return Err(context(error, &copy, "cannot read")),
        }
    }
    Ok(())
}
