//! A complete output without its final name.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::Outcome;
use crate::staging::Staging;
use crate::{Destination, Error, ErrorKind, Input, Location, NewEntry, links};

/// A rewritten container, under a temporary name beside its destination. If it is dropped, it is
/// removed, and the destination stays unchanged.
#[derive(Debug)]
pub struct Prepared {
    location: Location,
    to: Destination,
    staging: Staging,
    added: Vec<NewEntry>,
    outcome: Outcome,
}

impl Prepared {
    pub(super) fn new(
        input: &Input,
        to: &Destination,
        staging: Staging,
        added: Vec<NewEntry>,
        outcome: Outcome,
    ) -> Self {
        Self { location: input.location().clone(), to: to.clone(), staging, added, outcome }
    }

    /// Its temporary path: a jar, or a directory.
    pub fn path(&self) -> &Path {
        self.staging.path()
    }

    /// Its counts.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The entries that were added.
    pub fn added(&self) -> &[NewEntry] {
        &self.added
    }

    /// Gives it its name, in place of an earlier output, and makes its links.
    ///
    /// # Errors
    /// Fails if a directory is there that is not from an earlier run, or if the operating system
    /// reports an error.
    pub fn commit(self) -> Result<Outcome, Error> {
        let is_directory = self.staging.path().is_dir();
        if let Some(other) = is_directory.then(|| self.find_other()).flatten() {
            let output = self.to.path.clone();
            return Err(Error::new(self.location, ErrorKind::OutputHoldsOther { output, other }));
        }
        let path = self.to.path.clone();
        self.staging.commit().map_err(|e| Error::io(path, "cannot write", e))?;
        links::make(&self.to)?;
        Ok(self.outcome)
    }

    /// A file in the old directory that this run does not write. It shows that the directory is not
    /// from an earlier run.
    fn find_other(&self) -> Option<PathBuf> {
        let old = &self.to.path;
        let is_there = |e: &NewEntry| e.name.relative_path().is_some_and(|p| old.join(p).is_file());
        if !self.added.is_empty() && self.added.iter().all(is_there) {
            return None;
        }
        let files = WalkDir::new(old)
            .min_depth(1)
            .into_iter()
            .flatten()
            .filter(|item| !item.file_type().is_dir());
        let mut relative =
            files.filter_map(|item| item.path().strip_prefix(old).ok().map(Path::to_owned));
        relative.find(|path| !self.staging.path().join(path).exists())
    }
}
