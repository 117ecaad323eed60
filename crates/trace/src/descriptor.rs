//! Ring descriptors: the owner of each ring.

use crate::header::{Header, u64_at, valid_ring_bytes};
use crate::layout as l;
use jfathom_plan::Problem;

/// Index of a ring in the ring directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RingIx(pub u32);

/// A thread as the JVM names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadInfo {
    /// Number of the thread in this JVM, from 1, never reused.
    pub sequence: u64,
    /// Java's thread id. The JVM may reuse it.
    pub thread_id: u64,
    /// The kernel's id of the thread, in the JVM's pid namespace; 0 if it is not known.
    pub kernel_id: u64,
    /// Name when its ring was made.
    pub name: String,
}

/// How far a ring was drained, and for which thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingPosition {
    /// The ring.
    pub ring: RingIx,
    /// The thread's number.
    pub sequence: u64,
    /// Position of the next record to take.
    pub position: u64,
}

/// The fixed part of a descriptor. The state is read apart, with acquire order, before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Descriptor {
    pub offset: u64,
    pub ring_bytes: u64,
    pub sequence: u64,
    pub thread_id: u64,
    pub kernel_id: u64,
    pub start: u64,
}

/// Larger positions are damage. No recording reaches them, and sums cannot overflow.
pub(crate) const MAX_POSITION: u64 = 1 << 62;

impl Descriptor {
    /// The offset that a descriptor names, unchecked.
    pub fn offset(bytes: &[u8]) -> u64 {
        u64_at(bytes, l::DESCRIPTOR_OFFSET as usize)
    }

    /// Reads a used descriptor of a file of `file_len` bytes. An error says what is wrong.
    pub fn parse(bytes: &[u8], header: &Header, file_len: u64) -> Result<Self, Problem> {
        let field = |offset: u32| u64_at(bytes, offset as usize);
        let it = Self {
            offset: field(l::DESCRIPTOR_OFFSET),
            ring_bytes: field(l::DESCRIPTOR_RING_BYTES),
            sequence: field(l::DESCRIPTOR_SEQUENCE),
            thread_id: field(l::DESCRIPTOR_THREAD_ID),
            kernel_id: field(l::DESCRIPTOR_KERNEL_ID),
            start: field(l::DESCRIPTOR_START),
        };
        if !valid_ring_bytes(it.ring_bytes) {
            return Err(format!("a ring of {} bytes", it.ring_bytes).into());
        }
        let end = it.offset.checked_add(u64::from(l::RING_HEADER_BYTES) + it.ring_bytes);
        let inside =
            end.is_some_and(|end| end <= file_len) && it.offset >= header.areas_end() as u64;
        if !inside || !it.offset.is_multiple_of(u64::from(l::AREA_ALIGN)) {
            return Err(format!("a ring at {} in a file of {file_len} bytes", it.offset).into());
        }
        if it.start > MAX_POSITION {
            return Err(format!("a ring position of {}", it.start).into());
        }
        Ok(it)
    }

    /// Bytes of ring header and records.
    pub fn mapped_bytes(&self) -> usize {
        l::RING_HEADER_BYTES as usize + self.ring_bytes as usize
    }

    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.ring_bytes as usize / l::RECORD_BYTES as usize
    }

    /// The thread, with its name from the ring header.
    pub fn thread(&self, ring_header: &[u8]) -> ThreadInfo {
        let length = crate::header::u32_at(ring_header, l::RING_NAME_LENGTH as usize)
            .min(l::RING_NAME_MAX) as usize;
        let name = ring_header
            .get(l::RING_NAME as usize..)
            .and_then(|b| b.get(..length))
            .unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let Self { sequence, thread_id, kernel_id, .. } = *self;
        ThreadInfo { sequence, thread_id, kernel_id, name }
    }
}
