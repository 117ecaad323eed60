//! The info area: texts about the JVM, appended one after another.

use crate::header::{u32_at, u64_at};
use crate::layout as l;

/// One text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InfoEntry {
    /// Its kind: an `INFO_*` value of [`crate::layout`], or an unknown one.
    pub kind: u32,
    /// The text. Bytes that are no UTF-8 are replaced.
    pub text: String,
}

/// A manifest that the runtime has seen, from an entry of kind `INFO_MANIFEST`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestRef {
    /// Its ids.
    pub ids: jfathom_plan::IdRange,
    /// Its plan id, as written.
    pub plan: String,
    /// Where it was seen, for example the URL of the jar's entry.
    pub place: String,
}

impl InfoEntry {
    /// The manifest that this entry names. None if it has another kind, or not four fields.
    pub fn manifest(&self) -> Option<ManifestRef> {
        if self.kind != l::INFO_MANIFEST {
            return None;
        }
        let mut fields = self.text.splitn(4, '\t');
        let ids = jfathom_plan::IdRange {
            start: fields.next()?.parse().ok()?,
            len: fields.next()?.parse().ok()?,
        };
        Some(ManifestRef { ids, plan: fields.next()?.to_owned(), place: fields.next()?.to_owned() })
    }
}

impl InfoEntry {
    /// The class of exceptions that this entry names: its number, and its name with dots. None if
    /// it has another kind, or not two fields.
    pub fn caught_class(&self) -> Option<(u32, &str)> {
        let (number, name) = self.text.split_once('\t')?;
        let number = number.parse().ok().filter(|_| self.kind == l::INFO_CAUGHT_CLASS)?;
        Some((number, name))
    }
}

/// The committed and complete entries of an info area with the bytes `area`.
pub(crate) fn entries(area: &[u8]) -> Vec<InfoEntry> {
    let body = area.get(l::INFO_ENTRIES as usize..).unwrap_or_default();
    let committed = u64_at(area, l::INFO_COMMITTED as usize).min(body.len() as u64) as usize;
    let mut rest = &body[..committed];
    let mut entries = Vec::new();
    while rest.len() >= l::INFO_ENTRY_TEXT as usize {
        let kind = u32_at(rest, l::INFO_ENTRY_KIND as usize);
        let text = l::INFO_ENTRY_TEXT as usize;
        let end = text + u32_at(rest, l::INFO_ENTRY_LENGTH as usize) as usize;
        let Some(bytes) = rest.get(text..end) else { break };
        entries.push(InfoEntry { kind, text: String::from_utf8_lossy(bytes).into_owned() });
        rest = rest.get(end.next_multiple_of(l::INFO_ENTRY_ALIGN as usize)..).unwrap_or_default();
    }
    entries
}

#[cfg(test)]
mod tests;
