//! Meaning of an entry of a `Class-Path` (JAR specification, "Class-Path Attribute": a relative
//! URL).

use std::path::{Component, Path, PathBuf};

use crate::OutsideReason;

/// The path of an entry, from the folder of the jar that has it. Also its path below the output
/// directory, if the jar is in `folder` there.
pub(super) fn resolve(folder: &Path, entry: &str) -> Result<(PathBuf, PathBuf), OutsideReason> {
    // `file:lib/a.jar` is relative, too: it has the scheme of the jar's own URL.
    let entry = path_after_scheme(entry).unwrap_or(entry);
    let scheme = entry.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if is_scheme || entry.starts_with(['/', '\\']) {
        return Err(OutsideReason::Absolute);
    }
    let tail = PathBuf::from(percent_decoded(entry).ok_or(OutsideReason::Missing)?);
    let mut relative = folder.to_owned();
    for part in tail.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => relative.push(part),
            Component::ParentDir if relative.pop() => {}
            Component::ParentDir => return Err(OutsideReason::AboveOutput),
            Component::RootDir | Component::Prefix(_) => return Err(OutsideReason::Absolute),
        }
    }
    if relative == Path::new("") { Err(OutsideReason::AroundInputs) } else { Ok((tail, relative)) }
}

/// The absolute path of a URL `file:`; none for another URL.
pub fn path_of_file_url(url: &str) -> Option<PathBuf> {
    let path = path_after_scheme(url)?;
    // An empty host, or this machine.
    let path = path.strip_prefix("//").map_or(Some(path), |path| {
        path.strip_prefix("localhost").or(Some(path)).filter(|path| path.starts_with('/'))
    });
    let path = PathBuf::from(percent_decoded(path?)?);
    path.is_absolute().then_some(path)
}

fn path_after_scheme(url: &str) -> Option<&str> {
    let (scheme, path) = url.split_once(':')?;
    scheme.eq_ignore_ascii_case("file").then_some(path)
}

/// The path of a relative URL, with its `%XX` escapes decoded. `None` if the result is not UTF-8 or
/// has a NUL.
fn percent_decoded(url: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escape = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let value = escape
            .filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|h| u8::from_str_radix(h, 16).ok());
        match value {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}
