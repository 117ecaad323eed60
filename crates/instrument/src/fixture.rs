//! Small jars for tests.

use std::{
    io::{Cursor, Write},
    path::{Path, PathBuf},
};
use zip::{ZipWriter, write::SimpleFileOptions};

pub(crate) const ICONST_3: u8 = 0x06;
pub(crate) const POP: u8 = 0x57;
const RETURN: u8 = 0xb1;

/// Writes a jar with the one class `name` (`a/A`), and returns its path (`a.jar`).
pub(crate) fn jar(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(format!("{}.jar", &name[..1]));
    let mut jar = ZipWriter::new(Cursor::new(Vec::new()));
    jar.start_file(format!("{name}.class"), SimpleFileOptions::default()).unwrap();
    jar.write_all(&class(name)).unwrap();
    jfathom_files::write(&path, jar.finish().unwrap().into_inner()).unwrap();
    path
}

/// A class with the one method `static void run() { 3; }`, of version 49, which needs no frames
/// (JVMS 4.1).
fn class(name: &str) -> Vec<u8> {
    let text = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    let mut class = b"\xca\xfe\xba\xbe\0\0\0\x31\0\x08".to_vec();
    class.extend([text(name), vec![7, 0, 1], text("java/lang/Object"), vec![7, 0, 3]].concat());
    class.extend([text("run"), text("()V"), text("Code")].concat());
    class.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 1]);
    class.extend([0, 9, 0, 5, 0, 6, 0, 1, 0, 7, 0, 0, 0, 15, 0, 1, 0, 0, 0, 0, 0, 3]);
    class.extend([ICONST_3, POP, RETURN, 0, 0, 0, 0, 0, 0]);
    class
}
