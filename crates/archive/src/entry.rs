//! Class entries passed to callbacks.

use crate::{EntryName, Location};

/// Identity of an entry in an input: its position in the outermost container, then in each nested
/// jar.
///
/// Two entries of one name have different ids. Ids are in the order of the input, and equal in all
/// visits and rewrites of one [`Input`].
///
/// [`Input`]: crate::Input
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EntryId(pub(crate) Vec<u32>);

impl EntryId {
    /// The positions from the outside in, each counted from 0.
    pub fn positions(&self) -> &[u32] {
        &self.0
    }

    pub(crate) fn child(&self, position: usize) -> Self {
        let mut path = Vec::with_capacity(self.0.len() + 1);
        path.extend_from_slice(&self.0);
        path.push(position as u32);
        Self(path)
    }
}

/// A class entry, as a callback gets it.
#[derive(Debug)]
pub struct Entry<'a> {
    pub(crate) container: &'a Location,
    pub(crate) name: &'a EntryName,
    pub(crate) id: EntryId,
}

impl Entry<'_> {
    /// The name within its own container (the innermost jar).
    pub fn name(&self) -> &EntryName {
        self.name
    }

    /// Identity within the input.
    pub fn id(&self) -> &EntryId {
        &self.id
    }

    /// The container that holds the entry, nested jars included.
    pub fn container(&self) -> &Location {
        self.container
    }

    /// The location of the entry, for messages.
    pub fn location(&self) -> Location {
        self.container.join(self.name)
    }

    /// Whether the entry is inside a nested jar.
    pub fn is_nested(&self) -> bool {
        !self.container.inside().is_empty()
    }
}
