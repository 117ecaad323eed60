//! Names of events, as the profile file has them.

use std::sync::Arc;

use crate::{EventKind, EventName};

/// The kind's place in [`EventKind::ALL`], and one plus the place of the class; zero without one.
pub(crate) type StoredName = (u8, u32);

/// The classes of names, each once, ascending.
pub(crate) struct NameClasses(Vec<Arc<str>>);

impl NameClasses {
    /// Those of these names.
    pub fn of<'a>(names: impl Iterator<Item = &'a EventName>) -> Self {
        let mut classes: Vec<Arc<str>> = names.filter_map(|name| name.class.clone()).collect();
        classes.sort_unstable();
        classes.dedup();
        Self(classes)
    }

    /// Those of a file. An error names a contradiction.
    pub fn read(classes: Vec<String>) -> Result<Self, String> {
        let classes: Vec<Arc<str>> = classes.into_iter().map(Arc::from).collect();
        match classes.is_sorted_by(|a, b| a < b) {
            true => Ok(Self(classes)),
            false => Err("classes of events that are in no order".to_owned()),
        }
    }

    /// As they are stored.
    pub fn stored(&self) -> Vec<String> {
        self.0.iter().map(|class| class.to_string()).collect()
    }

    /// A name as it is stored.
    pub fn store(&self, name: &EventName) -> StoredName {
        let kind = EventKind::ALL.iter().position(|kind| *kind == name.kind).unwrap_or(0);
        let class = name.class.as_ref().and_then(|class| self.0.binary_search(class).ok());
        (kind as u8, class.map_or(0, |at| at as u32 + 1))
    }

    /// The name that was stored.
    pub fn name(&self, (kind, class): StoredName) -> Result<EventName, String> {
        let kind = EventKind::ALL.get(usize::from(kind)).copied();
        let class = match (class as usize).checked_sub(1) {
            Some(at) => self.0.get(at).cloned().map(Some),
            None => Some(None),
        };
        match (kind, class) {
            (Some(kind), Some(class)) => Ok(EventName { kind, class }),
            _ => Err("an event of a kind or class that is not there".to_owned()),
        }
    }
}
