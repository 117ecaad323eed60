//! What was read of a container's classes, as bytes that can be kept: a later world need not read
//! the class files again.

mod decode;
mod encode;
mod part;
mod tables;
mod wire;

use std::sync::Arc;

pub use encode::{Rows, encode_index};
pub use part::IndexPart;
pub(crate) use tables::Tables;

/// The first bytes of every index.
const MAGIC: &[u8; 4] = b"jfix";
/// The format; another one is not read.
const VERSION: u32 = 4;
/// Bytes of magic, version and checksum.
const HEAD: usize = 16;

/// What the [`checksum`](crate::checksum) of an index begins with; for tools that damage indexes
/// below a right checksum.
pub const INDEX_SEED: u64 = 0x6a66_6978;

/// What an index depends on beside the classes: the format, and the code that reads them.
///
/// It belongs into the key under which an index is kept.
pub const READER_VERSION: u64 = {
    let sources: [&[u8]; 10] = [
        include_bytes!("annotations.rs"),
        include_bytes!("bootstrap.rs"),
        include_bytes!("code.rs"),
        include_bytes!("header.rs"),
        include_bytes!("mirror.rs"),
        include_bytes!("names.rs"),
        include_bytes!("index/encode.rs"),
        include_bytes!("index/part.rs"),
        include_bytes!("index/tables.rs"),
        include_bytes!("index/wire.rs"),
    ];
    let mut hash = VERSION as u64;
    let mut file = 0;
    while file < sources.len() {
        let bytes = sources[file];
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash.rotate_left(5) ^ bytes[at] as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            at += 1;
        }
        file += 1;
    }
    hash
};

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
            Self::Version(found) => {
                write!(f, "an index of version {found}, not {VERSION}; build it again")
            }
            Self::Damaged => f.write_str("a damaged index; build it again"),
            Self::OtherContent => f.write_str("an index of another content; build it again"),
        }
    }
}

impl std::error::Error for IndexError {}

/// The index of a container, or of all modules of a JDK. A [`World`](crate::World) uses it in place
/// of class files where its [`ClassSource`](crate::ClassSource) has one. Copies share the bytes.
///
/// Layout: `jfix`, version (u32), checksum of the rest (u64), the lengths of the sections (u32
/// each), the sections. Numbers are little endian; in `data` they are unsigned LEB128.
///
/// | section | content |
/// |---|---|
/// | key | bytes |
/// | ends, text | the names: where each ends in the text |
/// | name slots | open hash table of the names' numbers plus one, with bits of the hash above them |
/// | sigs, sig slots | name and descriptor of each signature, and the same table of them |
/// | rows | by row: where its record begins in `data`, plus one; 0 where there is none |
/// | segments | first row, start of the map of names, of signatures, and end of both; one for each part that was read on its own |
/// | maps | the numbers of the parts' names and signatures here |
/// | groups | count, then label and first row of each: the modules of a JDK |
/// | services | count, then service and provider |
/// | data | records: length of the header, header, code |
///
/// Rows are the positions of entries in a container; in an index with groups they are classes,
/// whose names have the rows' numbers.
#[derive(Clone, Debug)]
pub struct Index(Arc<Tables>);

/// The numbers that an index's names and signatures have in a world; 0 for those not yet asked for,
/// else plus one.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    names: Vec<u32>,
    sigs: Vec<u32>,
}

#[cfg(test)]
mod tests;
