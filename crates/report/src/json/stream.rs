//! Arrays that are written element by element.

use serde::{Serialize, Serializer};
use std::cell::Cell;

/// An array whose elements are made while it is written: all at once would take many times the
/// memory of the profile. It is written once.
pub(crate) struct Stream<'a, T>(Cell<Option<Box<dyn Iterator<Item = T> + 'a>>>);

impl<'a, T> Stream<'a, T> {
    pub(crate) fn of(elements: impl Iterator<Item = T> + 'a) -> Self {
        Self(Cell::new(Some(Box::new(elements))))
    }
}

impl<T: Serialize> Serialize for Stream<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}

#[cfg(test)]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Stream<'_, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <Vec<T>>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <Vec<T>>::json_schema(generator)
    }
}
