//! Keys of cached indexes.

use jfathom_reachability::{READER_VERSION, checksum};

/// Computes a key from the identity of a container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity([u64; 2]);

impl Identity {
    /// The start of a key, for one kind of container and this version of the reader.
    pub(crate) fn new(kind: &str) -> Self {
        let mut identity = Self([0x6a66, 0x6978]);
        identity.take(kind.as_bytes());
        identity.take(env!("CARGO_PKG_VERSION").as_bytes());
        identity.take(&READER_VERSION.to_le_bytes());
        identity
    }

    pub(crate) fn take(&mut self, piece: &[u8]) {
        self.0 = self.0.map(|half| checksum(half, piece));
    }

    /// The key as text that can name a file.
    pub(crate) fn key(&self) -> String {
        format!("{:016x}{:016x}", self.0[0], self.0[1])
    }
}
