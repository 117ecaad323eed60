//! Indexes: the mirrors of a container's classes as bytes. A later world with the index does not
//! read the class files again.

mod decode;
mod encode;
mod format;
mod part;
mod tables;
mod wire;

use format::VERSION;

pub use decode::Index;
pub(crate) use decode::Numbers;
pub use encode::{Rows, encode_index};
pub use format::{INDEX_SEED, IndexError};
pub use part::IndexPart;

/// A hash of the format and of the code that reads classes. The key of a stored index must contain
/// it.
pub const READER_VERSION: u64 = {
    let sources: [&[u8]; 11] = [
        include_bytes!("annotations.rs"),
        include_bytes!("bootstrap.rs"),
        include_bytes!("code.rs"),
        include_bytes!("header.rs"),
        include_bytes!("mirror.rs"),
        include_bytes!("names.rs"),
        include_bytes!("index/encode.rs"),
        include_bytes!("index/format.rs"),
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

#[cfg(test)]
mod tests;
