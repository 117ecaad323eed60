//! The runtimes that jars and class directories carry, held against each other.
//!
//! A class loader finds one runtime for all classes that it loads: the first of its class path.
//! Rewritten code that calls a probe which that runtime lacks ends in `NoSuchMethodError` (JVMS
//! 5.4.3.3), in the user's program. So this is looked at before the program runs.

use crate::{
    class_path_entries::{expand, siblings},
    error::{Error, Result},
};
use jfathom_archive::{Input, Limits};
use jfathom_files::read_plain;
use jfathom_plan::{MANIFEST_PATH, probe};
use jfathom_rewriter::{Digests, summarize};
use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    ffi::OsString,
    fmt,
    path::{Path, PathBuf},
};

/// The most entries of a class path that are looked at, those of `Class-Path` included.
const ENTRIES: usize = 100_000;
/// Rewritten code calls public methods alone (JVMS 4.6).
const ACC_PUBLIC: u16 = 0x0001;
/// The longest class of a runtime, in bytes.
pub(crate) const CLASS_BYTES: u64 = 64 << 20;

/// The probes that a runtime has: name and descriptor of each, as `handleAny(I)V`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probes(BTreeSet<String>);

impl Probes {
    /// The probes of the runtime's public class; none if it is no class file.
    pub fn of_class(bytes: &[u8]) -> Option<Self> {
        let summary = summarize(bytes, Digests::Omit).ok()?;
        let methods = summary.methods.into_iter().filter(|method| method.access & ACC_PUBLIC != 0);
        Some(Self(methods.map(|method| method.name + &method.descriptor).collect()))
    }

    /// The probes of the runtime that this jfathom writes.
    pub(crate) fn ours() -> Option<Self> {
        Self::of_class(our_class()?)
    }

    /// All of them.
    pub fn into_names(self) -> BTreeSet<String> {
        self.0
    }

    /// Those that `runtime` lacks.
    fn missing_in(&self, runtime: &Self) -> Vec<String> {
        self.0.difference(&runtime.0).cloned().collect()
    }
}

/// A runtime that lacks probes which code of another file may call.
#[derive(Debug, PartialEq, Eq)]
struct OlderRuntime {
    /// The file with the runtime that the class loader finds.
    runtime: PathBuf,
    /// The file whose code may call more.
    caller: PathBuf,
    /// The probes that are missing: name and descriptor.
    missing: Vec<String>,
}

impl fmt::Display for OlderRuntime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "comes before {} and has an older runtime, without probes that its methods may call \
             ({}): the program would end in NoSuchMethodError; rewrite both again with this jfathom",
            self.caller.display(),
            self.missing.join(", ")
        )
    }
}

/// Refuses a program whose class loader finds a runtime without probes that a later file of its
/// class path may call. `boot` are the arguments of the launcher that put classes before the class
/// path, among others; `entries` is the class path, then the module path.
///
/// # Errors
/// Fails with both files.
pub(crate) fn require_fitting<'a>(
    boot: &[OsString],
    entries: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let path =
        boot_entries(boot).chain(entries.into_iter().flat_map(|entry| expand(entry.as_os_str())));
    match conflict(&with_siblings(path)) {
        Some(older) => Err(Error::failed(older.runtime.display(), &older)),
        None => Ok(()),
    }
}

/// What the JVM appends to the boot class path or patches into java.base.
fn boot_entries(arguments: &[OsString]) -> impl Iterator<Item = PathBuf> {
    let paths = |argument: &OsString| -> Vec<PathBuf> {
        let text = argument.to_string_lossy();
        let after = |start: &str| text.strip_prefix(start);
        let paths = after("-Xbootclasspath/a:").or_else(|| after("--patch-module=java.base="));
        paths.map(|paths| std::env::split_paths(paths).collect()).unwrap_or_default()
    };
    let is_patch = |argument: &&OsString| argument.to_string_lossy().starts_with("--patch-module");
    // The JVM asks the module first.
    let patches = arguments.iter().filter(is_patch);
    let others = arguments.iter().filter(move |argument| !is_patch(argument));
    let found: Vec<PathBuf> = patches.chain(others).flat_map(paths).collect();
    found.into_iter()
}

/// A file of a class path that has to do with probes.
struct Found {
    path: PathBuf,
    /// The probes of its runtime.
    probes: Probes,
    /// Whether it has instrumented methods.
    calls: bool,
}

/// The files with a runtime, in the order of the class path: each jar before what its `Class-Path`
/// names, and that before what comes after the jar.
fn with_siblings(entries: impl Iterator<Item = PathBuf>) -> Vec<Found> {
    let mut open: VecDeque<PathBuf> = entries.collect();
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    while let Some(path) = open.pop_front() {
        // What the JVM cannot open it passes over.
        let Ok(real) = path.canonicalize() else { continue };
        if seen.len() >= ENTRIES || !seen.insert(real.clone()) {
            continue;
        }
        if real.is_dir() {
            let class = read_plain(&real.join(class_file()), CLASS_BYTES).ok();
            let probes = class.and_then(|bytes| Probes::of_class(&bytes));
            let calls = real.join(MANIFEST_PATH).is_file();
            found.extend(probes.map(|probes| Found { path, probes, calls }));
            continue;
        }
        let limits = Limits { nesting: 0, ..Limits::default() };
        let Ok(jar) = Input::open_to_read(&real, &limits) else { continue };
        for sibling in siblings(&jar, &real).into_iter().rev() {
            open.push_front(sibling);
        }
        let class = jar.read(&class_file()).ok().flatten();
        let calls = jar.names().any(|name| name.as_str() == Some(MANIFEST_PATH));
        let probes = class.and_then(|bytes| Probes::of_class(&bytes));
        found.extend(probes.map(|probes| Found { path, probes, calls }));
    }
    found
}

fn conflict(found: &[Found]) -> Option<OlderRuntime> {
    let (first, others) = found.split_first()?;
    others.iter().filter(|other| other.calls).find_map(|other| {
        let missing = other.probes.missing_in(&first.probes);
        (!missing.is_empty()).then(|| OlderRuntime {
            runtime: first.path.clone(),
            caller: other.path.clone(),
            missing,
        })
    })
}

/// Those of the files whose runtime lacks probes that this jfathom's rewritten code may call.
pub(crate) fn older<'a>(files: impl IntoIterator<Item = &'a Path>) -> Vec<PathBuf> {
    let Some(ours) = Probes::ours() else { return Vec::new() };
    let found = with_siblings(files.into_iter().map(Path::to_owned));
    let is_older = |file: &Found| !ours.missing_in(&file.probes).is_empty();
    found.into_iter().filter(is_older).map(|file| file.path).collect()
}

/// The runtime's public class as this jfathom writes it.
pub(crate) fn our_class() -> Option<&'static [u8]> {
    let mut classes = jfathom_runtime_java::CLASSES.iter();
    classes.find(|(name, _)| *name == class_file()).map(|(_, bytes)| *bytes)
}

/// The runtime's public class as a file.
pub(crate) fn class_file() -> String {
    format!("{}.class", probe::CLASS)
}

#[cfg(test)]
mod tests;
