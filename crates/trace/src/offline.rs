//! Session files of dead JVMs. They are read without a mapping, and nothing is written.

use std::collections::HashMap;
use std::path::Path;

use jfathom_plan::{MethodId, Problem};

use crate::counters::{Block, Counter, Counts, collect, owner};
use crate::descriptor::{Descriptor, MAX_POSITION, RingIx, RingPosition};
use crate::error::{TraceError, TraceErrorKind};
use crate::header::{
    Header, JvmState, LiveState, LossCounters, Preamble, preamble, u32_at, u64_at,
};
use crate::info::{self, InfoEntry};
use crate::layout as l;
use crate::reading_methods::ReadingMethods;
use crate::sink::Sink;
use crate::store::Store;
use jfathom_files::Access;

/// A session file without a writer. The caller must make sure that the JVM's process has ended:
/// records of a running one could be read twice.
#[derive(Debug)]
pub struct OfflineSession {
    store: Store,
    path: std::path::PathBuf,
    header: Header,
    page: Vec<u8>,
    ended: bool,
}

/// Counts of reading the rings of a dead JVM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfflineOutcome {
    /// Records that the sink got.
    pub records: u64,
    /// Records that a collector had taken after `from`, that are gone with it, and whose threads
    /// no longer own a ring: they are in no [`Sink::begin`].
    pub lost_elsewhere: u64,
}

impl OfflineSession {
    /// Opens the file of a dead JVM. One that died before its file was ready is `Ok(None)`: there
    /// is nothing in it.
    pub fn open(path: &Path) -> Result<Option<Self>, TraceError> {
        let store = Store::open(path, Access::Read)?;
        let file_len = store.len()?;
        if file_len < l::HEADER_BYTES as u64 {
            return Ok(None);
        }
        let page = store.read(0, l::HEADER_BYTES, 0)?;
        let (version, hash) =
            (u32_at(&page, l::HEADER_VERSION), u64_at(&page, l::HEADER_LAYOUT_HASH));
        let state = match preamble(
            u64_at(&page, l::HEADER_MAGIC),
            version,
            hash,
            u32_at(&page, l::HEADER_STATE),
        ) {
            Preamble::Empty | Preamble::State(JvmState::Starting) => return Ok(None),
            Preamble::NotASession => {
                return Err(TraceError::new(path, TraceErrorKind::NotASession));
            }
            Preamble::OtherLayout { version, hash } => {
                return Err(TraceError::new(path, TraceErrorKind::OtherLayout { version, hash }));
            }
            Preamble::State(state) => state,
        };
        let header =
            Header::parse(&page, file_len).map_err(|what| TraceError::damaged(path, what))?;
        let ended = state == JvmState::Ended;
        Ok(Some(Self { store, path: path.to_owned(), header, page, ended }))
    }

    /// The fixed part of the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the JVM's shutdown hook had run.
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Counts that the JVM made.
    pub fn counters(&self) -> LossCounters {
        LossCounters::read(|offset| u64_at(&self.page, offset))
    }

    /// The texts that the JVM had written.
    pub fn info(&self) -> Result<Vec<InfoEntry>, TraceError> {
        let area = self.header.info;
        Ok(info::entries(&self.at(area.offset as u64, area.len)?))
    }

    /// Calls on virtual threads, for each method that has any.
    pub fn virtual_calls(&self) -> Result<Vec<(MethodId, u64)>, TraceError> {
        let area = self.header.virtual_counts;
        let bytes = self.at(area.offset as u64, area.len)?;
        let counts = bytes.as_chunks::<8>().0.iter().map(|count| u64::from_le_bytes(*count));
        let counted = (self.header.ids.start..).zip(counts).filter(|(_, count)| *count != 0);
        Ok(counted.filter_map(|(id, count)| Some((MethodId::new(id)?, count))).collect())
    }

    /// The modes of the methods of the span, without flags, in the order of ids, as they were at
    /// the end.
    pub fn modes(&self) -> Result<Vec<u8>, TraceError> {
        let area = self.header.modes;
        let mut modes = self.at(area.offset as u64, area.len)?;
        modes.iter_mut().for_each(|mode| *mode &= l::MODE_MASK as u8);
        Ok(modes)
    }

    /// The methods whose calls read what they allocate, as they were at the end. None if there is
    /// no such choice.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn reading(&self) -> Result<Option<ReadingMethods>, TraceError> {
        let Some(area) = self.header.reading else { return Ok(None) };
        let bits = self.at(area.offset as u64, area.len)?;
        Ok(Some(ReadingMethods::new(self.header.ids, bits)))
    }

    /// State of the live session at the end.
    pub fn live_state(&self) -> LiveState {
        LiveState::of(u32_at(&self.page, l::HEADER_LIVE_STATE))
    }

    /// The offset at which the overflow file continues. Zero without one.
    fn overflow(&self) -> u64 {
        u64_at(&self.page, l::HEADER_OVERFLOW)
    }

    fn at(&self, offset: u64, len: usize) -> Result<Vec<u8>, TraceError> {
        self.store.read(offset, len, self.overflow())
    }

    /// Counted calls of the threads of the rings, up to the first damaged block.
    fn counts(&self) -> Result<HashMap<RingIx, Counts>, TraceError> {
        let mut counts: HashMap<RingIx, Counts> = HashMap::new();
        let mut at = u64_at(&self.page, l::HEADER_COUNTERS);
        while at != 0 {
            let end = self.store.part(at, self.overflow())?.end;
            if !Block::page_fits(at, &self.header, end) {
                break;
            }
            let page = self.at(at, l::COUNTERS_HEADER_BYTES as usize)?;
            let Some(block) = Block::parse(&page, at, &self.header, end) else { break };
            for place in 0..block.chunks {
                let Some((ring, number)) =
                    owner(u64_at(&page, l::COUNTERS_OWNERS as usize + place * 8))
                else {
                    continue;
                };
                let chunk = at + block.chunk(place) as u64;
                let bytes = self.at(chunk, l::CHUNK_BYTES as usize)?;
                let counters =
                    bytes.as_chunks::<8>().0.iter().map(|count| u64::from_le_bytes(*count));
                collect(number, counters, self.header.ids, counts.entry(ring).or_default());
            }
            at = block.next;
        }
        Ok(counts)
    }

    /// Gives to `sink` what is in the rings from the positions in `from` (of a checkpoint; rings
    /// that are not in it from where they were handed back), to the last committed record of
    /// each thread.
    pub fn read(
        &self,
        from: &[RingPosition],
        sink: &mut impl Sink,
    ) -> Result<OfflineOutcome, TraceError> {
        let used = u32_at(&self.page, l::HEADER_RINGS_USED).min(self.header.ring_slots);
        let size = l::DESCRIPTOR_BYTES as usize;
        let directory = self.at(self.header.directory.offset as u64, used as usize * size)?;
        let from: HashMap<RingIx, RingPosition> = from.iter().map(|at| (at.ring, *at)).collect();
        let mut counts = self.counts()?;
        let mut leftover = OfflineOutcome::default();
        for (ring, bytes) in (0..).map(RingIx).zip(directory.chunks_exact(size)) {
            match u32_at(bytes, l::DESCRIPTOR_STATE as usize) {
                l::RING_ACTIVE | l::RING_ENDED | l::RING_DRAINED => {}
                _ => continue,
            }
            let counts = counts.remove(&ring).unwrap_or_default();
            if let Err(error) =
                self.read_ring(ring, bytes, from.get(&ring), &counts, sink, &mut leftover)
            {
                sink.damaged(ring, error);
            }
        }
        Ok(leftover)
    }

    /// Gives to `sink` what the threads at the positions `of` (of a checkpoint) have counted so
    /// far, and no records. For what looks at a session that goes on.
    ///
    /// # Errors
    /// Fails if the file cannot be read.
    pub fn read_counts(&self, of: &[RingPosition], sink: &mut impl Sink) -> Result<(), TraceError> {
        let used = u32_at(&self.page, l::HEADER_RINGS_USED).min(self.header.ring_slots);
        let counts = self.counts()?;
        for at in of.iter().filter(|at| at.ring.0 < used) {
            let Some(counts) = counts.get(&at.ring).filter(|counts| !counts.is_empty()) else {
                continue;
            };
            let slot = self.header.directory.offset as u64
                + u64::from(at.ring.0) * u64::from(l::DESCRIPTOR_BYTES);
            let slot = self.at(slot, l::DESCRIPTOR_BYTES as usize)?;
            let goes_on = matches!(
                u32_at(&slot, l::DESCRIPTOR_STATE as usize),
                l::RING_ACTIVE | l::RING_ENDED
            );
            let Ok(part) = self.store.part(Descriptor::offset(&slot), self.overflow()) else {
                continue;
            };
            let Ok(descriptor) = Descriptor::parse(&slot, &self.header, part.end) else { continue };
            if !goes_on || descriptor.sequence != at.sequence {
                continue;
            }
            let head = self.at(descriptor.offset, l::RING_HEADER_BYTES as usize)?;
            sink.begin(at.ring, &descriptor.thread(&head), 0);
            sink.counted(at.ring, counts);
        }
        Ok(())
    }

    fn read_ring(
        &self,
        ring: RingIx,
        slot: &[u8],
        from: Option<&RingPosition>,
        counts: &[(MethodId, Counter)],
        sink: &mut impl Sink,
        leftover: &mut OfflineOutcome,
    ) -> Result<(), TraceError> {
        let damaged =
            |what: Problem| TraceError::damaged(&self.path, format!("ring {}: {what}", ring.0));
        let part = self.store.part(Descriptor::offset(slot), self.overflow())?;
        let descriptor = Descriptor::parse(slot, &self.header, part.end).map_err(damaged)?;
        let bytes = self.at(descriptor.offset, descriptor.mapped_bytes())?;
        let (head, data) = bytes.split_at(l::RING_HEADER_BYTES as usize);
        let thread = descriptor.thread(head);
        let consumed = u64_at(head, l::RING_CONSUMED as usize);
        if consumed > MAX_POSITION || consumed < descriptor.start {
            return Err(damaged(
                format!("consumed up to {consumed}, begun at {}", descriptor.start).into(),
            ));
        }
        // Where the reader stood when this thread got the ring, or later.
        let known = match from {
            Some(at) if at.sequence == thread.sequence => at.position.max(descriptor.start),
            // Threads that had the ring before are gone. A checkpoint that does not have the ring
            // has none of their records.
            before => {
                let lost = descriptor.start.saturating_sub(before.map_or(0, |at| at.position));
                leftover.lost_elsewhere = leftover.lost_elsewhere.saturating_add(lost);
                descriptor.start
            }
        };
        let count = descriptor.slots() as u64;
        // No record lies a ring's length beyond what was handed back.
        let begin = known.clamp(consumed, consumed + count);
        let mut words: Vec<u64> = (begin..consumed + count)
            .map(|position| u64_at(data, (position % count) as usize * l::RECORD_BYTES as usize))
            .collect();
        // Zeros before a record were taken by a collector that died before it could hand them back.
        let zeroed = words.iter().take_while(|word| **word == 0).count();
        let zeroed = if zeroed == words.len() { 0 } else { zeroed };
        words.drain(..zeroed);
        words.truncate(words.iter().position(|word| *word == 0).unwrap_or(words.len()));
        let lost = begin - known.min(begin) + zeroed as u64;
        leftover.records += words.len() as u64;
        let drained = u32_at(slot, l::DESCRIPTOR_STATE as usize) == l::RING_DRAINED;
        if drained
            && words.is_empty()
            && lost == 0
            && from.is_some_and(|at| at.sequence == thread.sequence)
        {
            // The checkpoint has this thread from beginning to end.
            return Ok(());
        }
        sink.begin(ring, &thread, lost);
        if !words.is_empty() {
            sink.records(ring, &words);
        }
        if !counts.is_empty() {
            sink.counted(ring, counts);
        }
        sink.end(ring);
        Ok(())
    }
}
