//! Destinations of rewrites.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind, Input, InputKind};

/// Output of a rewrite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputForm {
    /// The whole container: a jar from a jar, a directory from a directory.
    Whole,
    /// A directory with the changed and added entries only, for `--patch-module`, without nested
    /// jars.
    Patch,
}

/// The file or directory that a rewrite writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// Path of the jar or directory. Missing folders above it are made.
    pub path: PathBuf,
    /// The form of the output.
    pub form: OutputForm,
    /// Whether to replace an existing output. A directory is replaced only if it is from an earlier
    /// run: it has all entries to add, or all its files would be written again.
    pub force: bool,
    /// Further names of the output: relative symbolic links to it.
    pub links: Vec<PathBuf>,
}

impl Destination {
    /// The whole container at `path`, which must not exist.
    pub fn whole(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), form: OutputForm::Whole, force: false, links: Vec::new() }
    }

    /// A patch directory at `path`, which must not exist.
    pub fn patch(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), form: OutputForm::Patch, force: false, links: Vec::new() }
    }

    /// The same with these further names.
    pub fn links(self, links: Vec<PathBuf>) -> Self {
        Self { links, ..self }
    }

    /// The same with `force` as given.
    pub fn force(self, force: bool) -> Self {
        Self { force, ..self }
    }

    /// The output and its links.
    fn paths(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&self.path).chain(&self.links).map(PathBuf::as_path)
    }

    /// Fails if `input` cannot be written here.
    pub(crate) fn check(&self, input: &Input) -> Result<(), Error> {
        if self.form == OutputForm::Whole && input.kind() == InputKind::Module {
            return Err(Error::new(input.location().clone(), ErrorKind::NeedsPatch));
        }
        self.check_apart(input)?;
        let err = |kind| Err(Error::new(input.location().clone(), kind));
        for link in &self.links {
            match link.symlink_metadata() {
                Ok(_) if !self.force => {
                    return err(ErrorKind::OutputExists { output: link.clone() });
                }
                Ok(found) if found.is_dir() => {
                    return err(ErrorKind::OutputHoldsOther {
                        output: link.clone(),
                        other: link.clone(),
                    });
                }
                Ok(_) | Err(_) => {}
            }
        }
        let Ok(found) = self.path.symlink_metadata() else { return Ok(()) };
        if !self.force {
            return err(ErrorKind::OutputExists { output: self.path.clone() });
        }
        let is_directory = self.form == OutputForm::Patch || input.kind() == InputKind::Directory;
        if found.is_dir() != is_directory {
            return err(ErrorKind::OutputHoldsOther {
                output: self.path.clone(),
                other: self.path.clone(),
            });
        }
        Ok(())
    }

    /// Fails if writing here would touch `input`, also through links.
    fn check_apart(&self, input: &Input) -> Result<(), Error> {
        std::iter::once(&self.path)
            .chain(&self.links)
            .try_for_each(|output| check_apart(output, input))
    }
}

/// Fails if writing to `path` would touch `input`, also through links.
fn check_apart(output: &Path, input: &Input) -> Result<(), Error> {
    let Some(path) = input.path() else { return Ok(()) };
    let err = |kind| Err(Error::new(input.location().clone(), kind));
    let is_same = file_id(path).is_some_and(|id| file_id(output) == Some(id));
    let (from, to) = (real(path), real(output));
    let output = || output.to_owned();
    if is_same {
        return err(ErrorKind::OutputIsInput { output: output() });
    }
    if from == to {
        return err(ErrorKind::OutputIsInput { output: output() });
    }
    if (input.kind() == InputKind::Directory && to.starts_with(&from)) || from.starts_with(&to) {
        return err(ErrorKind::OutputOverlapsInput { output: output() });
    }
    Ok(())
}

/// The destination of each input below the directory `out`, checked before any work is done. None
/// touches an input. None exists, unless `force` says that it may be replaced. No two are equal or
/// inside each other. None leads out of `out` through an existing link. A module gets a patch
/// directory of its name.
///
/// # Errors
/// Returns the first conflict.
pub fn destinations(
    inputs: &[Input],
    out: &Path,
    force: impl Fn(&Input) -> bool,
) -> Result<Vec<Destination>, Error> {
    let mut made: Vec<Destination> = Vec::with_capacity(inputs.len());
    for input in inputs {
        let path = out.join(input.relative_path());
        let form =
            if input.kind() == InputKind::Module { OutputForm::Patch } else { OutputForm::Whole };
        let links = input.links().iter().map(|link| out.join(link)).collect();
        made.push(Destination { path, form, force: force(input), links });
    }
    check_distinct(inputs, &made)?;
    let within = real(out);
    for (input, to) in inputs.iter().zip(&made) {
        for path in to.paths() {
            if !path.parent().is_some_and(|folder| real(folder).starts_with(&within)) {
                let output = path.to_owned();
                return Err(Error::new(
                    input.location().clone(),
                    ErrorKind::OutputLeadsOut { output },
                ));
            }
        }
        to.check(input)?;
        inputs.iter().try_for_each(|other| to.check_apart(other))?;
    }
    Ok(made)
}

/// Fails if two inputs have the same output, or one's output is in the other's directory.
fn check_distinct<'a>(inputs: &'a [Input], made: &'a [Destination]) -> Result<(), Error> {
    let of = |(to, input): (&'a Destination, &'a Input)| to.paths().map(move |path| (path, input));
    let owners: HashMap<&Path, &Input> = made.iter().zip(inputs).flat_map(of).collect();
    for (path, input) in made.iter().zip(inputs).flat_map(of) {
        let mut above = path.ancestors();
        if owners.get(path).is_some_and(|owner| std::ptr::eq(*owner, input)) {
            above.next();
        }
        if let Some((above, owner)) = above.find_map(|above| Some((above, owners.get(above)?))) {
            let (other, output) = (owner.location().container().to_owned(), above.to_owned());
            return Err(Error::new(
                input.location().clone(),
                ErrorKind::SameOutput { other, output },
            ));
        }
    }
    Ok(())
}

/// Device and inode.
pub(crate) type FileId = (u64, u64);

/// Device and inode of the path's target.
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
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
