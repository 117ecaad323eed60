//! Roots-only class files: an output directory written again with probes in the roots only, for
//! roots-only runs.
//!
//! Probes that are off cost compiled code nothing. A cold program, however, runs them in the
//! interpreter and has larger methods to compile. Here the other methods are as in the source,
//! except for hand-offs if these are followed. Ids and manifests are those of the output, so that
//! full runs and roots-only runs can be compared.

use super::{
    input::{Change, additions, as_rewritten, compare},
    runtime::Runtime,
};
use crate::{
    error::{Result, at},
    read_back::{Faults, ReadBack},
    rewritten::{Rewritten, RuntimeAt},
    sidecar::{FOLDER, OutputFile, Sidecar, identity},
    sources::{Source, reopen},
};
use jfathom_archive::{Entry, Replace, Work};
use jfathom_check::{Contract, Outcome};
use jfathom_plan::{
    ClassCalls, ClassPlan, HugeMethods, Manifest, ManifestClass, MethodId, MethodPlan, Placement,
    ProbeKind, RegionPlan, Skip,
};
use jfathom_rewriter::{Options, Rewriter};
use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Why there are no roots-only class files.
#[derive(Debug, thiserror::Error)]
pub enum RootsOnlyUnavailable {
    /// The output has no roots.
    #[error("it has no roots")]
    NoRoots,
    /// A source is missing, or has changed since it was rewritten.
    #[error("{0} is missing or has changed since it was rewritten: rewrite it again")]
    Source(PathBuf),
    /// The files are not their sources with probes.
    #[error("{0}")]
    Faults(Faults),
}

/// How roots-only class files are made.
#[derive(Clone, Copy, Debug)]
pub struct RootsOnlyOptions {
    /// Follow the roots' hand-offs.
    pub hand_offs: bool,
    /// Compare each file with its source.
    pub check: bool,
}

/// A rewritten file with its source.
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
        self.plans.values().any(ClassPlan::has_root)
    }
}

/// Writes the output directory `out` again to the empty directory `to`, with probes in the roots
/// alone. Other files of `out` are linked. Returns the `output.json` of `to`.
///
/// # Errors
/// Fails if a file cannot be read or written.
pub fn rewrite_roots_only(
    out: &Path,
    sidecar: &Sidecar,
    to: &Path,
    options: RootsOnlyOptions,
) -> Result<Result<Sidecar, RootsOnlyUnavailable>> {
    rewrite_roots_only_with(out, sidecar, to, options, as_rewritten)
}

/// The same with a change to each rewritten class.
pub(super) fn rewrite_roots_only_with(
    out: &Path,
    sidecar: &Sidecar,
    to: &Path,
    options: RootsOnlyOptions,
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
        let hand_offs = options.hand_offs && source.java_home.is_none();
        let plans_of = |manifest: &Manifest| plans(manifest, hand_offs && manifest.has_roots);
        let plans = rewritten.manifest.as_ref().map(plans_of).unwrap_or_default();
        parts.push(Part { file, source, manifest: rewritten.manifest, plans, holds_runtime });
    }
    if !parts.iter().any(Part::has_roots) {
        return Ok(Err(RootsOnlyUnavailable::NoRoots));
    }
    let own: HashSet<&Path> = parts.iter().map(|part| part.file.path.as_path()).collect();
    // An empty patch of a module is not passed to the JVM.
    parts.retain(|part| part.source.java_home.is_none() || !part.plans.is_empty());
    // A jar without the runtime finds it in the jar whose Class-Path names it.
    let elsewhere = parts.iter().any(|part| !part.plans.is_empty() && !part.holds_runtime);
    let mut checked = Vec::new();
    for part in &parts {
        let is_unchanged = part.plans.is_empty() && !(part.holds_runtime && elsewhere);
        match is_unchanged {
            true => {
                link(&part.file.source, &to.join(&part.file.path))?;
                part.file
                    .links
                    .iter()
                    .try_for_each(|name| link_again(&out.join(name), &to.join(name)))?;
            }
            false => {
                let outcome =
                    write(part, &Runtime::new(part.file.placement, to)?, options, change)?;
                let path = to.join(&part.file.path);
                checked.extend(outcome.map(|outcome| ReadBack { path, outcome }));
            }
        }
    }
    if let Some(faults) = Faults::of(&checked) {
        return Ok(Err(RootsOnlyUnavailable::Faults(faults)));
    }
    let sources: Vec<&Source> = parts.iter().map(|part| &part.source).collect();
    let mut placements: Vec<Placement> = parts.iter().map(|part| part.file.placement).collect();
    placements.dedup();
    placements
        .into_iter()
        .try_for_each(|placement| Runtime::new(placement, to)?.write(&sources))?;
    link_others(out, to, Path::new(""), &own)?;
    let mut written = Sidecar::default();
    written.files.extend(parts.into_iter().map(|part| part.file.clone()));
    Ok(Ok(written))
}

/// The source of an output, unless it is missing or has changed.
fn unchanged(file: &OutputFile, holds_runtime: bool, to: &Path) -> Option<Source> {
    let source = reopen(file, holds_runtime, to).ok()?;
    let is_same = match file.java_home {
        Some(_) => true,
        None => file.identity.is_some() && identity(&source.input) == file.identity,
    };
    is_same.then_some(source)
}

/// The plans of a manifest's classes by class name, roots only.
fn plans(manifest: &Manifest, hand_offs: bool) -> HashMap<String, ClassPlan> {
    let mut plans: HashMap<String, ClassPlan> = HashMap::new();
    for class in &manifest.classes {
        // Several entries may have a class of this name, as in multi-release jars. The ids of one
        // serve for all.
        let plan = plans
            .entry(class.name.clone())
            .or_insert_with(|| ClassPlan { hand_offs, ..ClassPlan::default() });
        for method in class.methods.iter().filter(|method| method.root) {
            let is_same = |plan: &MethodPlan| {
                plan.name == method.name && plan.descriptor == method.descriptor
            };
            if let Some(lines) = method.region {
                let region = RegionPlan {
                    method: method.method_name().to_owned(),
                    descriptor: method.descriptor.clone(),
                    lines,
                    id: method.id,
                    kind: ProbeKind::Root,
                };
                let is_same = |plan: &RegionPlan| {
                    (&plan.method, &plan.descriptor, plan.lines)
                        == (&region.method, &region.descriptor, lines)
                };
                if !plan.regions.iter().any(is_same) {
                    plan.regions.push(region);
                }
            } else if !plan.methods.iter().any(is_same) {
                plan.methods.push(MethodPlan {
                    name: method.name.clone(),
                    descriptor: method.descriptor.clone(),
                    id: method.id,
                    kind: ProbeKind::Root,
                });
            }
            // The output was made with it.
            plan.huge = HugeMethods::Allow;
        }
    }
    plans.retain(|_, plan| !plan.is_empty());
    plans
}

/// The results of the threads that rewrote a file.
#[derive(Default)]
struct Found {
    skips: Vec<Skip>,
    rewriters: Vec<Rewriter>,
}

/// Writes a file again; returns how it compares with its source, if that is requested.
fn write(
    part: &Part<'_>,
    runtime: &Runtime,
    options: RootsOnlyOptions,
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
        let free = lock().rewriters.pop();
        let mut rewriter =
            free.unwrap_or_else(|| Rewriter::new(Options { placement: file.placement }));
        let replace = match rewriter.rewrite(bytes, plan) {
            Ok(rewritten) => {
                let mut found = lock();
                found.skips.extend(rewritten.skips);
                match rewritten.bytes != bytes {
                    true => Replace::Bytes(change(name, rewritten.bytes.to_vec())),
                    false => Replace::Keep,
                }
            }
            // The output's manifest has the reason.
            Err(_) => Replace::Keep,
        };
        lock().rewriters.push(rewriter);
        replace
    };
    let destination = source.destination()?;
    let mut native_access = false;
    let prepared = jfathom_archive::prepare(
        &source.input,
        destination,
        &Work::default(),
        rewrite,
        |counts| {
            let additions =
                additions(runtime, source, manifest.as_ref().filter(|_| counts.changed > 0));
            native_access = !additions.manifest.is_empty();
            additions
        },
    )?;
    let checked = match options.check {
        false => None,
        true => {
            let found = found.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
            let roots = manifest.as_ref().map(|manifest| roots_of(manifest, plans, found));
            let contract =
                roots.as_ref().map_or_else(|| Contract::nothing(file.placement), Contract::new);
            let contract = if options.hand_offs { contract } else { contract.without_hand_offs() };
            Some(compare(source, &prepared, contract, native_access)?)
        }
    };
    prepared.commit()?;
    Ok(checked)
}

/// The part of the manifest about the roots, as these plans rewrote them.
fn roots_of(manifest: &Manifest, plans: &HashMap<String, ClassPlan>, found: Found) -> Manifest {
    let planned: HashSet<MethodId> = plans.values().flat_map(ClassPlan::ids).collect();
    let class = |class: &ManifestClass| ManifestClass {
        name: class.name.clone(),
        source: None,
        methods: class
            .methods
            .iter()
            .filter(|method| planned.contains(&method.id))
            .cloned()
            .collect(),
        calls: ClassCalls::default(),
    };
    Manifest {
        classes: manifest.classes.iter().map(class).collect(),
        skips: found.skips,
        ..manifest.clone()
    }
}

/// Gives `source` the further name `to`, and makes the folders above it.
///
/// Files are linked hard or copied: class loaders resolve a jar's Class-Path beside the target of a
/// symbolic link.
fn link(source: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    jfathom_files::create_directories(folder, 0o777).map_err(at(folder, "cannot create"))?;
    let linked = match source.is_dir() {
        true => jfathom_files::create_link(to, source),
        false => fs::hard_link(source, to).or_else(|_| jfathom_files::copy(source, to)),
    };
    linked.map_err(at(to, "cannot link"))
}

/// Makes a link of the output again. It is relative, so that it leads to a file of `to`.
fn link_again(link: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    jfathom_files::create_directories(folder, 0o777).map_err(at(folder, "cannot create"))?;
    let target = fs::read_link(link).map_err(at(link, "cannot read"))?;
    jfathom_files::create_link(to, &target).map_err(at(to, "cannot link"))
}

/// Links the other files of `out`, as far as `to` lacks them: a program may look for them beside
/// its jars.
fn link_others(out: &Path, to: &Path, below: &Path, own: &HashSet<&Path>) -> Result<()> {
    let folder = out.join(below);
    let entries = fs::read_dir(&folder).map_err(at(&folder, "cannot read"))?;
    for entry in entries {
        let entry = entry.map_err(at(&folder, "cannot read"))?;
        let below = below.join(entry.file_name());
        if below == Path::new(FOLDER)
            || own.contains(below.as_path())
            || to.starts_with(entry.path())
        {
            continue;
        }
        // A pipe cannot be copied.
        let is_special = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
        if entry.path().metadata().is_ok_and(is_special) {
            continue;
        }
        let copy = to.join(&below);
        match copy.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                link(&entry.path(), &copy)?;
            }
            Ok(found) if found.is_dir() => link_others(out, to, &below, own)?,
            Ok(_) => {}
            Err(error) => return Err(at(&copy, "cannot read")(error)),
        }
    }
    Ok(())
}
