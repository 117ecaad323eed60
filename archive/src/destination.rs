//! Where a rewrite goes.

use std::path::{Path, PathBuf};

use crate::{Error, Input};

/// What a rewrite writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The whole container again: a jar from a jar, a directory from a directory.
    Whole,
    /// A directory with the changed and added entries only, for `--patch-module`. Nested jars are left out.
    Patch,
}

/// The file or directory that a rewrite writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// The jar or directory itself, not the directory around it. Folders above it are made.
    pub path: PathBuf,
    /// What is written there.
    pub form: Form,
    /// Replace what is there. A directory is only replaced if all its files would be written again.
    pub force: bool,
}

impl Destination {
    /// The whole container at `path`, which must not exist.
    pub fn whole(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), form: Form::Whole, force: false }
    }

    /// A patch directory at `path`, which must not exist.
    pub fn patch(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), form: Form::Patch, force: false }
    }

    /// The same with `force` as given.
    pub fn force(self, force: bool) -> Self {
        Self { force, ..self }
    }
}

/// The destination of each input below the directory `out`, all checked before any work is done: none is an input, none
/// exists unless `force`, no two are the same. Modules get patch directories of their name.
///
/// # Errors
/// The first conflict.
pub fn destinations(inputs: &[Input], out: &Path, force: bool) -> Result<Vec<Destination>, Error> {
    Ok(inputs.iter().map(|i| Destination::whole(out.join(i.relative_path())).force(force)).collect())
}
