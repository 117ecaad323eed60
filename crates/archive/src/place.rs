//! Where something is.

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
    /// The container itself; `container` as the user wrote it.
    pub fn new(container: impl Into<PathBuf>) -> Self {
        Self { container: container.into(), inside: Vec::new() }
    }

    /// The entry `name` inside this place.
    pub fn join(&self, name: &EntryName) -> Self {
        let mut place = self.clone();
        place.inside.push(name.clone());
        place
    }

    /// The outermost container.
    pub fn container(&self) -> &Path {
        &self.container
    }

    /// The way inside: the nested jars from the outside in, and last the entry. Empty for the
    /// container itself.
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
