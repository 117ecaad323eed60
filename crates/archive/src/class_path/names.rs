//! The names of one input below the output directory.

use std::path::PathBuf;

/// How many names a file gets: symbolic links can give it any number.
const MOST: usize = 16;

/// Where an input goes.
pub(super) struct Names {
    /// The file itself.
    pub(super) place: PathBuf,
    /// Links to it.
    pub(super) links: Vec<PathBuf>,
    /// Whether it has the place that the user's name gives, and not one of a `Class-Path`.
    is_given: bool,
    /// Whether that is another than its file name.
    pub(super) is_apart: bool,
}

impl Names {
    /// Of an input that the user named.
    pub(super) fn named(place: PathBuf) -> Self {
        let is_apart = place.components().count() > 1;
        Self { place, links: Vec::new(), is_given: true, is_apart }
    }

    /// Of one that a `Class-Path` names.
    pub(super) fn of_class_path(place: PathBuf) -> Self {
        Self { place, links: Vec::new(), is_given: false, is_apart: false }
    }

    /// Whether it gets no more names.
    pub(super) fn is_full(&self) -> bool {
        self.links.len() + 1 >= MOST
    }

    /// Adds a name. If the file itself `may_move`, it goes there the first time, and the given name
    /// becomes a link: class loaders look for siblings beside the file behind a link. True if
    /// it went there.
    pub(super) fn add(&mut self, name: PathBuf, may_move: bool) -> bool {
        if !(may_move && self.is_given) {
            self.links.push(name);
            return false;
        }
        self.is_given = false;
        self.links.push(std::mem::replace(&mut self.place, name));
        true
    }
}
