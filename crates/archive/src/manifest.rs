//! `META-INF/MANIFEST.MF`: parse, edit, write (JAR specification, "JAR Manifest" and "Name-Value
//! pairs and Sections").

use crate::limits::{MANIFEST_BYTES, check};
use crate::{EntryName, Error, Limit, Location, ManifestEdit};

/// The name of the manifest. A jar's may differ in case.
pub(crate) const NAME: &str = "META-INF/MANIFEST.MF";

/// A line has at most 72 bytes. Readers differ on whether the line end counts, so lines written
/// here have 70 bytes and CR LF.
const LINE: usize = 70;

/// Bound on the main attributes that are read. Each needs more memory than it has bytes. Further
/// ones are kept unchanged.
const ATTRIBUTES: usize = 100_000;

/// A jar manifest: the main attributes, and one section per entry with attributes of its own.
///
/// Everything that is not edited is written back byte for byte, line ends and malformed lines
/// included. Only the main attributes are decoded. The sections of entries are bytes until one is
/// requested.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JarManifest {
    main: Section,
    /// The sections of entries.
    entries: Vec<u8>,
}

/// The attributes of one section, in order. Names are compared without regard to case.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    attributes: Vec<Attribute>,
    /// The blank lines after the section.
    end: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Attribute {
    /// Empty for a line that is not `Name: value`.
    name: String,
    value: String,
    /// Its lines, with their ends.
    raw: Vec<u8>,
}

impl Default for JarManifest {
    /// A manifest with only `Manifest-Version: 1.0`.
    fn default() -> Self {
        let mut main = Section::default();
        main.set("Manifest-Version", "1.0");
        Self { main, entries: Vec::new() }
    }
}

impl JarManifest {
    /// Reads a manifest. It has no errors: a line that is no attribute is kept.
    pub fn parse(bytes: &[u8]) -> Self {
        let (main, rest) = Section::parse(bytes);
        Self { main, entries: rest.to_vec() }
    }

    /// The main attributes.
    pub fn main(&self) -> &Section {
        &self.main
    }

    /// The main attributes, for edits.
    pub fn main_mut(&mut self) -> &mut Section {
        &mut self.main
    }

    /// The sections of single entries (each has the attribute `Name`), in order.
    pub fn entries(&self) -> impl Iterator<Item = Section> {
        let mut rest = &*self.entries;
        std::iter::from_fn(move || {
            let section;
            (section, rest) = Section::parse((!rest.is_empty()).then_some(rest)?);
            Some(section)
        })
    }

    /// Applies edits to the main attributes.
    pub fn apply(&mut self, edits: &[ManifestEdit]) {
        edits.iter().for_each(|edit| edit.apply(self));
    }

    /// Removes a signer's digests (attributes `…-Digest` and `…-Digest-…` of entry sections), and
    /// sections that had nothing else. Returns whether there were any.
    pub fn remove_digests(&mut self) -> bool {
        let mut kept = Vec::with_capacity(self.entries.len());
        let mut removed = false;
        for mut section in self.entries() {
            let before = section.attributes.len();
            section.attributes.retain(|a| !is_digest(&a.name));
            let had_digest = section.attributes.len() < before;
            removed |= had_digest;
            if !had_digest
                || section.attributes.iter().any(|a| !a.name.eq_ignore_ascii_case("Name"))
            {
                section.write(&mut kept);
            }
        }
        self.entries = kept;
        removed
    }

    /// The bytes of the manifest. Attributes that were set are folded into lines of at most 72
    /// bytes, line ends included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.main.write(&mut out);
        if self.main.end.is_empty() {
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(&self.entries);
        end_line(&mut out);
        out
    }
}

impl Section {
    /// The first section, and the bytes after it.
    fn parse(bytes: &[u8]) -> (Self, &[u8]) {
        let mut section = Self::default();
        let mut rest = bytes;
        while let Some((line, text_len)) = next_line(rest) {
            let (raw, text) = (&rest[..line], &rest[..text_len]);
            match text.is_empty() {
                true => section.end.extend_from_slice(raw),
                false if section.end.is_empty() => section.push_line(raw, text),
                false => break,
            }
            rest = &rest[line..];
        }
        section.attributes.iter_mut().for_each(Attribute::decode);
        (section, rest)
    }

    /// Appends the bytes of the section.
    fn write(&self, out: &mut Vec<u8>) {
        for attribute in &self.attributes {
            out.extend_from_slice(&attribute.raw);
            end_line(out);
        }
        out.extend_from_slice(&self.end);
    }

    /// The value of an attribute. If there are several, the first.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.name.eq_ignore_ascii_case(name)).map(|a| a.value.as_str())
    }

    /// All attributes as name and value, in order.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes
            .iter()
            .filter(|a| !a.name.is_empty())
            .map(|a| (a.name.as_str(), a.value.as_str()))
    }

    /// Sets an attribute, at its old position or at the end. Line breaks in the value become
    /// spaces.
    pub fn set(&mut self, name: &str, value: &str) {
        let value: String =
            value.chars().map(|c| if matches!(c, '\r' | '\n' | '\0') { ' ' } else { c }).collect();
        let made =
            Attribute { name: name.to_owned(), raw: fold(&format!("{name}: {value}")), value };
        match self.attributes.iter_mut().find(|a| a.name.eq_ignore_ascii_case(name)) {
            Some(old) => *old = made,
            None => self.attributes.push(made),
        }
    }

    /// Removes an attribute.
    pub fn remove(&mut self, name: &str) {
        self.attributes.retain(|a| !a.name.eq_ignore_ascii_case(name));
    }

    /// Adds a line. A fold can cut a character, so an attribute is decoded after its last line.
    fn push_line(&mut self, raw: &[u8], text: &[u8]) {
        let is_full = self.attributes.len() == ATTRIBUTES;
        match self.attributes.last_mut().filter(|_| is_full || text.first() == Some(&b' ')) {
            Some(last) => last.raw.extend_from_slice(raw),
            None => self.attributes.push(Attribute { raw: raw.to_vec(), ..Attribute::default() }),
        }
    }
}

impl Attribute {
    /// Decodes name and value. A line that is no attribute has neither.
    fn decode(&mut self) {
        (self.name, self.value) = decode(&self.raw).unwrap_or_default();
    }
}

/// Ends the last line. The JVM ignores a line without an end, and the next line would become part
/// of it.
fn end_line(out: &mut Vec<u8>) {
    if !matches!(out.last(), None | Some(b'\n' | b'\r')) {
        out.extend_from_slice(b"\r\n");
    }
}

/// Unfolds the lines of an attribute into name and value.
fn decode(raw: &[u8]) -> Option<(String, String)> {
    let mut joined = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((line, text)) = next_line(rest) {
        let text = &rest[..text];
        joined.extend_from_slice(if joined.is_empty() {
            text
        } else {
            text.strip_prefix(b" ").unwrap_or(text)
        });
        rest = &rest[line..];
    }
    let text = String::from_utf8_lossy(&joined);
    let (name, value) =
        text.split_once(": ").or_else(|| text.strip_suffix(':').map(|n| (n, "")))?;
    Some((name.to_owned(), value.to_owned()))
}

/// The length of the first line, with and without its end (CR LF, LF, or CR). `None` at the end of
/// the text.
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

/// Folds a line by the JAR specification, without cutting a character.
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

/// Fails if a manifest of `size` bytes exceeds the bound.
pub(crate) fn check_size(container: &Location, name: &EntryName, size: u64) -> Result<(), Error> {
    if size <= MANIFEST_BYTES {
        Ok(())
    } else {
        check(&container.join(name), Limit::ManifestBytes, size, MANIFEST_BYTES)
    }
}

pub(crate) fn is_manifest(name: &EntryName) -> bool {
    name.as_bytes().eq_ignore_ascii_case(NAME.as_bytes())
}

#[cfg(test)]
mod tests;
