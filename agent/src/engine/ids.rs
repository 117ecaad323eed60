//! Method ids, which hold for the JVM's life.

use jfathom_plan::{MethodId, MethodKey};
use std::collections::HashMap;
use std::fmt::Write;

/// Method key → id. No other method ever gets an id again: probes of an earlier session may be in
/// code that still runs.
#[derive(Debug, Default)]
pub struct IdTable {
    /// By class, name and descriptor in one text.
    ids: HashMap<Box<str>, u32>,
    /// A buffer in which keys are written.
    text: String,
}

impl IdTable {
    /// How many methods can have ids: session files of live sessions have as many modes and
    /// counters.
    pub const LIMIT: u32 = 262_144;

    /// The method's id. A method without one gets the next; none if all are in use.
    pub fn id(&mut self, key: &MethodKey) -> Option<MethodId> {
        self.text.clear();
        // No name of a class or method has a `.`, and no name of a method a `/` (JVMS §4.2).
        let _ = write!(self.text, "{}.{}/{}", key.class, key.name, key.descriptor);
        if let Some(&id) = self.ids.get(self.text.as_str()) {
            return MethodId::new(id);
        }
        let next = u32::try_from(self.ids.len()).ok().filter(|&next| next < Self::LIMIT)?;
        self.ids.insert(self.text.as_str().into(), next);
        MethodId::new(next)
    }

    /// How many ids are in use.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether no id is in use.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}
