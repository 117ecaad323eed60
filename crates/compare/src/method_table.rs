//! The common method table of several profiles.

use std::collections::HashMap;

use jfathom_plan::{Digest, MethodKey};
use jfathom_profile::{Method, MethodIx};

/// Index of each method in the common table. Methods are the same if key and digest are equal.
#[derive(Debug, Default)]
pub(crate) struct MethodTable(HashMap<(MethodKey, Digest), MethodIx>);

impl MethodTable {
    /// The index of a method that was added.
    pub(crate) fn find(&self, method: &Method) -> Option<MethodIx> {
        self.0.get(&(method.info.key.clone(), method.info.digest)).copied()
    }

    /// Adds the method to `table`, or its counts to those of the same method there. Returns its
    /// index. `table` must be filled by this function alone.
    pub(crate) fn add(&mut self, table: &mut Vec<Method>, method: Method) -> MethodIx {
        let next = MethodIx(table.len() as u32);
        let place = *self.0.entry((method.info.key.clone(), method.info.digest)).or_insert(next);
        match table.get_mut(place.0 as usize) {
            Some(known) => known.add_counts(&method),
            None => table.push(method),
        }
        place
    }
}
