//! `META-INF/MANIFEST.MF`: parse, edit, write (JAR specification, "JAR Manifest" and "Name-Value pairs and Sections").

use crate::{EntryName, ManifestEdit};

/// The name of the manifest; jars are searched for it without regard to case.
pub(crate) const NAME: &str = "META-INF/MANIFEST.MF";

/// A line holds at most 72 bytes; readers differ on whether the line end counts, so that lines written here have 70 and CR LF.
const LINE: usize = 70;

/// A jar's manifest: the main attributes and one section per entry that has attributes of its own.
///
/// What is not edited is written back byte for byte, line ends and odd lines included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JarManifest {
    main: Section,
    entries: Vec<Section>,
}

/// The attributes of one section, in order. Names are compared without regard to case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    attributes: Vec<Attribute>,
    /// The blank lines that end the section.
    end: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Attribute {
    /// Empty for a line that is no `Name: value`.
    name: String,
    value: String,
    /// The lines that say this, with their ends.
    raw: Vec<u8>,
}

impl Default for JarManifest {
    /// A manifest that says only `Manifest-Version: 1.0`.
    fn default() -> Self {
        let mut main = Section::default();
        main.set("Manifest-Version", "1.0");
        Self { main, entries: Vec::new() }
    }
}

impl JarManifest {
    /// Reads a manifest. There is no error: lines that are no attributes are kept as they are.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut sections = vec![Section::default()];
        let mut rest = bytes;
        while let Some((line, text_len)) = next_line(rest) {
            let (raw, text) = (&rest[..line], &rest[..text_len]);
            rest = &rest[line..];
            if let Some(section) = sections.last_mut() {
                if text.is_empty() {
                    section.end.extend_from_slice(raw);
                    continue;
                }
                if section.end.is_empty() {
                    section.push_line(raw, text);
                    continue;
                }
            }
            let mut section = Section::default();
            section.push_line(raw, text);
            sections.push(section);
        }
        let mut sections = sections.into_iter();
        let main = sections.next().unwrap_or_default();
        Self { main, entries: sections.collect() }
    }

    /// The main attributes.
    pub fn main(&self) -> &Section {
        &self.main
    }

    /// The main attributes, to edit.
    pub fn main_mut(&mut self) -> &mut Section {
        &mut self.main
    }

    /// The sections of single entries (each has the attribute `Name`), in order.
    pub fn entries(&self) -> &[Section] {
        &self.entries
    }

    /// Applies edits to the main attributes.
    pub fn apply(&mut self, edits: &[ManifestEdit]) {
        edits.iter().for_each(|edit| edit.apply(self));
    }

    /// Removes the digests that a signer wrote (attributes `…-Digest` and `…-Digest-…` of entry sections), and the sections
    /// that held nothing else. Returns whether there were any.
    pub fn remove_digests(&mut self) -> bool {
        let mut removed = false;
        self.entries.retain_mut(|section| {
            let before = section.attributes.len();
            section.attributes.retain(|a| !is_digest(&a.name));
            let had_digest = section.attributes.len() < before;
            removed |= had_digest;
            !had_digest || section.attributes.iter().any(|a| !a.name.eq_ignore_ascii_case("Name"))
        });
        removed
    }

    /// The bytes of the manifest. Attributes that were set are folded to lines of at most 72 bytes with their line end.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let count = self.entries.len();
        for (i, section) in std::iter::once(&self.main).chain(&self.entries).enumerate() {
            for attribute in &section.attributes {
                out.extend_from_slice(&attribute.raw);
                // A last line without an end is ignored by the JVM and would swallow what follows it.
                if !matches!(out.last(), None | Some(b'\n' | b'\r')) {
                    out.extend_from_slice(b"\r\n");
                }
            }
            match section.end.as_slice() {
                [] if i < count || i == 0 => out.extend_from_slice(b"\r\n"),
                end => out.extend_from_slice(end),
            }
        }
        out
    }
}

impl Section {
    /// The value of an attribute; the first one if it is there more than once.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.name.eq_ignore_ascii_case(name)).map(|a| a.value.as_str())
    }

    /// All attributes as name and value, in order.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().filter(|a| !a.name.is_empty()).map(|a| (a.name.as_str(), a.value.as_str()))
    }

    /// Sets an attribute, at its old place or at the end. Line breaks in the value become blanks.
    pub fn set(&mut self, name: &str, value: &str) {
        let value: String = value.chars().map(|c| if matches!(c, '\r' | '\n' | '\0') { ' ' } else { c }).collect();
        let made = Attribute { name: name.to_owned(), raw: fold(&format!("{name}: {value}")), value };
        match self.attributes.iter_mut().find(|a| a.name.eq_ignore_ascii_case(name)) {
            Some(old) => *old = made,
            None => self.attributes.push(made),
        }
    }

    /// Removes an attribute.
    pub fn remove(&mut self, name: &str) {
        self.attributes.retain(|a| !a.name.eq_ignore_ascii_case(name));
    }

    fn push_line(&mut self, raw: &[u8], text: &[u8]) {
        if let (Some((b' ', more)), Some(last)) = (text.split_first().map(|(b, t)| (*b, t)), self.attributes.last_mut())
        {
            last.raw.extend_from_slice(raw);
            // A fold may cut a character in two, so the value is decoded from all lines at once.
            let _ = more;
            last.value = decode(&last.raw).map(|(_, value)| value).unwrap_or_default();
            return;
        }
        let (name, value) = decode(raw).unwrap_or_default();
        self.attributes.push(Attribute { name, value, raw: raw.to_vec() });
    }
}

/// Unfolds the lines of one attribute into name and value.
fn decode(raw: &[u8]) -> Option<(String, String)> {
    let mut joined = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((line, text)) = next_line(rest) {
        let text = &rest[..text];
        joined.extend_from_slice(if joined.is_empty() { text } else { text.strip_prefix(b" ").unwrap_or(text) });
        rest = &rest[line..];
    }
    let text = String::from_utf8_lossy(&joined);
    let (name, value) = text.split_once(": ").or_else(|| text.strip_suffix(':').map(|n| (n, "")))?;
    Some((name.to_owned(), value.to_owned()))
}

/// The length of the first line with and without its end (CR LF, LF, or CR); `None` at the end of the text.
fn next_line(bytes: &[u8]) -> Option<(usize, usize)> {
    if bytes.is_empty() {
        return None;
    }
    let Some(text) = bytes.iter().position(|b| matches!(b, b'\r' | b'\n')) else {
        return Some((bytes.len(), bytes.len()));
    };
    let end = if bytes[text..].starts_with(b"\r\n") { 2 } else { 1 };
    Some((text + end, text))
}

/// Breaks a line as the JAR specification asks, without cutting a character.
fn fold(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 8);
    let mut rest = text;
    let mut room = LINE;
    while rest.len() > room {
        let cut = rest.floor_char_boundary(room);
        out.extend_from_slice(&rest.as_bytes()[..cut]);
        out.extend_from_slice(b"\r\n ");
        rest = &rest[cut..];
        room = LINE - 1;
    }
    out.extend_from_slice(rest.as_bytes());
    out.extend_from_slice(b"\r\n");
    out
}

fn is_digest(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with("-digest") || name.contains("-digest-")
}

pub(crate) fn is_manifest(name: &EntryName) -> bool {
    name.as_bytes().eq_ignore_ascii_case(NAME.as_bytes())
}

#[cfg(test)]
mod tests;
