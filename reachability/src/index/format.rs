//! Fixed parts of the index format, and errors of reading.

/// The first bytes of every index.
pub(super) const MAGIC: &[u8; 4] = b"jfix";
/// The format version. No other is read.
pub(super) const VERSION: u32 = 4;
/// Bytes of magic, version and checksum.
pub(super) const HEAD: usize = 16;

/// The seed of an index's [`checksum`](crate::checksum). Fuzz targets use it to damage an index
/// below a right checksum.
pub const INDEX_SEED: u64 = 0x6a66_6978;

/// Why bytes are not the requested index. The remedy is always to build it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// The bytes are no index.
    #[error("not an index; build it again")]
    NoIndex,
    /// It has another version.
    #[error("an index of version {0}, not {VERSION}; build it again")]
    Version(u32),
    /// The checksum is wrong, or the content cannot be read.
    #[error("a damaged index; build it again")]
    Damaged,
    /// It is for another container, or for an earlier state of it.
    #[error("an index of another content; build it again")]
    OtherContent,
}
