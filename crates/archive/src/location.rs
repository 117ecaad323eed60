//! Locations in containers.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::EntryName;

/// A container, or an entry in it, possibly inside nested jars:
/// `app.jar!BOOT-INF/lib/x.jar!com/acme/Foo.class`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    container: PathBuf,
    inside: Vec<EntryName>,
}

impl Location {
    /// The container itself, with its path as the user wrote it.
    pub fn new(container: impl Into<PathBuf>) -> Self {
        Self { container: container.into(), inside: Vec::new() }
    }

    /// The entry `name` inside this location.
    pub fn join(&self, name: &EntryName) -> Self {
        let mut location = self.clone();
        location.inside.push(name.clone());
        location
    }

    /// The outermost container.
    pub fn container(&self) -> &Path {
        &self.container
    }

    /// The nested jars from the outside in, then the entry. Empty for the container itself.
    pub fn inside(&self) -> &[EntryName] {
        &self.inside
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.container.display())?;
        self.inside.iter().try_for_each(|name| write!(f, "!{name}"))
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
