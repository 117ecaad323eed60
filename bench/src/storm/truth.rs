//! What the program did: the mapped file of its counts.

use anyhow::Result;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The program's methods in the order of their counts: class and name.
pub const METHODS: [(&str, &str); 8] = [
    ("storm/Calls", "root"),
    ("storm/Calls", "task"),
    ("storm/Calls", "leaf"),
    ("storm/Calls", "fails"),
    ("storm/Calls", "deep"),
    ("storm/Calls", "overflows"),
    ("storm/Calls", "overflow"),
    ("storm/Calls$Node", "<init>"),
];

/// The places of two methods in [`METHODS`]: what overflows the stack, and what calls that.
pub const OVERFLOW: usize = 6;
pub const OVERFLOWS: usize = 5;

/// Calls of one method, over all threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Begun: its entry probe may have run.
    pub begun: u64,
    /// Done: its exit probe has run.
    pub done: u64,
}

/// The file of counts.
pub struct Truth(pub PathBuf);

impl Truth {
    /// Makes an empty file for so many threads beside the main one.
    pub fn make(path: &Path, threads: u64) -> Result<Self> {
        fs::File::create(path)?.set_len((threads + 1) * METHODS.len() as u64 * 16)?;
        Ok(Self(path.to_path_buf()))
    }

    pub fn read(&self) -> Result<[Count; METHODS.len()]> {
        let mut counts = [Count::default(); METHODS.len()];
        let bytes = fs::read(&self.0)?;
        let words: Vec<u64> =
            bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        for (pair, at) in words.as_chunks::<2>().0.iter().zip((0..METHODS.len()).cycle()) {
            counts[at].begun += pair[0];
            counts[at].done += pair[1];
        }
        Ok(counts)
    }

    /// Calls that have begun.
    pub fn begun(&self) -> u64 {
        self.read().map_or(0, |counts| counts.iter().map(|count| count.begun).sum())
    }
}
