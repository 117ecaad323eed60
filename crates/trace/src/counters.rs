//! Counter blocks: the counted calls of each thread.

use std::sync::atomic::Ordering;

use jfathom_plan::{IdRange, MethodId};

use crate::descriptor::RingIx;
use crate::header::{Header, u32_at, u64_at};
use crate::layout as l;
use crate::map::Mapping;
use crate::store::Store;

/// The counters of some methods, none without calls.
pub type Counts = Vec<(MethodId, Counter)>;

/// The counter of a method on a thread, as it lies in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counter(u64);

impl Counter {
    /// Number of COUNTED records of a thread, as far as a counter holds it.
    pub const RECORDS_MASK: u64 = (1 << (64 - l::COUNTER_TAG_SHIFT)) - 1;

    /// A counter of `calls` calls, and the number of the thread's last record that named the
    /// method; what does not fit is cut.
    pub const fn new(calls: u64, record: u64) -> Self {
        Self(record << l::COUNTER_TAG_SHIFT | calls & ((1 << l::COUNTER_TAG_SHIFT) - 1))
    }

    /// Calls without a record.
    pub const fn calls(self) -> u64 {
        self.0 & ((1 << l::COUNTER_TAG_SHIFT) - 1)
    }

    /// The number, from 1, of the thread's last COUNTED or COUNTED_PAIR record that named the
    /// method, modulo [`Self::RECORDS_MASK`] + 1; 0 without one.
    pub const fn record(self) -> u64 {
        self.0 >> l::COUNTER_TAG_SHIFT
    }
}

/// The fixed part of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub offset: u64,
    /// Offset of the block made before it; zero for the first.
    pub next: u64,
    pub chunks: usize,
}

impl Block {
    /// Reads the header page of the block at `offset` in a file of `file_len` bytes. None if it is
    /// damaged. Blocks are appended to the file, so each one has a larger offset than the one that
    /// it names. Following them therefore ends.
    pub fn parse(page: &[u8], offset: u64, header: &Header, file_len: u64) -> Option<Self> {
        let block = Self {
            offset,
            next: u64_at(page, l::COUNTERS_NEXT as usize),
            chunks: u32_at(page, l::COUNTERS_CHUNKS as usize).min(l::COUNTERS_CHUNKS_MAX) as usize,
        };
        let fits = Self::page_fits(offset, header, file_len)
            && offset.checked_add(block.bytes() as u64).is_some_and(|end| end <= file_len);
        (fits && block.next < offset).then_some(block)
    }

    /// Whether a block's header page may lie at `offset`.
    pub fn page_fits(offset: u64, header: &Header, file_len: u64) -> bool {
        let end = offset.checked_add(u64::from(l::COUNTERS_HEADER_BYTES));
        end.is_some_and(|end| end <= file_len)
            && offset >= header.areas_end() as u64
            && offset.is_multiple_of(u64::from(l::AREA_ALIGN))
    }

    /// Bytes of header and chunks.
    pub fn bytes(&self) -> usize {
        l::COUNTERS_HEADER_BYTES as usize + self.chunks * l::CHUNK_BYTES as usize
    }

    /// Offset in the block of the chunk at a place.
    pub fn chunk(&self, place: usize) -> usize {
        l::COUNTERS_HEADER_BYTES as usize + place * l::CHUNK_BYTES as usize
    }
}

/// Owner and number of a counter chunk. None for a free one.
pub(crate) fn owner(word: u64) -> Option<(RingIx, u32)> {
    let ring = ((word >> 32) as u32).checked_sub(1)?;
    Some((RingIx(ring), word as u32))
}

/// Adds the counters of chunk `number` that hold calls to `counts`; those of ids outside the span
/// are passed over.
pub(crate) fn collect(
    number: u32,
    counters: impl Iterator<Item = u64>,
    ids: IdRange,
    counts: &mut Counts,
) {
    let first = u64::from(number) << l::CHUNK_SHIFT;
    let counters = counters.map(Counter);
    let counted = (first..).zip(counters).filter(|(_, counter)| counter.calls() != 0);
    let known = counted.filter_map(|(id, n)| Some((MethodId::new(u32::try_from(id).ok()?)?, n)));
    counts.extend(known.filter(|(id, _)| ids.contains(*id)));
}

/// A block of a live file.
#[derive(Debug)]
struct Mapped {
    block: Block,
    mapping: Mapping,
    /// The ring that has all of its chunks, which then stay so; once that was seen.
    sole: Option<RingIx>,
}

impl Mapped {
    /// Adds the counts of the ring's thread in this block.
    fn collect(&mut self, ring: RingIx, ids: IdRange, counts: &mut Counts) {
        if self.sole.is_some_and(|sole| sole != ring) {
            return;
        }
        let owners =
            self.mapping.u64s(l::COUNTERS_OWNERS as usize, self.block.chunks).unwrap_or_default();
        let mut owned = 0;
        for (place, word) in owners.iter().enumerate() {
            // Acquire: what was in the chunk when it was given out is not seen any more.
            let Some((_, number)) =
                owner(word.load(Ordering::Acquire)).filter(|(owner, _)| *owner == ring)
            else {
                continue;
            };
            owned += 1;
            let counters =
                self.mapping.u64s(self.block.chunk(place), 1 << l::CHUNK_SHIFT).unwrap_or_default();
            collect(
                number,
                counters.iter().map(|counter| counter.load(Ordering::Relaxed)),
                ids,
                counts,
            );
        }
        if owned == owners.len() && owned > 0 {
            self.sole = Some(ring);
        }
    }
}

/// The blocks of a live file that were mapped so far.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// Oldest first.
    mapped: Vec<Mapped>,
    /// `HEADER_COUNTERS` at the last look.
    newest: u64,
}

impl Blocks {
    /// Maps the blocks that were made since the last call. One that is not sound ends the walk:
    /// what it leads to is not seen.
    pub fn refresh(&mut self, newest: u64, header: &Header, store: &Store, overflow: u64) {
        if newest == self.newest {
            return;
        }
        let known = self.mapped.last().map_or(0, |last| last.block.offset);
        let mut found = Vec::new();
        let mut at = newest;
        while at > known {
            let Ok(part) = store.part(at, overflow) else { break };
            if !Block::page_fits(at, header, part.end) {
                break;
            }
            let page = part.map(at, l::COUNTERS_HEADER_BYTES as usize).ok();
            let page =
                page.and_then(|page| page.copy(0, l::COUNTERS_OWNERS as usize)).unwrap_or_default();
            let Some(block) = Block::parse(&page, at, header, part.end) else { break };
            let Ok(mapping) = part.map(at, block.bytes()) else { break };
            found.push(Mapped { block, mapping, sole: None });
            at = block.next;
        }
        self.mapped.extend(found.into_iter().rev());
        self.newest = newest;
    }

    /// Whether pages of a block were missing.
    pub fn are_cut(&self) -> bool {
        self.mapped.iter().any(|mapped| mapped.mapping.is_cut())
    }

    /// Counted calls of a ring's thread so far.
    pub fn of(&mut self, ring: RingIx, ids: IdRange) -> Counts {
        let mut counts = Counts::new();
        for mapped in &mut self.mapped {
            mapped.collect(ring, ids, &mut counts);
        }
        counts
    }
}
