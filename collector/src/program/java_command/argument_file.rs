//! The words of a `java` command, those of argument files among them.

use jfathom_files::open_plain;
use std::{
    ffi::{OsStr, OsString},
    io::Read,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::Path,
};

/// The longest argument file that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The words of a command. In place of an argument `@FILE` come the words of that file: blanks
/// separate words, quotes enclose them, and `#` begins a comment. An argument `@@WORD` is the word
/// `@WORD`. A file that cannot be read has no words.
pub(super) struct Words<'a> {
    /// The rest of the argument file that is being read.
    file: std::vec::IntoIter<OsString>,
    arguments: std::slice::Iter<'a, OsString>,
    /// Whether a file could not be read.
    pub(super) has_unread: bool,
}

impl<'a> Words<'a> {
    pub(super) fn new(arguments: &'a [OsString]) -> Self {
        Self { file: Vec::new().into_iter(), arguments: arguments.iter(), has_unread: false }
    }

    /// The rest of the words, with arguments as they are.
    pub(super) fn rest(self) -> Vec<OsString> {
        self.file.chain(self.arguments.cloned()).collect()
    }
}

impl Iterator for Words<'_> {
    type Item = OsString;

    fn next(&mut self) -> Option<OsString> {
        loop {
            if let Some(word) = self.file.next() {
                return Some(word);
            }
            let argument = self.arguments.next()?;
            match argument.as_bytes() {
                [b'@', b'@', ..] => {
                    return Some(OsString::from_vec(argument.as_bytes()[1..].to_vec()));
                }
                [b'@', file @ ..] => {
                    let words = read(Path::new(OsStr::from_bytes(file)));
                    self.has_unread |= words.is_none();
                    self.file = words.unwrap_or_default().into_iter();
                }
                _ => return Some(argument.clone()),
            }
        }
    }
}

/// The words of an argument file; none if it cannot be read.
pub(super) fn read(file: &Path) -> Option<Vec<OsString>> {
    let mut text = Vec::new();
    // What is read of a pipe would be missing in the JVM.
    let read = open_plain(file).and_then(|f| f.take(MAX_BYTES).read_to_end(&mut text));
    read.ok()?;
    Some(split(text))
}

/// The words of an argument file's text, or of `JDK_JAVA_OPTIONS`.
pub(super) fn split(text: Vec<u8>) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.into_iter().peekable();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(q), _) if byte == q => quote = None,
            (Some(_), b'\\') => match bytes.next() {
                Some(b'\n' | b'\r') => {
                    while bytes.next_if(|b| b.is_ascii_whitespace()).is_some() {}
                }
                Some(b'n') => word.get_or_insert_default().push(b'\n'),
                Some(b't') => word.get_or_insert_default().push(b'\t'),
                Some(other) => word.get_or_insert_default().push(other),
                None => {}
            },
            (Some(_), _) => word.get_or_insert_default().push(byte),
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (None, b'#') if word.is_none() => {
                while bytes.next_if(|&b| b != b'\n' && b != b'\r').is_some() {}
            }
            (None, _) if byte.is_ascii_whitespace() => {
                words.extend(word.take().map(OsString::from_vec))
            }
            (None, _) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}
