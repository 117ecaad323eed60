//! Counts of an opened world.

/// Counts of an [`OpenedWorld`](crate::OpenedWorld).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Jars, directories and modules, nested jars included.
    pub containers: usize,
    /// Class entries of all containers; those for several releases of Java count each.
    pub classes: usize,
    /// Class entries that were read into an index in this run.
    pub indexed: usize,
    /// Class entries whose index was in the cache.
    pub from_cache: usize,
    /// Bytes of the indexes in memory.
    pub index_bytes: usize,
}
