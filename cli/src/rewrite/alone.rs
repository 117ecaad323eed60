//! An output directory once more, with probes in the roots alone: what a program runs with where only these are timed.
//!
//! Probes that are switched off cost compiled code nothing, but a program that is mostly cold runs them in the interpreter and
//! has larger methods to compile. Here the other methods are as in the source, but for call sites of hand-offs where these are
//! followed. Ids and manifests are those of the output, so that both kinds of runs can be compared.

use super::{instrument::additions, runtime::Runtime};
use crate::{
    failure::{archive, context},
    rewritten::{Rewritten, RuntimeAt},
    select::{Source, again},
    sidecar::{FOLDER, OutputFile, Sidecar, identity},
};
use anyhow::{Result, anyhow};
use jfathom_archive::{Entry, Replace, Work};
use jfathom_plan::{ClassPlan, HugePolicy, Manifest, MethodPlan, Placement, ProbeKind};
use jfathom_rewriter::{Options, Rewriter};
use std::{
    collections::{HashMap, HashSet},
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// Why an output cannot be made again.
#[derive(Debug)]
pub(crate) enum NotAlone {
    /// It has no roots.
    NoRoots,
    /// A source is not what it was when it was rewritten, or is not there.
    Source(PathBuf),
}

impl fmt::Display for NotAlone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoots => f.write_str("it has no roots"),
            Self::Source(source) => {
                write!(f, "{} is not there or not as it was when it was rewritten: rewrite it again", source.display())
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

/// Writes the output directory `out` again to `to`, which is empty, with probes in its roots only. What else lies in it is
/// linked to. `hand_offs` says whether work is followed that roots hand to other threads.
/// Gives what `output.json` would say.
pub(crate) fn roots_alone(
    out: &Path,
    sidecar: &Sidecar,
    to: &Path,
    hand_offs: bool,
) -> Result<Result<Sidecar, NotAlone>> {
    let mut parts = Vec::new();
    for file in &sidecar.files {
        let rewritten = Rewritten::open(&out.join(&file.path))?;
        let holds_runtime = rewritten.runtime == RuntimeAt::Here;
        if rewritten.manifest.is_none() && !holds_runtime {
            continue;
        }
        let Some(source) = unchanged(file, holds_runtime, to) else {
            return Ok(Err(NotAlone::Source(file.source.clone())));
        };
        let of = |manifest: &Manifest| plans(manifest, hand_offs && manifest.rooted && source.java_home.is_none());
        let plans = rewritten.manifest.as_ref().map(of).unwrap_or_default();
        parts.push(Part { file, source, manifest: rewritten.manifest, plans, holds_runtime });
    }
    if !parts.iter().any(Part::has_roots) {
        return Ok(Err(NotAlone::NoRoots));
    }
    let own: HashSet<&Path> = parts.iter().map(|part| part.file.path.as_path()).collect();
    // A patch of a module that would hold nothing is not passed to the JVM.
    parts.retain(|part| part.source.java_home.is_none() || !part.plans.is_empty());
    // A jar without the runtime finds it in the one that names it in its Class-Path.
    let elsewhere = parts.iter().any(|part| !part.plans.is_empty() && !part.holds_runtime);
    for part in &parts {
        let as_it_is = part.plans.is_empty() && !(part.holds_runtime && elsewhere);
        match as_it_is {
            true => {
                link(&part.file.source, &to.join(&part.file.path))?;
                part.file.links.iter().try_for_each(|name| link_again(&out.join(name), &to.join(name)))?;
            }
            false => write(part, &Runtime::new(part.file.placement, to))?,
        }
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
        // Several entries may hold a class of this name, as in multi-release jars: ids of one of them serve for all.
        let plan = plans.entry(class.name.clone()).or_insert_with(|| ClassPlan {
            hand_offs,
            pin: manifest.pinned,
            ..ClassPlan::default()
        });
        for method in class.methods.iter().filter(|method| method.root) {
            let is_same = |it: &MethodPlan| it.name == method.name && it.descriptor == method.descriptor;
            if !plan.methods.iter().any(is_same) {
                plan.methods.push(MethodPlan {
                    name: method.name.clone(),
                    descriptor: method.descriptor.clone(),
                    id: method.id,
                    kind: ProbeKind::Root,
                });
            }
            // It was allowed where the output was made.
            plan.huge = HugePolicy::Allow;
        }
    }
    plans.retain(|_, plan| !plan.is_empty());
    plans
}

fn write(part: &Part<'_>, runtime: &Runtime) -> Result<()> {
    let Part { file, source, manifest, plans, .. } = part;
    let rewriters: Mutex<Vec<Rewriter>> = Mutex::default();
    let pool = || rewriters.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let rewrite = |entry: &Entry<'_>, bytes: &[u8]| {
        let Some(plan) = entry.name().class_name().and_then(|name| plans.get(name)) else { return Replace::Keep };
        let taken = pool().pop();
        let mut rewriter = taken.unwrap_or_else(|| Rewriter::new(Options { placement: file.placement }));
        let replace = match rewriter.rewrite(bytes, plan) {
            Ok(rewritten) if rewritten.bytes != bytes => Replace::Bytes(rewritten.bytes.to_vec()),
            // What was said of it when the output was made holds here.
            Ok(_) | Err(_) => Replace::Keep,
        };
        pool().push(rewriter);
        replace
    };
    let destination = source.destination.as_ref().ok_or_else(|| anyhow!("a source without a destination"))?;
    jfathom_archive::rewrite(&source.input, destination, &Work::default(), rewrite, |tally| {
        additions(runtime, source, manifest.as_ref().filter(|_| tally.changed > 0))
    })
    .map_err(archive)?;
    Ok(())
}

/// Puts what is at `source` also at `to`, with the folders above it.
///
/// Files are linked hard, or else copied: class loaders look for what a jar's Class-Path names beside the file behind a symbolic link.
fn link(source: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    jfathom_files::create_directories(folder, 0o777).map_err(|error| context(error, folder, "cannot create"))?;
    let linked = match source.is_dir() {
        true => jfathom_files::create_link(to, source),
        false => fs::hard_link(source, to).or_else(|_| jfathom_files::copy(source, to)),
    };
    linked.map_err(|error| context(error, to, "cannot link"))
}

/// Makes a link of the output again: a relative one, which leads to what `to` has.
fn link_again(link: &Path, to: &Path) -> Result<()> {
    let folder = to.parent().unwrap_or(to);
    jfathom_files::create_directories(folder, 0o777).map_err(|error| context(error, folder, "cannot create"))?;
    let target = fs::read_link(link).map_err(|error| context(error, link, "cannot read"))?;
    jfathom_files::create_link(to, &target).map_err(|error| context(error, to, "cannot link"))
}

/// Links what `to` does not have to what `out` has, but for rewritten files: a program may look for it beside its jars.
fn link_others(out: &Path, to: &Path, below: &Path, own: &HashSet<&Path>) -> Result<()> {
    let folder = out.join(below);
    let entries = fs::read_dir(&folder).map_err(|error| context(error, &folder, "cannot read"))?;
    for entry in entries {
        let entry = entry.map_err(|error| context(error, &folder, "cannot read"))?;
        let below = below.join(entry.file_name());
        if below == Path::new(FOLDER) || own.contains(below.as_path()) || to.starts_with(entry.path()) {
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
