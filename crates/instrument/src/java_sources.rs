//! Source files in folders and source jars.

use crate::error::{Result, usage};
use jfathom_archive::Input;
use jfathom_files::read_plain;
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// Bytes of a source file; larger ones are not read.
const FILE_BYTES: u64 = 16 << 20;

/// Folders and archives of sources, in the order in which they are searched.
#[derive(Debug, Default)]
pub struct JavaSources {
    places: Vec<Place>,
}

#[derive(Debug)]
enum Place {
    Folder(PathBuf),
    Archive(Box<Input>),
}

/// The text of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The file: `src/com/acme/Engine.java`, `app-sources.jar!com/acme/Engine.java`.
    pub place: String,
    /// Its lines without their ends (JLS 3.4). Bytes that are no UTF-8 became U+FFFD.
    pub lines: Vec<String>,
    /// Whether all of its bytes are UTF-8.
    pub is_utf8: bool,
}

/// What the places say of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceAnswer {
    /// The first place that has it.
    Found(SourceText),
    /// The first place that has it cannot read it.
    Unreadable {
        /// The file.
        place: String,
        /// Why.
        problem: String,
    },
    /// No place has it.
    Absent,
}

impl JavaSources {
    /// Opens the entries of a path, which `:` separates.
    ///
    /// # Errors
    /// Fails if an entry does not exist, or is a file that is no archive.
    pub fn open(path: &OsStr) -> Result<Self> {
        let mut places = Vec::new();
        for entry in std::env::split_paths(path).filter(|entry| !entry.as_os_str().is_empty()) {
            places.push(match (entry.is_dir(), entry.exists()) {
                (true, _) => Place::Folder(entry),
                (false, true) => Place::Archive(Box::new(Input::open(&entry)?)),
                (false, false) => {
                    let problem = "no such folder or archive of sources";
                    return Err(usage(format!("{}: {problem}", entry.display())));
                }
            });
        }
        Ok(Self { places })
    }

    /// The source file at `path` (`com/acme/Engine.java`): names joined by `/`, none of them empty,
    /// `.` or `..`. Another path is absent. An archive may have it below other folders, as those of
    /// a JDK's `src.zip`, if it has one file of that name only.
    pub fn read(&self, path: &str) -> SourceAnswer {
        if path.split('/').any(|name| matches!(name, "" | "." | "..")) || path.contains('\0') {
            return SourceAnswer::Absent;
        }
        let answers = self.places.iter().map(|place| match place {
            Place::Folder(folder) => in_folder(folder, path),
            Place::Archive(input) => in_archive(input, path),
        });
        answers.flatten().next().unwrap_or(SourceAnswer::Absent)
    }
}

fn in_folder(folder: &Path, path: &str) -> Option<SourceAnswer> {
    let file = folder.join(path);
    let place = file.display().to_string();
    let metadata = std::fs::metadata(&file).ok().filter(std::fs::Metadata::is_file)?;
    if metadata.len() > FILE_BYTES {
        return Some(too_large(place));
    }
    Some(match read_plain(&file, FILE_BYTES) {
        Ok(bytes) => SourceAnswer::Found(text(place, &bytes)),
        Err(error) => SourceAnswer::Unreadable { place, problem: error.to_string() },
    })
}

fn in_archive(input: &Input, path: &str) -> Option<SourceAnswer> {
    let mut below = None;
    let mut exact = None;
    let mut is_ambiguous = false;
    for ((name, size), at) in input.names().zip(input.sizes()).zip(0..) {
        let Some(name) = name.as_str() else { continue };
        if name == path {
            exact = Some((at, name, size));
        } else if name.strip_suffix(path).is_some_and(|before| before.ends_with('/')) {
            is_ambiguous |= below.is_some();
            below = Some((at, name, size));
        }
    }
    let (at, name, size) = exact.or_else(|| below.filter(|_| !is_ambiguous))?;
    let place = format!("{}!{name}", input.location());
    if size > FILE_BYTES {
        return Some(too_large(place));
    }
    Some(match input.read_nth(at) {
        Ok(bytes) => SourceAnswer::Found(text(place, &bytes.unwrap_or_default())),
        Err(error) => SourceAnswer::Unreadable { place, problem: error.to_string() },
    })
}

fn too_large(place: String) -> SourceAnswer {
    SourceAnswer::Unreadable { place, problem: "it has more than 16 MiB".to_owned() }
}

fn text(place: String, bytes: &[u8]) -> SourceText {
    let text = String::from_utf8_lossy(bytes);
    let is_utf8 = matches!(text, std::borrow::Cow::Borrowed(_));
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.lines().map(str::to_owned).collect();
    SourceText { place, lines, is_utf8 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::File, io::Write};

    fn lines(answer: SourceAnswer) -> Vec<String> {
        match answer {
            SourceAnswer::Found(text) => text.lines,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn no_path_leads_out_of_a_folder() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join("src/a")).unwrap();
        std::fs::write(temp.path().join("secret.java"), "x").unwrap();
        std::fs::write(temp.path().join("src/a/B.java"), "b").unwrap();
        let sources = JavaSources::open(temp.path().join("src").as_os_str()).unwrap();
        assert_eq!(lines(sources.read("a/B.java")), ["b"]);
        let secret = temp.path().join("secret.java").display().to_string();
        for path in ["../secret.java", "a/../../secret.java", &secret, "a/", "a", "a/\0", ""] {
            assert_eq!(sources.read(path), SourceAnswer::Absent, "{path}");
        }
    }

    #[test]
    fn the_first_place_that_has_a_file_answers() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("src");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("B.java"), b"a\r\nb\rc\n\xff\tx").unwrap();
        let jar = temp.path().join("sources.jar");
        let mut zip = zip::ZipWriter::new(File::create(&jar).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        for (name, text) in [
            ("B.java", "of the jar"),
            ("java.base/p/C.java", "below"),
            ("x/D.java", "one"),
            ("y/D.java", "two"),
        ] {
            zip.start_file(name, options).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        let path = std::env::join_paths([&folder, &jar]).unwrap();
        let sources = JavaSources::open(&path).unwrap();
        let SourceAnswer::Found(text) = sources.read("B.java") else { panic!("B.java is there") };
        assert_eq!(text.lines, ["a", "b", "c", "\u{fffd}\tx"]);
        assert!(!text.is_utf8);
        assert_eq!(lines(sources.read("p/C.java")), ["below"]);
        assert_eq!(sources.read("D.java"), SourceAnswer::Absent);
        let missing = JavaSources::open(OsStr::new("no/such/folder")).unwrap_err();
        assert!(missing.to_string().contains("no such folder"), "{missing}");
    }
}
