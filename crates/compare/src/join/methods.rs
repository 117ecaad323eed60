//! The common method table of slices of one recording.

use std::collections::HashMap;

use jfathom_plan::MethodId;
use jfathom_profile::{Method, MethodIx};

/// Index of each method in the common table. Methods are the same if their ids are: a slice may
/// lack a name that a later one has.
#[derive(Debug, Default)]
pub(super) struct MethodsById(HashMap<MethodId, MethodIx>);

impl MethodsById {
    /// Adds the method to `table`, or its counts and its name to the same method there. Returns its
    /// index. `table` must be filled by this function alone.
    pub(super) fn add(&mut self, table: &mut Vec<Method>, method: Method) -> MethodIx {
        let next = MethodIx(table.len() as u32);
        let place = *self.0.entry(method.id).or_insert(next);
        match table.get_mut(place.0 as usize) {
            Some(known) => {
                known.add_counts(&method);
                if !is_named(known) {
                    known.info = method.info;
                }
            }
            None => table.push(method),
        }
        place
    }
}

/// Whether a manifest had its name.
pub(super) fn is_named(method: &Method) -> bool {
    !method.info.key.class.is_empty()
}
