//! A thread's records since its outermost open call, as far as there is room for them.

use std::collections::VecDeque;

use crate::build::builder::clock::Clock;

/// Most records of one call that become spans.
pub(super) const MOST_RECORDS: usize = 1 << 17;
/// Most words of a piece.
pub(in crate::build::builder) const PIECE: usize = 1 << 12;
/// From the outermost call's first records on so many words are kept: its spans. The call begins
/// within the first piece.
const HEAD: u64 = (MOST_RECORDS + PIECE) as u64;
/// Most words in all. Besides the first ones these are the last ones, so that each call that ends
/// is there if it has no more than [`MOST_RECORDS`].
const MOST_WORDS: usize = HEAD as usize + MOST_RECORDS + 3 * PIECE;
/// What a piece costs beside its words, in words.
const PIECE_COST: usize = 64;

/// Pieces in the order of their records. Whole pieces may be missing between two.
#[derive(Debug, Default)]
pub(in crate::build::builder) struct Log {
    pieces: VecDeque<Piece>,
    words: usize,
    /// High bits of the times after the last piece.
    high: u64,
}

impl Clone for Log {
    /// A copy of a builder is for a checkpoint or a profile, and neither needs the log.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Successive records.
#[derive(Debug)]
pub(super) struct Piece {
    pub start: Start,
    pub words: Vec<u64>,
}

/// A thread before a record.
#[derive(Clone, Copy, Debug)]
pub(in crate::build::builder) struct Start {
    /// Its records so far.
    pub records: u64,
    pub clock: Clock,
}

impl Piece {
    fn end(&self) -> u64 {
        self.start.records + self.words.len() as u64
    }
}

impl Log {
    /// Memory, in words.
    pub(super) fn size(&self) -> usize {
        self.words + self.pieces.len() * PIECE_COST
    }

    /// Adds at most [`PIECE`] words, after which the times have these high bits. The last
    /// [`MOST_RECORDS`] before them are still there.
    pub(super) fn push(&mut self, start: Start, words: &[u64], high: u64) {
        if words.is_empty() {
            return;
        }
        // Who switches between threads also sets the high bits, without a record.
        let last = self.pieces.back_mut().filter(|last| {
            last.end() == start.records
                && last.words.len() + words.len() <= PIECE
                && self.high == start.clock.high
        });
        match last {
            Some(last) => last.words.extend_from_slice(words),
            None => {
                if let Some(full) = self.pieces.back_mut() {
                    full.words.shrink_to_fit();
                }
                self.pieces.push_back(Piece { start, words: words.to_vec() });
            }
        }
        self.words += words.len();
        self.high = high;
        while self.words > MOST_WORDS && self.pieces.len() > 1 {
            self.shed();
        }
    }

    /// Gives up one piece: the oldest behind the first [`HEAD`] records, or else the oldest.
    pub(super) fn shed(&mut self) {
        let first = self.pieces.front().map_or(0, |piece| piece.start.records);
        let is_behind = |piece: &Piece| piece.start.records - first >= HEAD;
        let last = self.pieces.len().saturating_sub(1);
        let behind = self.pieces.iter().position(is_behind).filter(|at| *at < last);
        if let Some(piece) = self.pieces.remove(behind.unwrap_or(0)) {
            self.words -= piece.words.len();
        }
    }

    /// Forgets pieces that end before this record.
    pub(super) fn forget_before(&mut self, records: u64) {
        while let Some(piece) = self.pieces.pop_front_if(|piece| piece.end() <= records) {
            self.words -= piece.words.len();
        }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The piece with this record, and those behind it up to the first that is missing; none if the
    /// record is not there.
    pub(super) fn since(&self, record: u64) -> impl Iterator<Item = &Piece> {
        let has_it = |piece: &Piece| (piece.start.records..piece.end()).contains(&record);
        let from = self.pieces.iter().position(has_it).unwrap_or(self.pieces.len());
        let mut next = None;
        self.pieces.range(from..).take_while(move |piece| {
            let follows = next.is_none_or(|next| next == piece.start.records);
            next = Some(piece.end());
            follows
        })
    }
}
