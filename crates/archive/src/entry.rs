//! One class as the callbacks see it.

use crate::{EntryName, Location};

/// Which entry of an input this is: its position in the outermost container, then in each nested
/// jar.
///
/// Two entries of one name have different ids; the order is that of the input; a visit and a
/// rewrite of the same [`Input`] give the same ids.
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

/// A class entry that is shown to a callback.
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

    /// The identity within the input, the same in each visit and rewrite of it.
    pub fn id(&self) -> &EntryId {
        &self.id
    }

    /// The container that holds the entry, nested jars included.
    pub fn container(&self) -> &Location {
        self.container
    }

    /// The whole place, for messages.
    pub fn place(&self) -> Location {
        self.container.join(self.name)
    }

    /// Is the entry inside a nested jar?
    pub fn is_nested(&self) -> bool {
        !self.container.inside().is_empty()
    }
}
