//! The name of an entry inside a container.

use std::fmt;
use std::path::PathBuf;

/// The name of an entry, as the bytes in its container, with `/` between folders.
///
/// Zip names are UTF-8 or, in old archives, CP437. They are not recoded, so an entry has the same
/// name in the output.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryName(Box<[u8]>);

const VERSIONS: &[u8] = b"META-INF/versions/";

impl EntryName {
    /// A name from its bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into().into_boxed_slice())
    }

    /// The bytes of the name.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name as text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// Whether it is a folder: its name ends in `/`.
    pub fn is_directory(&self) -> bool {
        self.0.last() == Some(&b'/')
    }

    /// Whether its name is that of a class file.
    pub fn is_class(&self) -> bool {
        self.0.ends_with(b".class")
    }

    /// Whether its name is that of an archive with classes (`.jar`, `.war`, `.ear`, `.rar`).
    pub fn is_nested_archive(&self) -> bool {
        let Some(stem) = self.0.len().checked_sub(4) else { return false };
        [&b".jar"[..], b".war", b".ear", b".rar"]
            .iter()
            .any(|e| self.0[stem..].eq_ignore_ascii_case(e))
    }

    /// The Java release of the entry in a multi-release jar: the `N` of `META-INF/versions/N/`, at
    /// least 9 (JAR specification, "Multi-release JAR files").
    pub fn release(&self) -> Option<u16> {
        self.split_release().map(|(release, _)| release)
    }

    /// The internal name of the class that a class loader finds in this entry, such as
    /// `com/acme/Foo`. It lacks `.class`, `META-INF/versions/N/`, and the class folders of web and
    /// Spring Boot archives (`WEB-INF/classes/`, `BOOT-INF/classes/`). `None` if the entry is not a
    /// class, or its name is not UTF-8.
    pub fn class_name(&self) -> Option<&str> {
        let stem = self.0.strip_suffix(b".class")?;
        let inner = [&b"WEB-INF/classes/"[..], b"BOOT-INF/classes/"]
            .iter()
            .find_map(|p| stem.strip_prefix(*p));
        let stem = inner.unwrap_or(stem);
        let stem = split_release(stem).map_or(stem, |(_, rest)| rest);
        std::str::from_utf8(stem).ok()
    }

    /// The name as a path below some directory. `None` if it is not UTF-8 or could lead elsewhere:
    /// absolute, `..`, `.`, empty parts, backslashes, colons, control characters.
    pub fn relative_path(&self) -> Option<PathBuf> {
        let text = self.as_str()?;
        let text = text.strip_suffix('/').unwrap_or(text);
        let mut path = PathBuf::new();
        for part in text.split('/') {
            if matches!(part, "" | "." | "..")
                || part.contains(|c: char| matches!(c, '\\' | ':') || c.is_control())
            {
                return None;
            }
            path.push(part);
        }
        Some(path)
    }

    fn split_release(&self) -> Option<(u16, &[u8])> {
        split_release(&self.0)
    }
}

fn split_release(name: &[u8]) -> Option<(u16, &[u8])> {
    let rest = name.strip_prefix(VERSIONS)?;
    let end = rest.iter().position(|&b| b == b'/')?;
    let (digits, rest) = rest.split_at(end);
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let release = std::str::from_utf8(digits).ok()?.parse().ok().filter(|&n| n >= 9)?;
    Some((release, &rest[1..]))
}

/// Escapes everything in the name that could disturb a terminal.
impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in String::from_utf8_lossy(&self.0).chars() {
            if c.is_control() { write!(f, "{}", c.escape_default())? } else { write!(f, "{c}")? }
        }
        Ok(())
    }
}

impl fmt::Debug for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

impl From<&str> for EntryName {
    fn from(name: &str) -> Self {
        Self::new(name.as_bytes())
    }
}

impl From<String> for EntryName {
    fn from(name: String) -> Self {
        Self::new(name.into_bytes())
    }
}

#[cfg(test)]
mod tests;
