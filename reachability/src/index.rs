//! What was read of a container's classes, as bytes that can be kept: a later world need not read the class files again.

mod decode;
mod encode;
mod wire;

use crate::mirror::{Fact, Handle, InvokeKind, MethodRef};
use crate::{ClassCode, Header, NameId, Names, SigId};
pub use encode::IndexBuilder;

/// The first bytes of every index.
const MAGIC: &[u8; 4] = b"jfix";
/// The format; another one is not read.
const VERSION: u32 = 1;
/// Bytes of magic, version and checksum.
const HEAD: usize = 16;

/// Why bytes are no index of what they should be. The remedy is always to build it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexError {
    /// The bytes do not begin as an index does.
    NoIndex,
    /// It was made by a jfathom with another format.
    Version(u32),
    /// Its checksum does not fit its content, or the content does not read.
    Damaged,
    /// It is of another container, or of another state of it.
    OtherContent,
}

impl std::fmt::Display for IndexError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoIndex => f.write_str("not an index; build it again"),
            Self::Version(found) => write!(f, "an index of version {found}, not {VERSION}; build it again"),
            Self::Damaged => f.write_str("a damaged index; build it again"),
            Self::OtherContent => f.write_str("an index of another content; build it again"),
        }
    }
}

impl std::error::Error for IndexError {}

/// The index of a container. A [`World`](crate::World) uses it in place of class files where its
/// [`ClassSource`](crate::ClassSource) has one.
///
/// Layout, all numbers unsigned LEB128 unless said: `jfix`, version (u32, little endian), checksum of the rest (u64, little
/// endian); key (length, bytes); names (count, then length and bytes of each); signatures (count, then name and
/// descriptor of each, by number); classes (count, then of each: entry name, length of header, length of code); then
/// headers and codes, back to back.
#[derive(Debug)]
pub struct Index {
    bytes: Vec<u8>,
    /// Where each name lies in `bytes`.
    names: Vec<(u32, u32)>,
    sigs: Vec<(u32, u32)>,
    /// Entry names; their numbers are positions in `classes`.
    entries: Names,
    /// By class: where header and code begin, and where the code ends.
    classes: Vec<(u32, u32, u32)>,
}

/// The numbers that an index's names and signatures have in a world; 0 for those not yet asked for, else plus one.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    names: Vec<u32>,
    sigs: Vec<u32>,
}

/// One class as it is written: with the numbers of the index.
struct Mirror {
    entry: String,
    header: Header,
    code: ClassCode,
}

#[cfg(test)]
mod tests;
