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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexError {
    /// The bytes are no index.
    NoIndex,
    /// It has another version.
    Version(u32),
    /// The checksum is wrong, or the content cannot be read.
    Damaged,
    /// It is for another container, or for an earlier state of it.
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
