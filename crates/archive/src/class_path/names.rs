//! The names of one input below the output directory.

use std::path::PathBuf;

/// Bound on the names of a file: symbolic links can give it any number.
const MOST: usize = 16;

/// Output path and further names of an input.
pub(super) struct Names {
    /// Output path of the file.
    pub(super) output: PathBuf,
    pub(super) links: Vec<PathBuf>,
    /// Whether the path comes from the user's name, and not from a `Class-Path`.
    is_given: bool,
    /// Whether the path differs from its file name.
    pub(super) is_apart: bool,
}

impl Names {
    /// Names of an input that the user named.
    pub(super) fn named(output: PathBuf) -> Self {
        let is_apart = output.components().count() > 1;
        Self { output, links: Vec::new(), is_given: true, is_apart }
    }

    /// Names of an input that a `Class-Path` names.
    pub(super) fn from_class_path(output: PathBuf) -> Self {
        Self { output, links: Vec::new(), is_given: false, is_apart: false }
    }

    /// Whether it has the largest number of names.
    pub(super) fn is_full(&self) -> bool {
        self.links.len() + 1 >= MOST
    }

    /// Adds a name. With `may_move`, the first such name becomes the output path, and the given
    /// name becomes a link: class loaders search siblings beside the target of a link. Returns
    /// whether the output path changed.
    pub(super) fn add(&mut self, name: PathBuf, may_move: bool) -> bool {
        if !(may_move && self.is_given) {
            self.links.push(name);
            return false;
        }
        self.is_given = false;
        self.links.push(std::mem::replace(&mut self.output, name));
        true
    }
}
