//! Where a rewrite goes.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind, Input, Kind, Place};

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
    /// Replace what is there. A directory is only replaced if it is from an earlier run: it holds all entries that are added, or
    /// all its files would be written again.
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

    /// Fails if `input` cannot be written here.
    pub(crate) fn check(&self, input: &Input) -> Result<(), Error> {
        if self.form == Form::Whole && input.kind() == Kind::Module {
            return Err(Error::new(input.place().clone(), ErrorKind::NeedsPatch));
        }
        self.check_apart(input)?;
        let err = |kind| Err(Error::new(input.place().clone(), kind));
        let Ok(found) = self.path.symlink_metadata() else { return Ok(()) };
        if !self.force {
            return err(ErrorKind::OutputExists { output: self.path.clone() });
        }
        let is_directory = self.form == Form::Patch || input.kind() == Kind::Directory;
        if found.is_dir() != is_directory {
            return err(ErrorKind::OutputHoldsOther { output: self.path.clone(), other: self.path.clone() });
        }
        Ok(())
    }

    /// Fails if writing here would touch `input`, also through links.
    fn check_apart(&self, input: &Input) -> Result<(), Error> {
        let Some(path) = input.path() else { return Ok(()) };
        let err = |kind| Err(Error::new(input.place().clone(), kind));
        let output = || self.path.clone();
        if file_id(path).is_some_and(|id| file_id(&self.path) == Some(id)) {
            return err(ErrorKind::OutputIsInput { output: output() });
        }
        let (from, to) = (real(path), real(&self.path));
        if from == to {
            return err(ErrorKind::OutputIsInput { output: output() });
        }
        if (input.kind() == Kind::Directory && to.starts_with(&from)) || from.starts_with(&to) {
            return err(ErrorKind::OutputOverlapsInput { output: output() });
        }
        Ok(())
    }
}

/// The destination of each input below the directory `out`, all checked before any work is done: none touches an input, none
/// exists unless `force`, no two are the same or inside each other. Modules get patch directories of their name.
///
/// # Errors
/// The first conflict.
pub fn destinations(inputs: &[Input], out: &Path, force: bool) -> Result<Vec<Destination>, Error> {
    let mut made: Vec<Destination> = Vec::with_capacity(inputs.len());
    for input in inputs {
        let path = out.join(input.relative_path());
        let form = if input.kind() == Kind::Module { Form::Patch } else { Form::Whole };
        made.push(Destination { path, form, force });
    }
    check_distinct(inputs, &made)?;
    for (input, to) in inputs.iter().zip(&made) {
        to.check(input)?;
        inputs.iter().try_for_each(|other| to.check_apart(other))?;
    }
    Ok(made)
}

/// Fails if two inputs have one output, or one that lies in the directory that is another's.
fn check_distinct(inputs: &[Input], made: &[Destination]) -> Result<(), Error> {
    let owners: HashMap<&Path, &Input> = made.iter().map(|d| d.path.as_path()).zip(inputs).collect();
    for (input, to) in inputs.iter().zip(made) {
        for above in to.path.ancestors() {
            let Some(&owner) = owners.get(above) else { continue };
            if !std::ptr::eq(owner, input) {
                return Err(same_output(input.place(), owner, above));
            }
        }
    }
    Ok(())
}

pub(crate) fn same_output(place: &Place, other: &Input, output: &Path) -> Error {
    let other = other.place().container().to_owned();
    Error::new(place.clone(), ErrorKind::SameOutput { other, output: output.to_owned() })
}

/// Device and inode of what the path leads to.
pub(crate) fn file_id(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|m| (m.dev(), m.ino()))
}

/// The path without symbolic links, as far as it exists.
pub(crate) fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for above in absolute.ancestors() {
        if let Ok(real) = above.canonicalize() {
            return match absolute.strip_prefix(above) {
                Ok(rest) if rest != Path::new("") => real.join(rest),
                _ => real,
            };
        }
    }
    absolute
}
