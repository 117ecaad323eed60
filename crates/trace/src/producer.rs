//! The producer's side of a ring, for tests and benches: in a recording the producer is Java code.

use crate::ring::Ring;
use crate::sync::Ordering;

/// Where a producer stands.
#[derive(Clone, Debug)]
pub struct Producer {
    /// Next position to write.
    position: u64,
    /// Slots before this position are known to be free.
    limit: u64,
}

impl Producer {
    /// A producer that begins where the last one's records have been handed back.
    pub fn new(ring: Ring<'_>) -> Self {
        let position = ring.consumed();
        Self { position, limit: position + ring.len() as u64 }
    }

    /// The position of the next record.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Writes a record (not zero), or returns false if the ring is full.
    pub fn push(&mut self, ring: Ring<'_>, word: u64) -> bool {
        debug_assert_ne!(word, 0, "zero is the mark of a free slot");
        if self.position == self.limit {
            self.limit = ring.consumed() + ring.len() as u64;
            if self.position == self.limit {
                return false;
            }
        }
        let slot = ring.word(self.position);
        debug_assert_eq!(slot.load(Ordering::Relaxed), 0, "a slot that was handed back is zero");
        slot.store(word, Ordering::Release);
        self.position += 1;
        true
    }
}
