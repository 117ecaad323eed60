//! The ring: one producer, one consumer, and no shared write position, because each record commits
//! itself.
//!
//! A slot is zero when it is free. The producer stores a record (never zero) with release order;
//! the consumer takes records up to the first zero. It hands slots back a chunk at a time: it
//! zeroes them, then publishes the new position with release order, and the producer reads that
//! position with acquire order before it writes beyond what it knows to be free. So the producer's
//! store to a slot comes after the consumer's zero, and a record can neither be lost nor seen
//! twice. Positions count records from the ring's beginning and never wrap; a slot is a position
//! modulo the ring's length.

use crate::sync::{AtomicU64, Ordering};

/// A view of one ring.
#[derive(Clone, Copy)]
pub struct Ring<'a> {
    /// The slots. Written by the producer (a record) and the consumer (zero, once the record is
    /// taken).
    words: &'a [AtomicU64],
    /// The position up to which slots have been handed back. Written by the consumer only; grows
    /// only.
    consumed: &'a AtomicU64,
}

impl<'a> Ring<'a> {
    /// A ring over `words`, or nothing if their number is no power of two.
    pub fn new(words: &'a [AtomicU64], consumed: &'a AtomicU64) -> Option<Self> {
        words.len().is_power_of_two().then_some(Self { words, consumed })
    }

    /// Number of slots.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The position up to which slots have been handed back, as a fresh producer or consumer must
    /// see it.
    pub fn consumed(&self) -> u64 {
        self.consumed.load(Ordering::Acquire)
    }

    /// The slot of `position`.
    pub(crate) fn word(&self, position: u64) -> &'a AtomicU64 {
        &self.words[self.slot(position)]
    }

    #[inline]
    fn slot(&self, position: u64) -> usize {
        position as usize & (self.words.len() - 1)
    }
}

/// The consumer's side of a ring: where it stands.
#[derive(Clone, Debug)]
pub struct Consumer {
    /// Next record to take.
    position: u64,
    /// All slots before this have been zeroed and published.
    returned: u64,
    /// Records are handed back when a multiple of this is passed.
    chunk: u64,
}

impl Consumer {
    /// A consumer that begins at `position`, where all before has been handed back.
    pub fn new(ring: Ring<'_>, position: u64) -> Self {
        Self::with_chunk(position, ring.len() as u64 / 8)
    }

    /// A consumer that hands back whenever a multiple of `chunk` is passed; at most the ring's
    /// length, or its producer waits for ever.
    pub fn with_chunk(position: u64, chunk: u64) -> Self {
        Self { position, returned: position, chunk: chunk.max(1) }
    }

    /// The position of the next record.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Takes records up to the first free slot, but at most a ring's length, and gives them to
    /// `sink` in order, in slices of at most `batch.len()`. Returns how many.
    pub fn drain(
        &mut self,
        ring: Ring<'_>,
        batch: &mut [u64],
        mut sink: impl FnMut(&[u64]),
    ) -> usize {
        let mut taken = 0;
        while taken < ring.len() {
            let at = ring.slot(self.position);
            let most = batch.len().min(ring.len() - taken).min(ring.len() - at);
            let mut n = 0;
            for (to, from) in batch.iter_mut().zip(&ring.words[at..at + most]) {
                let word = from.load(Ordering::Acquire);
                if word == 0 {
                    break;
                }
                *to = word;
                n += 1;
            }
            if n == 0 {
                break;
            }
            sink(&batch[..n]);
            self.position += n as u64;
            taken += n;
            self.hand_back(ring, self.position - self.position % self.chunk);
            if n < most {
                break;
            }
        }
        taken
    }

    /// Hands back all that was taken, down to the last record, so that the ring can pass to another
    /// producer.
    pub fn finish(&mut self, ring: Ring<'_>) {
        self.hand_back(ring, self.position);
    }

    fn hand_back(&mut self, ring: Ring<'_>, until: u64) {
        if until <= self.returned {
            return;
        }
        for position in self.returned..until {
            ring.word(position).store(0, Ordering::Relaxed);
        }
        ring.consumed.store(until, Ordering::Release);
        self.returned = until;
    }
}
