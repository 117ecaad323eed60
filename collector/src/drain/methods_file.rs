//! The methods file of a live session, read while the agent writes it.

mod initial_modes;
mod live_methods;

use jfathom_files::Access;
use jfathom_plan::ManifestClass;
use jfathom_session::RootLine;
use std::{
    fs::File,
    io::{ErrorKind, Read, Seek, SeekFrom},
    path::PathBuf,
};

pub(crate) use initial_modes::initial_modes;
pub(crate) use live_methods::LiveMethods;

/// The longest line, in bytes; a class has fewer than 65,536 methods.
const LINE_LIMIT: usize = 64 << 20;
/// Bytes that are read at a time.
const BLOCK: usize = 64 << 10;

/// A methods file, read up to some byte.
#[derive(Debug)]
pub(crate) struct MethodsFile {
    path: PathBuf,
    file: Option<File>,
    /// The begin of a line whose end was not read so far.
    rest: Vec<u8>,
    block: Vec<u8>,
    methods: LiveMethods,
}

/// News for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LiveEvent {
    /// No loaded class has this root.
    Waiting(String),
    Live(RootLine),
    /// A sentence.
    Note(String),
}

/// Content of new lines.
#[derive(Debug, Default)]
pub(crate) struct MethodsFileUpdate {
    pub news: Vec<LiveEvent>,
    /// Classes with new methods.
    pub classes: Vec<ManifestClass>,
}

impl MethodsFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            rest: Vec::new(),
            block: vec![0; BLOCK],
            methods: LiveMethods::default(),
        }
    }

    /// Reads what was written since the last call: nothing if the file is not there or cannot be
    /// read.
    pub(crate) fn read_update(&mut self) -> MethodsFileUpdate {
        let mut update = MethodsFileUpdate::default();
        if self.file.is_none() {
            self.file = jfathom_files::open(&self.path, Access::Read).ok();
        }
        let Some(file) = &mut self.file else { return update };
        // `rest` has no end of a line up to here.
        let mut searched;
        loop {
            match file.read(&mut self.block) {
                Ok(0) => return update,
                Ok(length) => {
                    searched = self.rest.len();
                    self.rest.extend_from_slice(&self.block[..length]);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return update,
            }
            let mut consumed = 0;
            while let Some(length) = self.rest[searched..].iter().position(|&b| b == b'\n') {
                let end = searched + length + 1;
                self.methods.add_line(&self.rest[consumed..end], &mut update);
                (consumed, searched) = (end, end);
            }
            self.rest.drain(..consumed);
            if self.rest.len() > LINE_LIMIT {
                self.rest.clear();
                self.methods.add_broken(&mut update, "a line without an end");
                // What comes next may be the middle of that line.
                let _ = file.seek(SeekFrom::End(0));
            }
        }
    }

    /// Content of all lines so far.
    pub(crate) fn methods(&self) -> &LiveMethods {
        &self.methods
    }
}

#[cfg(test)]
mod tests;
