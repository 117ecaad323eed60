//! Contents that inputs keep, so that they are not inflated again.

use std::sync::atomic::{AtomicU64, Ordering};

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
