//! Limits of inputs, checked before anything is allocated, and how much of them is kept.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Error, ErrorKind, Location};

/// Largest sizes and numbers of an input. Sizes are in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The size of one file that is read from disk.
    pub file_bytes: u64,
    /// The uncompressed size of one entry.
    pub entry_bytes: u64,
    /// The uncompressed size of all entries of one input, those of nested jars included.
    pub total_bytes: u64,
    /// The number of entries of one input, those of nested jars included.
    pub entries: u64,
    /// How deep nested jars are opened: 0 opens none, 1 opens `app.jar!lib/x.jar`.
    pub nesting: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 4 << 30,
            entry_bytes: 1 << 30,
            total_bytes: 4 << 30,
            entries: 1_000_000,
            nesting: 3,
        }
    }
}

/// The longest jar manifest that is read. Signers write about 150 bytes per entry.
pub(crate) const MANIFEST_BYTES: u64 = 64 << 20;

/// The exceeded field of [`Limits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`Limits::file_bytes`].
    FileBytes,
    /// [`Limits::entry_bytes`].
    EntryBytes,
    /// [`Limits::total_bytes`].
    TotalBytes,
    /// [`Limits::entries`]; also the entries of one `Class-Path`.
    Entries,
    /// Bytes of one jar's manifest: 64 MiB.
    ManifestBytes,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::FileBytes => "bytes in one file",
            Limit::EntryBytes => "uncompressed bytes in one entry",
            Limit::TotalBytes => "uncompressed bytes in all entries",
            Limit::Entries => "entries",
            Limit::ManifestBytes => "uncompressed bytes in a manifest",
        })
    }
}

/// The rest of the limits during one visit or rewrite.
#[derive(Debug)]
pub(crate) struct Budget {
    limits: Limits,
    /// Uncompressed bytes announced by all containers opened so far. Any worker adds. It never
    /// shrinks.
    bytes: AtomicU64,
    /// Entries announced by all containers opened so far. Any worker adds. It never shrinks.
    entries: AtomicU64,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, bytes: AtomicU64::new(0), entries: AtomicU64::new(0) }
    }

    /// A budget without the `taken` entries and bytes.
    pub(crate) fn resume(limits: Limits, (entries, bytes): (u64, u64)) -> Self {
        Self { limits, bytes: AtomicU64::new(bytes), entries: AtomicU64::new(entries) }
    }

    /// Entries and bytes subtracted so far.
    pub(crate) fn taken(&self) -> (u64, u64) {
        (self.entries.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Subtracts `entries` entries with `bytes` uncompressed bytes in total.
    pub(crate) fn reserve(
        &self,
        location: &Location,
        entries: u64,
        bytes: u64,
    ) -> Result<(), Error> {
        let all = self.entries.fetch_add(entries, Ordering::Relaxed).saturating_add(entries);
        check(location, Limit::Entries, all, self.limits.entries)?;
        let all = self.bytes.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        check(location, Limit::TotalBytes, all, self.limits.total_bytes)
    }
}

/// Fails if `found` is more than `allowed`.
pub(crate) fn check(
    location: &Location,
    limit: Limit,
    found: u64,
    allowed: u64,
) -> Result<(), Error> {
    if found <= allowed {
        Ok(())
    } else {
        Err(Error::new(location.clone(), ErrorKind::Limit { limit, found, allowed }))
    }
}

/// How many more bytes of inflated classes inputs may keep.
///
/// A visit with it ([`Work::keep`](crate::Work::keep)) leaves the classes in the input, as far as
/// there is room. Later visits and rewrites of the input take them from there. They are freed with
/// the input.
#[derive(Debug)]
pub struct KeepBudget {
    /// Any worker subtracts; it never grows.
    left: AtomicU64,
}

impl KeepBudget {
    /// Room for `bytes` bytes.
    pub fn new(bytes: u64) -> Self {
        Self { left: AtomicU64::new(bytes) }
    }

    /// Takes room for `bytes` bytes. False, and nothing is taken, if there is less.
    pub(crate) fn take(&self, bytes: u64) -> bool {
        let less = |left: u64| left.checked_sub(bytes);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }
}
