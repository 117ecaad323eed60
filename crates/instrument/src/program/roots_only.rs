//! A program's output directories, written again with probes in the roots only.

use super::{RewrittenProgram, flags};
use crate::{
    error::{Result, at},
    rewrite::{RootsOnlyOptions, RootsOnlyUnavailable, rewrite_roots_only},
    sidecar::{Run, Sidecar},
};
use jfathom_archive::Staging;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// A program with probes in the roots only. Its folders are removed with this value, unless a JVM
/// still runs from them.
#[derive(Debug)]
pub struct RootsOnlyProgram {
    /// Output directories: the new ones, and those without roots as they were.
    outputs: Vec<(PathBuf, Sidecar)>,
    moved: Vec<Moved>,
}

/// An output directory that was written again.
#[derive(Debug)]
struct Moved {
    /// The directory, without links in its path.
    from: PathBuf,
    to: Staging,
}

impl RewrittenProgram {
    /// Writes the output directories again with probes in the roots only: each beside itself, so
    /// that a program finds files that it expects there, else in the temporary directory. Folders
    /// that a killed collector left are removed.
    ///
    /// # Errors
    /// Fails if a file cannot be read or written.
    pub fn rewrite_roots_only(
        &self,
        options: RootsOnlyOptions,
    ) -> Result<Result<RootsOnlyProgram, RootsOnlyUnavailable>> {
        let mut program = RootsOnlyProgram { outputs: Vec::new(), moved: Vec::new() };
        for (out, sidecar) in &self.outputs {
            let moved = Moved::new(out)?;
            let folder = moved.to.path().to_owned();
            match rewrite_roots_only(out, sidecar, &folder, options)? {
                Ok(sidecar) => {
                    program.outputs.push((folder, sidecar));
                    program.moved.push(moved);
                }
                Err(RootsOnlyUnavailable::NoRoots) => {
                    program.outputs.push((out.clone(), sidecar.clone()));
                }
                Err(reason) => return Ok(Err(reason)),
            }
        }
        Ok(Ok(program))
    }
}

impl RootsOnlyProgram {
    /// The new path of a class path entry; `None` if the entry stays as it is.
    pub fn new_path(&self, entry: &Path) -> Option<PathBuf> {
        self.moved.iter().find_map(|moved| moved.new_path(entry))
    }

    /// An output directory that was written again and has none of the `entries` in it.
    pub fn unused_output(&self, entries: &[&Path]) -> Option<&Path> {
        let is_used = |moved: &&Moved| entries.iter().any(|path| moved.new_path(path).is_some());
        self.moved.iter().find(|moved| !is_used(moved)).map(|moved| &*moved.from)
    }

    /// The JVM flags for the new directories, as [`RewrittenProgram::flags`].
    ///
    /// # Errors
    /// Fails if the current directory is needed and cannot be found.
    pub fn flags(&self, run: &Run) -> Result<Vec<String>> {
        flags(&self.outputs, run)
    }

    /// The new folders that a process still runs from.
    pub fn folders_in_use(&self) -> impl Iterator<Item = &Path> {
        self.moved.iter().filter(|moved| moved.to.is_used()).map(|moved| moved.to.path())
    }
}

impl Moved {
    fn new(out: &Path) -> Result<Self> {
        let from = out.canonicalize().map_err(at(out, "cannot find"))?;
        let mut name = from.file_name().unwrap_or_default().to_owned();
        name.push("-roots");
        let temporary = std::env::temp_dir();
        let to = Staging::directory(&from.with_file_name(&name))
            .or_else(|_| Staging::directory(&temporary.join(&name)))
            .map_err(at(&temporary, "cannot create a folder in"))?;
        Ok(Self { from, to })
    }

    /// The new path of a class path entry that is the directory or lies in it.
    fn new_path(&self, entry: &Path) -> Option<PathBuf> {
        let is_wildcard = entry.file_name() == Some(OsStr::new("*"));
        let folder = entry.parent().filter(|folder| !folder.as_os_str().is_empty());
        let found = match is_wildcard {
            true => folder.unwrap_or(Path::new(".")),
            false => entry,
        };
        let below = found.canonicalize().ok()?.strip_prefix(&self.from).ok()?.to_owned();
        let path = self.to.path().join(below);
        path.exists().then(|| if is_wildcard { path.join("*") } else { path })
    }
}
