//! Additions of a rewrite to a container.

use crate::{EntryName, JarManifest};

/// Entries and manifest edits that a rewrite adds when all classes are done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Additions {
    /// New entries at the end of the container, in this order. The container must not have their
    /// names.
    pub entries: Vec<NewEntry>,
    /// Edits of the jar manifest, applied in this order. A jar without one gets one, as its first
    /// entry. A class directory's is edited if it exists. A patch directory gets none, because
    /// nothing reads it there.
    pub manifest: Vec<ManifestEdit>,
}

impl Additions {
    /// Nothing to add.
    pub fn none() -> Self {
        Self::default()
    }

    /// Whether there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.manifest.is_empty()
    }
}

/// A new entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEntry {
    /// The name.
    pub name: EntryName,
    /// The uncompressed bytes.
    pub bytes: Vec<u8>,
}

impl NewEntry {
    /// An entry of this name and content.
    pub fn new(name: impl Into<EntryName>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// An edit of the main attributes of a jar manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ManifestEdit {
    /// Sets the attribute to this value.
    Set {
        /// The attribute's name.
        name: String,
        /// The whole new value.
        value: String,
    },
    /// Adds a word to an attribute with blank-separated words (`Class-Path`, `Add-Exports`,
    /// `Enable-Native-Access`), unless it has the word already.
    AddWord {
        /// The attribute's name.
        name: String,
        /// The word.
        word: String,
    },
    /// Removes the attribute.
    Remove {
        /// The attribute's name.
        name: String,
    },
}

impl ManifestEdit {
    /// [`ManifestEdit::Set`].
    pub fn set(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self::Set { name: name.into(), value: value.into() }
    }

    /// [`ManifestEdit::AddWord`].
    pub fn add_word(name: impl Into<String>, word: impl Into<String>) -> Self {
        Self::AddWord { name: name.into(), word: word.into() }
    }

    pub(crate) fn apply(&self, manifest: &mut JarManifest) {
        match self {
            Self::Set { name, value } => manifest.main_mut().set(name, value),
            Self::AddWord { name, word } => {
                let old = manifest.main().get(name).unwrap_or_default();
                if old.split_ascii_whitespace().any(|w| w == word) {
                    return;
                }
                let value = if old.trim().is_empty() {
                    word.clone()
                } else {
                    format!("{} {word}", old.trim_end())
                };
                manifest.main_mut().set(name, &value);
            }
            Self::Remove { name } => manifest.main_mut().remove(name),
        }
    }
}
