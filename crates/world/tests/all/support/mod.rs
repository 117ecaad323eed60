//! Worlds of a few hand-made classes, with a JDK of two jmod files.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

pub const OBJECT: &str = "java/lang/Object";

/// A class file without members.
pub fn class(name: &str, super_class: &str) -> Vec<u8> {
    let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61, 0, 5];
    for (name, at) in [(name, 1u8), (super_class, 3)] {
        out.push(1);
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(name.as_bytes());
        out.extend([7, 0, at]);
    }
    let super_class = if name == OBJECT { 0 } else { 4 };
    out.extend([0, 0x21, 0, 2, 0, super_class, 0, 0, 0, 0, 0, 0, 0, 0]);
    out
}

/// An entry with a class.
pub fn entry(folder: &str, name: &str, super_class: &str) -> (String, Vec<u8>) {
    (format!("{folder}{name}.class"), class(name, super_class))
}

/// A zip of entries.
pub fn zip(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in entries {
        writer.start_file(name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(content).expect("content");
    }
    writer.finish().expect("a zip").into_inner()
}

/// A folder with a tiny JDK, and places for programs and a cache.
pub struct Place {
    pub folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().expect("a directory") };
        std::fs::create_dir_all(place.path("jdk/jmods")).expect("folders");
        let base = [
            entry("classes/", OBJECT, OBJECT),
            entry("classes/", "java/lang/String", OBJECT),
            entry("classes/", "module-info", OBJECT),
            ("lib/other".to_owned(), b"no class".to_vec()),
        ];
        place.jmod("java.base", &base);
        place.jmod("java.more", &[entry("classes/", "java/more/More", "java/lang/String")]);
        place.write("jdk/release", b"JAVA_VERSION=\"17.0.1\"\n");
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("folders");
        File::create(&path).and_then(|mut file| file.write_all(content)).expect("a file");
        path
    }

    pub fn jmod(&self, module: &str, entries: &[(String, Vec<u8>)]) {
        self.write(&format!("jdk/jmods/{module}.jmod"), &[b"JM\x01\0", &zip(entries)[..]].concat());
    }

    pub fn jar(&self, name: &str, entries: &[(String, Vec<u8>)]) -> PathBuf {
        self.write(name, &zip(entries))
    }
}
