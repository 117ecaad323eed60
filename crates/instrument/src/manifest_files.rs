//! Manifests by the places that a JVM names.

use crate::{
    runtimes::{CLASS_BYTES, Probes, class_file},
    sources::WAR_CLASSES,
};
use jfathom_archive::{Input, Limits};
use jfathom_files::read_plain;
use jfathom_plan::{MANIFEST_PATH, Problem};
use std::{
    ffi::OsString,
    io,
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

/// Reads the manifest of a rewritten file, of at most `limit` bytes.
///
/// # Errors
/// Says in one sentence why there is none.
pub fn read_manifest_in(file: &Path, limit: u64) -> Result<Vec<u8>, Problem> {
    in_file(file, "", limit).or_else(|_| in_file(file, WAR_CLASSES, limit))
}

/// Reads the manifest at a place that a JVM names, of at most `limit` bytes: `/x/app.jar`,
/// `/x/app.war!/WEB-INF/classes/`, `/x/classes/`, with URL escapes.
///
/// # Errors
/// Says in one sentence why there is none.
pub fn read_manifest_at(place: &str, limit: u64) -> Result<Vec<u8>, Problem> {
    let (file, inner) = parts(place);
    in_file(&file, &inner, limit)
}

/// The probes of the runtime beside the manifest at a place that a JVM names; none if there is no
/// runtime.
pub fn probes_at(place: &str) -> Option<Probes> {
    let (file, inner) = parts(place);
    let class = entry_in(&file, &inner, &class_file(), CLASS_BYTES).ok()?;
    Probes::of_class(&class)
}

/// The file of a place that a JVM names, and the folder in it.
fn parts(place: &str) -> (PathBuf, String) {
    let place = place.strip_prefix("jar:").unwrap_or(place);
    let place = place.strip_prefix("file:").unwrap_or(place);
    let place = place.strip_suffix(MANIFEST_PATH).unwrap_or(place);
    let (file, inner) = place.split_once("!/").unwrap_or((place, ""));
    let inner = unescape(inner.trim_end_matches("!/"));
    let file = PathBuf::from(OsString::from_vec(unescape(file)));
    (file, String::from_utf8_lossy(&inner).into_owned())
}

fn in_file(file: &Path, inner: &str, limit: u64) -> Result<Vec<u8>, Problem> {
    entry_in(file, inner, MANIFEST_PATH, limit)
}

/// The entry `name` in the folder `inner` of a jar or directory, of at most `limit` bytes.
fn entry_in(file: &Path, inner: &str, name: &str, limit: u64) -> Result<Vec<u8>, Problem> {
    let name = match inner.trim_end_matches('/') {
        "" => name.to_owned(),
        inner => format!("{inner}/{name}"),
    };
    let missing = || Problem::from(format!("{}: has no {name}", file.display()));
    if file.is_dir() {
        return read_plain(&file.join(&name), limit).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => missing(),
            io::ErrorKind::FileTooLarge => {
                let file = file.join(&name);
                format!("{}: more than {limit} bytes are too many for its ids", file.display())
                    .into()
            }
            _ => format!("{}: {e}", file.join(&name).display()).into(),
        });
    }
    let limits = Limits { entry_bytes: limit, ..Limits::default() };
    let input = Input::open_with(file, &limits).map_err(|e| e.to_string())?;
    input.read(&name).map_err(|e| e.to_string())?.ok_or_else(missing)
}

/// Replaces escapes such as `%20`; any other text stays.
pub(crate) fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        if let (b'%', [high, low, tail @ ..]) = (first, tail)
            && let (Some(high), Some(low)) = (hex(high), hex(low))
        {
            bytes.push((high * 16 + low) as u8);
            rest = tail;
        } else {
            bytes.push(*first);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn escapes_of_urls() {
        for (text, plain) in
            [("a%20b", "a b"), ("%", "%"), ("%2", "%2"), ("%zz", "%zz"), ("%c3%A9", "é")]
        {
            assert_eq!(unescape(text), plain.as_bytes());
        }
    }

    #[test]
    fn directories_with_blanks_and_inner_folders() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("a b");
        for inner in ["", "WEB-INF/classes"] {
            let file = root.join(inner).join(MANIFEST_PATH);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, inner).unwrap();
        }
        let place = format!("{}/a%20b/", temp.path().display());
        assert_eq!(read_manifest_at(&place, 99).unwrap(), b"");
        assert_eq!(
            read_manifest_at(&format!("{place}WEB-INF/classes/"), 99).unwrap(),
            b"WEB-INF/classes"
        );
        assert_eq!(read_manifest_at(&format!("file:{place}{MANIFEST_PATH}"), 99).unwrap(), b"");
        assert!(
            read_manifest_at("/no/such.jar", 99).unwrap_err().to_string().contains("/no/such.jar")
        );
        assert!(
            read_manifest_at(&format!("{}/", temp.path().display()), 99)
                .unwrap_err()
                .to_string()
                .contains("has no META-INF")
        );
        let long = read_manifest_at(&format!("{place}WEB-INF/classes/"), 14).unwrap_err();
        assert!(long.to_string().contains("more than 14 bytes are too many"), "{long}");
        assert!(in_file(Path::new("/dev/zero"), "", 99).is_err());
    }
}
