//! The rewritten files that a program runs with.

mod roots_only;
mod selectors;

pub use roots_only::RootsOnlyProgram;

use crate::{
    error::{Result, at, usage},
    manifest_files::read_manifest_in,
    rewritten::{Rewritten, origin},
    runtimes,
    sidecar::{OutputFile, Run, Sidecar},
};
use jfathom_plan::{Digest, IdRange, Placement};
use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Path, PathBuf},
};

/// The output directories of rewriting that a program runs with.
#[derive(Debug, Default)]
pub struct RewrittenProgram {
    outputs: Vec<(PathBuf, Sidecar)>,
    /// Entries of which nobody knows whether they were rewritten, with the reason.
    unknown: Vec<(PathBuf, io::Error)>,
}

/// Files whose manifests the runtime may not find: it looks where its own class loader does, and
/// another one may load the classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HiddenManifests {
    /// The files with their paths.
    pub files: Vec<(PathBuf, OutputFile)>,
    /// The first id behind those of all files of the program.
    pub ids_end: u32,
    /// Whether one of the files has roots.
    pub has_roots: bool,
}

impl RewrittenProgram {
    /// Finds the outputs of a program: the `named` directories, and those that have the `entries`
    /// of its class and module path. An entry is a jar, a directory, or `DIR/*` for a directory's
    /// jars.
    ///
    /// # Errors
    /// Fails if a named directory has no output, or if an `output.json` cannot be read.
    pub fn find<'a>(
        named: &[PathBuf],
        entries: impl IntoIterator<Item = &'a Path>,
    ) -> Result<Self> {
        let mut program = Self::default();
        for out in named {
            program.add(out)?;
        }
        for entry in entries {
            program.add_containing(entry)?;
        }
        Ok(program)
    }

    fn add(&mut self, out: &Path) -> Result<()> {
        let out = std::path::absolute(out).map_err(at(out, "cannot find"))?;
        if self.outputs.iter().any(|(known, _)| *known == out) {
            return Ok(());
        }
        let sidecar = Sidecar::read(&out)?;
        if sidecar.files.is_empty() {
            return Err(usage(format!(
                "{}: nothing was rewritten into it; name the directory of `jfathom rewrite -o`",
                out.display()
            )));
        }
        self.outputs.push((out, sidecar));
        Ok(())
    }

    /// Adds the output directory that a class path entry lies in, or is.
    fn add_containing(&mut self, entry: &Path) -> Result<()> {
        let entry = match entry.file_name() == Some(OsStr::new("*")) {
            true => entry.parent().unwrap_or(entry),
            false => entry,
        };
        if !entry.exists() {
            return Ok(());
        }
        // The JVM passes over what it cannot read.
        if let Err(error) = Sidecar::is_in(entry) {
            self.unknown.push((entry.to_owned(), error));
            return Ok(());
        }
        match origin(entry)? {
            Some((out, _)) => self.add(&out),
            None if Sidecar::read(entry)?.files.is_empty() => Ok(()),
            None => self.add(&entry.canonicalize().map_err(at(entry, "cannot find"))?),
        }
    }

    /// Sentences about entries of class and module path that cannot be read.
    pub fn notices(&self) -> Vec<String> {
        let notice = |(path, error): &(PathBuf, io::Error)| {
            format!(
                "{}: passed over on the class path: {error}; whether it was rewritten is not known",
                path.display()
            )
        };
        self.unknown.iter().map(notice).collect()
    }

    /// Refuses a program in which a class loader finds a runtime that lacks probes of a later file:
    /// it would end in `NoSuchMethodError`. `boot` are arguments of the launcher, of which those
    /// count that put classes before the class path; `entries` is as for [`Self::find`].
    ///
    /// # Errors
    /// Fails with both files.
    pub fn require_fitting_runtimes<'a>(
        boot: &[OsString],
        entries: impl IntoIterator<Item = &'a Path>,
    ) -> Result<()> {
        runtimes::require_fitting(boot, entries)
    }

    /// Refuses a program with a module path on which rewritten files do not find one runtime: with
    /// placement main each has its own, and a JVM has a package in one module alone. `entries` is
    /// the module path.
    ///
    /// # Errors
    /// Fails with one of the files, and the placement that it needs.
    pub fn require_modular<'a>(&self, entries: impl IntoIterator<Item = &'a Path>) -> Result<()> {
        let real = |path: &Path| path.canonicalize().ok();
        let modules: Vec<PathBuf> = entries.into_iter().filter_map(real).collect();
        let is_module = |path: &Path| {
            real(path).is_some_and(|path| modules.iter().any(|entry| path.starts_with(entry)))
        };
        let instrumented = || self.files().filter(|(_, file)| file.ids.len > 0);
        let alone = instrumented().count() < 2;
        let own = |(path, file): &(PathBuf, &OutputFile)| {
            file.placement == Placement::Main && is_module(path)
        };
        match instrumented().find(own) {
            Some((path, _)) if !alone => Err(usage(format!(
                "{}: is on the module path, where it cannot share a runtime with the other rewritten \
                 files; rewrite all with --placement modular",
                path.display()
            ))),
            _ => Ok(()),
        }
    }

    /// All files with their paths.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, &OutputFile)> {
        self.outputs.iter().flat_map(|(out, sidecar)| {
            sidecar.files.iter().map(|file| (out.join(&file.path), file))
        })
    }

    /// The JVM flags that the program needs, or that make recording cheaper.
    ///
    /// # Errors
    /// Fails if the current directory is needed and cannot be found.
    pub fn flags(&self, run: &Run) -> Result<Vec<String>> {
        flags(&self.outputs, run)
    }

    /// The files whose manifests the runtime may not find; `None` if it finds all. With the runtime
    /// in the main jar it finds the manifests of that class path.
    ///
    /// # Errors
    /// Fails if one of the files cannot be read.
    pub fn hidden_manifests(&self) -> Result<Option<HiddenManifests>> {
        let mut hidden = HiddenManifests { files: Vec::new(), ids_end: 0, has_roots: false };
        for (path, file) in self.files() {
            hidden.ids_end = hidden.ids_end.max(file.ids.end());
            if file.placement != Placement::Main && file.ids.len > 0 {
                let manifest = Rewritten::open(&path)?.manifest;
                hidden.has_roots |= manifest.is_some_and(|manifest| manifest.has_roots);
                hidden.files.push((path, file.clone()));
            }
        }
        Ok((!hidden.files.is_empty()).then_some(hidden))
    }

    /// Whether one of the files has roots.
    ///
    /// # Errors
    /// Fails if one of the files cannot be read.
    pub fn has_roots(&self) -> Result<bool> {
        for (path, file) in self.files() {
            if file.ids.len > 0 {
                let manifest = Rewritten::open(&path)?.manifest;
                if manifest.is_some_and(|manifest| manifest.has_roots) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Reads the manifest with these ids and this plan id, of at most `limit` bytes; `None` if no
    /// file of the program has it.
    pub fn read_manifest(&self, ids: IdRange, plan: &str, limit: u64) -> Option<Vec<u8>> {
        let is_wanted = |file: &OutputFile| file.ids == ids && is_plan(file.plan, plan);
        let mut files = self.files().filter(|(_, file)| is_wanted(file));
        files.find_map(|(path, _)| read_manifest_in(&path, limit).ok())
    }
}

fn is_plan(plan: Digest, text: &str) -> bool {
    plan.to_string() == text
}

/// The flags for all these outputs, each once.
fn flags(outputs: &[(PathBuf, Sidecar)], run: &Run) -> Result<Vec<String>> {
    let mut flags: Vec<String> = Vec::new();
    for (out, sidecar) in outputs {
        for flag in sidecar.flags(out, run)? {
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
    }
    Ok(flags)
}

#[cfg(test)]
mod tests;
