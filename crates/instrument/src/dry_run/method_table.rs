//! The methods of a plan, with each text stored once: large plans have a million.

use super::outcome::{PlanReason, Planned};
use jfathom_plan::{MethodKey, ProbeKind};
use jfathom_reachability::{NameId, Names};
use serde::Serialize;

/// A method's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "MethodKey"))]
pub struct KeyRef<'a> {
    /// Internal class name.
    pub class: &'a str,
    /// Unqualified name.
    pub name: &'a str,
    /// Method descriptor.
    pub descriptor: &'a str,
}

impl<'a> From<&'a MethodKey> for KeyRef<'a> {
    fn from(key: &'a MethodKey) -> Self {
        Self { class: &key.class, name: &key.name, descriptor: &key.descriptor }
    }
}

/// The number of a key in a [`MethodTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyNumber(u32);

/// The methods of a plan, in the order of the inputs.
#[derive(Debug, Default)]
pub struct MethodTable {
    /// In UTF-8.
    texts: Names,
    keys: Vec<[NameId; 3]>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) key: KeyNumber,
    pub(super) from: Option<KeyNumber>,
    pub(super) source: Option<NameId>,
    pub(super) input: u32,
    pub(super) line: Option<u16>,
    pub(super) kind: ProbeKind,
    pub(super) why: PlanReason,
}

impl MethodTable {
    /// Adds a key, whether it is there or not.
    pub(super) fn key(&mut self, key: KeyRef<'_>) -> KeyNumber {
        let texts = [key.class, key.name, key.descriptor].map(|text| self.text(text));
        let number = KeyNumber(self.keys.len() as u32);
        self.keys.push(texts);
        number
    }

    /// Adds a text, unless it is there.
    pub(super) fn text(&mut self, text: &str) -> NameId {
        self.texts.intern(text.as_bytes())
    }

    /// Adds a method.
    pub(super) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// The number of methods.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// All methods.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Planned<'_>> + ExactSizeIterator {
        self.rows.iter().map(|row| self.planned(row))
    }

    /// The method at this position.
    pub fn get(&self, at: usize) -> Option<Planned<'_>> {
        self.rows.get(at).map(|row| self.planned(row))
    }

    fn planned(&self, row: &Row) -> Planned<'_> {
        Planned {
            key: self.key_ref(row.key),
            input: row.input as usize,
            source: row.source.map(|source| self.str(source)),
            line: row.line,
            kind: row.kind,
            why: row.why,
            from: row.from.map(|from| self.key_ref(from)),
        }
    }

    fn key_ref(&self, key: KeyNumber) -> KeyRef<'_> {
        let Some([class, name, descriptor]) = self.keys.get(key.0 as usize) else {
            return KeyRef { class: "", name: "", descriptor: "" };
        };
        let [class, name, descriptor] = [class, name, descriptor].map(|&text| self.str(text));
        KeyRef { class, name, descriptor }
    }

    fn str(&self, text: NameId) -> &str {
        str::from_utf8(self.texts.text(text)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_texts_that_they_were_given() {
        let mut table = MethodTable::default();
        let names = ["run", "größe", ""];
        let mut before = None;
        for (at, name) in names.iter().enumerate() {
            let key = table.key(KeyRef { class: "a/B", name, descriptor: "()V" });
            let source = (at > 0).then(|| table.text("B.java"));
            table.push(Row {
                key,
                from: before.replace(key),
                source,
                input: at as u32,
                line: Some(7),
                kind: ProbeKind::InRoot,
                why: PlanReason::Selected,
            });
        }
        let rows: Vec<_> = table.iter().collect();
        assert_eq!(rows.iter().map(|row| row.key.name).collect::<Vec<_>>(), names);
        assert_eq!(rows[2].from, Some(KeyRef { class: "a/B", name: "größe", descriptor: "()V" }));
        assert_eq!((rows[0].from, rows[0].source, rows[1].source), (None, None, Some("B.java")));
        assert_eq!(table.get(1).map(|row| row.input), Some(1));
        assert!(table.get(3).is_none() && table.len() == 3);
    }
}
