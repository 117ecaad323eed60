//! What the tests share. The archives are made by hand or by the `zip` crate, never by the code
//! under test.

pub mod jdk;
pub mod raw;

use std::io::{Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use jfathom_archive::{
    Additions, Destination, Entry, Error, Input, Outcome, Replace, Work, rewrite,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// An entry as an oracle read it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read1 {
    pub name: Vec<u8>,
    pub content: Vec<u8>,
    pub method: CompressionMethod,
    pub raw: Vec<u8>,
    pub time: Option<zip::DateTime>,
    pub comment: String,
}

/// All entries of an archive, read by the `zip` crate.
pub fn read_zip(bytes: &[u8]) -> Vec<Read1> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("the zip crate reads the archive");
    (0..archive.len())
        .map(|i| {
            let mut raw = Vec::new();
            archive.by_index_raw(i).unwrap().read_to_end(&mut raw).unwrap();
            let mut entry = archive.by_index(i).unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            Read1 {
                name: entry.name_raw().to_vec(),
                content,
                method: entry.compression(),
                raw,
                time: entry.last_modified(),
                comment: entry.comment().to_owned(),
            }
        })
        .collect()
}

/// The content of the one entry of this name.
pub fn content(entries: &[Read1], name: &str) -> Vec<u8> {
    let mut found = entries.iter().filter(|e| e.name == name.as_bytes());
    let entry = found.next().unwrap_or_else(|| panic!("no entry {name}"));
    assert!(found.next().is_none(), "two entries {name}");
    entry.content.clone()
}

/// An archive made by the `zip` crate: name, stored or deflated, content.
pub fn make_zip(entries: &[(&str, CompressionMethod, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let time = zip::DateTime::from_date_and_time(2020, 2, 3, 4, 5, 6).unwrap();
    for (name, method, content) in entries {
        let options =
            SimpleFileOptions::default().compression_method(*method).last_modified_time(time);
        match name.strip_suffix('/') {
            Some(folder) => writer.add_directory(folder, options).unwrap(),
            None => {
                writer.start_file(*name, options).unwrap();
                writer.write_all(content).unwrap();
            }
        }
    }
    writer.finish().unwrap().into_inner()
}

pub const STORED: CompressionMethod = CompressionMethod::Stored;
pub const DEFLATED: CompressionMethod = CompressionMethod::Deflated;

/// Bytes that compress, but not to nothing.
pub fn text(seed: u32, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut next = || {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        b'a' + (state >> 16 & 0xf) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// What the tests replace a class by: its bytes backwards, with a mark.
pub fn changed(content: &[u8]) -> Vec<u8> {
    let mut new: Vec<u8> = content.iter().rev().copied().collect();
    new.extend_from_slice(b" changed");
    new
}

pub fn change_all(_: &Entry<'_>, content: &[u8]) -> Replace {
    Replace::Bytes(changed(content))
}

pub fn keep_all(_: &Entry<'_>, _: &[u8]) -> Replace {
    Replace::Keep
}

pub fn threads(n: usize) -> Work<'static> {
    Work { threads: NonZeroUsize::new(n), ..Work::default() }
}

/// A temporary directory with one file in it.
pub struct Dir {
    pub dir: tempfile::TempDir,
}

impl Dir {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file, with the folders above it.
    pub fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// The archive after a rewrite, or the error.
pub fn rewritten(
    jar: &[u8],
    replace: impl Fn(&Entry<'_>, &[u8]) -> Replace + Sync,
    additions: Additions,
) -> Result<(Vec<u8>, Outcome), Error> {
    let dir = Dir::new();
    let input = Input::open(dir.file("in.jar", jar))?;
    let to = Destination::whole(dir.path("out/out.jar"));
    let outcome = rewrite(&input, &to, &threads(2), replace, |_| additions)?;
    let bytes = std::fs::read(&to.path).unwrap();
    assert_eq!(outcome.bytes, bytes.len() as u64);
    assert_eq!(list(&dir.path("out")), ["out.jar"], "nothing else is left behind");
    Ok((bytes, outcome))
}

/// All files below a directory, as sorted relative paths.
pub fn list(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = walkdir::WalkDir::new(dir)
        .min_depth(1)
        .into_iter()
        .map(Result::unwrap)
        .filter(|e| !e.file_type().is_dir())
        .map(|e| e.path().strip_prefix(dir).unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}
