//! Assembly of the new class: the original with ranges replaced and pool entries appended.

use std::ops::Range;

use crate::class::ClassFile;
use crate::error::{Error, ErrorKind, Result};
use crate::tail::PoolTail;

/// A list of replaced ranges of one class. With no edit and an empty tail the output is the input,
/// byte for byte.
///
/// A replaced range must be a whole structure, such as an attribute, so that no length around it
/// changes. After the pool only attributes have lengths, and they do not contain members. The pool
/// itself changes only through [`PoolTail`].
#[derive(Debug, Default)]
pub struct Assembly {
    edits: Vec<Edit>,
    replacements: Vec<u8>,
}

#[derive(Debug)]
struct Edit {
    original: Range<usize>,
    replacement: Range<usize>,
}

impl Assembly {
    /// An assembly without edits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all edits, and keeps the storage for the next class.
    pub fn clear(&mut self) {
        self.edits.clear();
        self.replacements.clear();
    }

    /// Whether there is no edit.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Replaces a range of the original by `bytes`.
    pub fn replace(&mut self, original: Range<usize>, bytes: &[u8]) {
        let start = self.replacements.len();
        self.replacements.extend_from_slice(bytes);
        self.edits.push(Edit { original, replacement: start..self.replacements.len() });
    }

    /// Replaces a range of the original by the bytes that `write` appends to the given buffer. If
    /// `write` fails, nothing is replaced and its error is returned.
    pub fn replace_with<E>(
        &mut self,
        original: Range<usize>,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.replacements.len();
        match write(&mut self.replacements) {
            Ok(()) => {
                self.edits.push(Edit { original, replacement: start..self.replacements.len() });
                Ok(())
            }
            Err(error) => {
                self.replacements.truncate(start);
                Err(error)
            }
        }
    }

    /// Appends the new class to `out`. Fails, and leaves `out` as it was, if edits overlap or lie
    /// in the pool.
    pub fn finish(
        &mut self,
        class: &ClassFile<'_>,
        tail: &PoolTail<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let original = class.bytes();
        let pool_end = class.pool().end();
        if !self.edits.is_sorted_by_key(|edit| edit.original.start) {
            self.edits.sort_by_key(|edit| edit.original.start);
        }
        let mut at = pool_end;
        for edit in &self.edits {
            if edit.original.start < at
                || edit.original.end < edit.original.start
                || edit.original.end > original.len()
            {
                return Err(Error::new(ErrorKind::OverlappingEdits, edit.original.start));
            }
            at = edit.original.end;
        }
        out.reserve(original.len() + tail.bytes().len() + self.replacements.len());
        let copy = |out: &mut Vec<u8>, range: Range<usize>| {
            out.extend_from_slice(original.get(range).unwrap_or_default());
        };
        if tail.is_empty() {
            copy(out, 0..pool_end);
        } else {
            copy(out, 0..8);
            tail.write_pool(out);
        }
        let mut at = pool_end;
        for edit in &self.edits {
            copy(out, at..edit.original.start);
            out.extend_from_slice(
                self.replacements.get(edit.replacement.clone()).unwrap_or_default(),
            );
            at = edit.original.end;
        }
        copy(out, at..original.len());
        Ok(())
    }
}
