//! What the samples say about themselves; `samples/README.md` has the words.

mod compare;
mod parse;
#[cfg(test)]
mod tests;

pub use compare::{Plan, differences};
pub use parse::parse;

/// One source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// Simple name of its first class.
    pub name: String,
    /// Whether it has a `main`.
    pub has_main: bool,
    /// Needs a JVM of its own.
    pub alone: bool,
    /// Its exit code.
    pub exit: i32,
    /// JVM options.
    pub jvm: Vec<String>,
    /// Selectors of its roots.
    pub roots: Vec<String>,
    /// What it says about methods.
    pub truths: Vec<Truth>,
}

/// What a comment says about one method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Truth {
    /// Line of the comment, from 1.
    pub line: usize,
    /// Internal class name.
    pub class: String,
    /// Method name; a `*` at its end stands for any rest.
    pub method: String,
    /// Descriptor, where the name is not enough.
    pub descriptor: Option<String>,
    /// Entries; none where the comment only says `reconciles` or `virtual`.
    pub calls: Option<u64>,
    /// Exits by exception.
    pub throws: u64,
    /// Inferred exits.
    pub inferred: u64,
    /// Calls that have not ended.
    pub open: u64,
    /// Exceptions caught.
    pub caught: Option<u64>,
    /// Calls on virtual threads.
    pub virtual_calls: u64,
    /// Only that all calls have ended.
    pub reconciles: bool,
    /// Entries in a recording with roots.
    pub inside: Option<u64>,
    /// Trees opened by hand-offs of this root.
    pub spawned: Option<u64>,
}
