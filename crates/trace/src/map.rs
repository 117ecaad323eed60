//! Shared mappings of a session file, seen only through atomics. This file has all unsafe code of
//! the crate.
//!
//! The other side is a JVM, so nothing in the memory is trusted: an accessor checks its range
//! against the mapping and every value is checked by whoever reads it. A file that shrinks while it
//! is mapped reads as zeros in a collector ([`crate::guard_mappings`]).

#![allow(unsafe_code)]

#[cfg(target_endian = "big")]
compile_error!("session files are little-endian and are used in place");

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use crate::guard::Guarded;
use memmap2::{MmapOptions, MmapRaw};

/// A range of a file, mapped shared, for reading and writing.
#[derive(Debug)]
pub struct Mapping {
    /// Before the mapping, which it must not outlive.
    guarded: Option<Guarded>,
    raw: MmapRaw,
}

#[expect(clippy::len_without_is_empty, reason = "a mapping is never empty")]
impl Mapping {
    /// Maps `len` bytes (not zero) at `offset`, a multiple of [`crate::layout::AREA_ALIGN`]. The
    /// range must lie within the file.
    pub fn new(file: &File, offset: u64, len: usize) -> io::Result<Self> {
        let raw = MmapOptions::new().offset(offset).len(len).map_raw(file)?;
        Ok(Self { guarded: Guarded::new(raw.as_ptr(), raw.len()), raw })
    }

    /// Whether pages of the file were missing when they were read or written.
    pub fn is_cut(&self) -> bool {
        self.guarded.as_ref().is_some_and(Guarded::is_cut)
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    fn at<T>(&self, offset: usize, count: usize) -> Option<*const T> {
        let end = offset.checked_add(count.checked_mul(size_of::<T>())?)?;
        let inside = end <= self.raw.len() && offset.is_multiple_of(align_of::<T>());
        // The mapping begins at a multiple of 4096, so an offset aligned for T is an address
        // aligned for T.
        inside.then(|| self.raw.as_ptr().wrapping_add(offset).cast())
    }

    /// The 32-bit word at `offset`, or nothing if it is not inside or not aligned.
    pub fn u32(&self, offset: usize) -> Option<&AtomicU32> {
        let at = self.at::<AtomicU32>(offset, 1)?;
        // SAFETY: `at` is aligned and inside the mapping, which lives as long as `self`; an atomic
        // may be aliased and may be changed by another process, and every bit pattern is a
        // value.
        Some(unsafe { &*at })
    }

    /// The 64-bit word at `offset`, or nothing if it is not inside or not aligned.
    pub fn u64(&self, offset: usize) -> Option<&AtomicU64> {
        self.u64s(offset, 1)?.first()
    }

    /// `count` 64-bit words from `offset`, or nothing if they are not inside or not aligned.
    pub fn u64s(&self, offset: usize, count: usize) -> Option<&[AtomicU64]> {
        let at = self.at::<AtomicU64>(offset, count)?;
        // SAFETY: as in `u32`, for all `count` words.
        Some(unsafe { std::slice::from_raw_parts(at, count) })
    }

    /// `count` bytes from `offset`, or nothing if they are not inside.
    pub fn bytes(&self, offset: usize, count: usize) -> Option<&[AtomicU8]> {
        let at = self.at::<AtomicU8>(offset, count)?;
        // SAFETY: as in `u32`, for all `count` bytes.
        Some(unsafe { std::slice::from_raw_parts(at, count) })
    }

    /// A copy of `count` bytes from `offset`. The bytes must have been published by an acquire
    /// load, or be torn.
    pub fn copy(&self, offset: usize, count: usize) -> Option<Vec<u8>> {
        Some(self.bytes(offset, count)?.iter().map(|byte| byte.load(Ordering::Relaxed)).collect())
    }
}
