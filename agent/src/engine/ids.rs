//! The numbers of methods, for as long as the JVM lives.

use jfathom_plan::{MethodId, MethodKey};
use std::collections::HashMap;
use std::fmt::Write;

/// Method key → id. An id is never given to another method, so that probes of an earlier session,
/// in code that still runs, cannot be taken for those of another method.
#[derive(Debug, Default)]
pub struct IdTable {
    /// By class, name and descriptor in one text.
    ids: HashMap<Box<str>, u32>,
    /// Where keys are put together.
    text: String,
}

impl IdTable {
    /// How many methods can have ids: as many modes and counts as session files of live sessions
    /// have room for.
    pub const LIMIT: u32 = 262_144;

    /// The method's id; a new one for a method that has none, as long as there are any.
    pub fn id(&mut self, key: &MethodKey) -> Option<MethodId> {
        self.text.clear();
        // No name of a class or method holds `.`, and no name of a method `/` (JVMS 4.2).
        let _ = write!(self.text, "{}.{}/{}", key.class, key.name, key.descriptor);
        if let Some(&id) = self.ids.get(self.text.as_str()) {
            return MethodId::new(id);
        }
        let next = u32::try_from(self.ids.len()).ok().filter(|&next| next < Self::LIMIT)?;
        self.ids.insert(self.text.as_str().into(), next);
        MethodId::new(next)
    }

    /// How many ids were given out.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether no id was given out.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}
