//! Session files of running JVMs, as the collector sees them.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use jfathom_plan::{MethodId, Problem};

use crate::allowance::Allowance;
use crate::counters::{Blocks, Counts};
use crate::descriptor::{Descriptor, MAX_POSITION, RingIx, RingPosition};
use crate::error::{TraceError, TraceErrorKind};
use crate::header::{Header, JvmState, LiveState, LossCounters, Preamble, preamble};
use crate::info::{self, InfoEntry};
use crate::layout as l;
use crate::map::Mapping;
use crate::reading_methods::ReadingMethods;
use crate::ring::{Consumer, Ring};
use crate::sink::Sink;
use crate::stack_interval::StackIntervalIx;
use crate::store::Store;
use jfathom_files::Access;

/// Records are handed to a sink in slices of at most this many.
const BATCH: usize = 2048;

/// The bits of a mode byte that are no flags.
const MODE_BITS: u8 = l::MODE_MASK as u8;

/// Result of opening a session file.
#[derive(Debug)]
pub enum OpenOutcome {
    /// The JVM is still making the file (or died while it did): try again.
    Starting,
    /// The file can be read.
    Ready(Box<SessionFile>),
}

/// The mapped session file of one JVM.
#[derive(Debug)]
pub struct SessionFile {
    path: PathBuf,
    store: Store,
    header: Header,
    areas: Mapping,
    rings: Vec<Slot>,
    blocks: Blocks,
    batch: Vec<u64>,
}

#[derive(Debug)]
enum Slot {
    /// No thread has had this ring so far.
    Unused,
    /// The ring is mapped.
    Mapped(Box<MappedRing>),
    /// The ring cannot be read.
    Damaged,
}

#[derive(Debug)]
struct MappedRing {
    descriptor: Descriptor,
    mapping: Mapping,
    consumer: Consumer,
    /// Whether `begin` was called for the thread and `end` was not.
    open: bool,
}

/// The ring of a mapping that holds a ring header and the descriptor's records.
fn view<'a>(mapping: &'a Mapping, descriptor: &Descriptor) -> Option<Ring<'a>> {
    let words = mapping.u64s(l::RING_HEADER_BYTES as usize, descriptor.slots())?;
    Ring::new(words, mapping.u64(l::RING_CONSUMED as usize)?)
}

impl SessionFile {
    /// Opens the file of a JVM, if it belongs to us and nobody else may use it.
    pub fn open(path: &Path) -> Result<OpenOutcome, TraceError> {
        let store = Store::open(path, Access::ReadWrite)?;
        if store.len()? < l::HEADER_BYTES as u64 {
            return Ok(OpenOutcome::Starting);
        }
        let map = |len| {
            store.part(0, 0)?.map(0, len).map_err(TraceError::io(path, "map the session file"))
        };
        let page = map(l::HEADER_BYTES)?;
        let u32_at = |offset| page.u32(offset).map_or(0, |word| word.load(Ordering::Acquire));
        let u64_at = |offset| page.u64(offset).map_or(0, |word| word.load(Ordering::Relaxed));
        let state = u32_at(l::HEADER_STATE);
        match preamble(
            u64_at(l::HEADER_MAGIC),
            u32_at(l::HEADER_VERSION),
            u64_at(l::HEADER_LAYOUT_HASH),
            state,
        ) {
            Preamble::Empty | Preamble::State(JvmState::Starting) => {
                return Ok(OpenOutcome::Starting);
            }
            Preamble::NotASession => {
                return Err(TraceError::new(path, TraceErrorKind::NotASession));
            }
            Preamble::OtherLayout { version, hash } => {
                return Err(TraceError::new(path, TraceErrorKind::OtherLayout { version, hash }));
            }
            Preamble::State(JvmState::Ready | JvmState::Ended) => {}
        }
        let bytes = page.copy(0, l::HEADER_BYTES).unwrap_or_default();
        let header =
            Header::parse(&bytes, store.len()?).map_err(|what| TraceError::damaged(path, what))?;
        let areas = map(header.areas_end())?;
        Ok(OpenOutcome::Ready(Box::new(Self {
            path: path.to_owned(),
            store,
            header,
            areas,
            rings: Vec::new(),
            blocks: Blocks::default(),
            batch: vec![0; BATCH],
        })))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The fixed part of the header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the JVM's shutdown hook has run.
    pub fn ended(&self) -> bool {
        self.areas
            .u32(l::HEADER_STATE)
            .is_some_and(|state| state.load(Ordering::Acquire) == l::STATE_ENDED)
    }

    /// Whether another process has cut the file off, or parts of it had no space: what was there
    /// reads as zeros ([`crate::guard_mappings`]).
    pub fn is_cut(&self) -> bool {
        let rings = self.rings.iter().any(|ring| match ring {
            Slot::Mapped(ring) => ring.mapping.is_cut(),
            Slot::Unused | Slot::Damaged => false,
        });
        let is_short = self.store.len().is_ok_and(|len| len < self.header.areas_end() as u64);
        rings || self.areas.is_cut() || self.blocks.are_cut() || is_short
    }

    /// Counts that the JVM makes.
    pub fn counters(&self) -> LossCounters {
        LossCounters::load(&self.areas)
    }

    /// All texts that the JVM has written so far.
    pub fn info(&self) -> Vec<InfoEntry> {
        let area = self.header.info;
        let committed = self.areas.u64(area.offset).map_or(0, |word| word.load(Ordering::Acquire));
        let len =
            committed.saturating_add(u64::from(l::INFO_ENTRIES)).min(area.len as u64) as usize;
        info::entries(&self.areas.copy(area.offset, len).unwrap_or_default())
    }

    /// Calls on virtual threads, for each method that has any.
    pub fn virtual_calls(&self) -> Vec<(MethodId, u64)> {
        let area = self.header.virtual_counts;
        let counts = self.areas.u64s(area.offset, area.len / 8).unwrap_or_default();
        let counted = (self.header.ids.start..)
            .zip(counts)
            .map(|(id, count)| (id, count.load(Ordering::Relaxed)));
        counted
            .filter(|(_, count)| *count != 0)
            .filter_map(|(id, count)| Some((MethodId::new(id)?, count)))
            .collect()
    }

    fn mode_byte(&self, id: MethodId) -> Option<&AtomicU8> {
        let area = self.header.modes;
        let modes = self.areas.bytes(area.offset, area.len)?;
        modes.get(id.get().checked_sub(self.header.ids.start)? as usize)
    }

    /// Sets the mode (`MODE_TIME`, `MODE_COUNT` or `MODE_OFF`) of a method, without its flags.
    /// False if the id is outside the span.
    pub fn set_mode(&self, id: MethodId, mode: u8) -> bool {
        let Some(byte) = self.mode_byte(id) else { return false };
        // The agent sets and clears the flags at any time.
        let with_flags = |old: u8| Some(old & !MODE_BITS | mode & MODE_BITS);
        byte.fetch_update(Ordering::AcqRel, Ordering::Acquire, with_flags).is_ok()
    }

    /// Gives a method an allowance. False if the id is outside the span. The JVM may take from the
    /// old one at the same time, and leave that.
    pub fn set_allowance(&self, id: MethodId, allowance: Allowance) -> bool {
        let store = |word: &AtomicU32| word.store(allowance.to_word(), Ordering::Release);
        self.allowance_word(id).map(store).is_some()
    }

    /// What is left of a method's allowance. None if the id is outside the span.
    pub fn allowance(&self, id: MethodId) -> Option<Allowance> {
        self.allowance_word(id).map(|word| Allowance::from_word(word.load(Ordering::Acquire)))
    }

    fn allowance_word(&self, id: MethodId) -> Option<&AtomicU32> {
        let at = id.get().checked_sub(self.header.ids.start)?;
        let is_there = at < self.header.ids.len;
        is_there.then(|| self.areas.u32(self.header.allowances.offset + 4 * at as usize))?
    }

    /// The mode of a method, without flags. None if the id is outside the span.
    pub fn mode(&self, id: MethodId) -> Option<u8> {
        self.mode_byte(id).map(|byte| byte.load(Ordering::Acquire) & MODE_BITS)
    }

    /// Has the stacks of some calls of a method walked: at the interval at this place of the table.
    /// False if the id is outside the span, or the method off.
    pub fn set_stack_walks(&self, id: MethodId, interval: StackIntervalIx) -> bool {
        let Some(byte) = self.mode_byte(id) else { return false };
        let with_walks = |old: u8| {
            let is_off = u32::from(old & MODE_BITS) == l::MODE_OFF;
            (!is_off).then_some(old | interval.mode_bits())
        };
        byte.fetch_update(Ordering::AcqRel, Ordering::Acquire, with_walks).is_ok()
    }

    /// The methods whose calls read what they allocate, as they are now. None if there is no such
    /// choice.
    pub fn reading(&self) -> Option<ReadingMethods> {
        let area = self.header.reading?;
        let bits = self.areas.copy(area.offset, area.len).unwrap_or_default();
        Some(ReadingMethods::new(self.header.ids, bits))
    }

    /// The modes of the methods of the span, without flags, in the order of ids.
    pub fn modes(&self) -> Vec<u8> {
        let area = self.header.modes;
        let modes = self.areas.bytes(area.offset, area.len).unwrap_or_default();
        modes.iter().map(|mode| mode.load(Ordering::Acquire) & MODE_BITS).collect()
    }

    /// State of the live session.
    pub fn live_state(&self) -> LiveState {
        LiveState::of(
            self.areas.u32(l::HEADER_LIVE_STATE).map_or(0, |word| word.load(Ordering::Acquire)),
        )
    }

    /// Requests the agent of a live session to restore the classes. [`Self::live_state`] says when
    /// it has.
    pub fn request_restore(&self) {
        if let Some(word) = self.areas.u32(l::HEADER_LIVE_COMMAND) {
            word.store(l::COMMAND_RESTORE, Ordering::Release);
        }
    }

    /// The process id of the attached collector, if there is one.
    pub fn collector(&self) -> Option<u32> {
        let state = self.areas.u32(l::HEADER_COLLECTOR_STATE)?.load(Ordering::Acquire);
        let pid = self.areas.u64(l::HEADER_COLLECTOR_PID)?.load(Ordering::Acquire);
        u32::try_from(pid).ok().filter(|_| state == l::COLLECTOR_ATTACHED)
    }

    /// Ticks of pauses so far, in which the agent stopped all threads.
    pub fn paused_ticks(&self) -> u64 {
        self.areas.u64(l::HEADER_PAUSED).map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// Counted calls of a ring's thread so far, in a running JVM. [`Sink::counted`] gets the final
    /// ones.
    pub fn counts(&mut self, ring: RingIx) -> Counts {
        let newest =
            self.areas.u64(l::HEADER_COUNTERS).map_or(0, |word| word.load(Ordering::Acquire));
        self.blocks.refresh(newest, &self.header, &self.store, self.overflow());
        self.blocks.of(ring, self.header.ids)
    }

    /// The offset at which the overflow file continues. Zero without one.
    fn overflow(&self) -> u64 {
        self.areas.u64(l::HEADER_OVERFLOW).map_or(0, |word| word.load(Ordering::Acquire))
    }

    /// Attaches this process (`pid`) as the collector.
    pub fn attach(&self, pid: u32) {
        self.store(l::HEADER_COLLECTOR_PID, u64::from(pid));
        self.heartbeat();
        self.set_collector(l::COLLECTOR_ATTACHED);
    }

    /// Raises the heartbeat. If it stops, a JVM that waits for room assumes that the collector is
    /// dead.
    pub fn heartbeat(&self) {
        if let Some(word) = self.areas.u64(l::HEADER_HEARTBEAT) {
            word.fetch_add(1, Ordering::Release);
        }
    }

    /// Asks the JVM to number its hand-offs from now on.
    pub fn number_hand_offs(&self) {
        if let Some(word) = self.areas.u32(l::HEADER_NUMBERED) {
            word.store(1, Ordering::Relaxed);
        }
    }

    /// Detaches the collector.
    pub fn detach(&self) {
        self.set_collector(l::COLLECTOR_GONE);
    }

    fn store(&self, offset: usize, value: u64) {
        if let Some(word) = self.areas.u64(offset) {
            word.store(value, Ordering::Relaxed);
        }
    }

    fn set_collector(&self, state: u32) {
        if let Some(word) = self.areas.u32(l::HEADER_COLLECTOR_STATE) {
            word.store(state, Ordering::Release);
        }
    }

    /// Drains the rings, at most a ring's length of each, and returns the number of records.
    pub fn drain(&mut self, sink: &mut impl Sink) -> u64 {
        self.drain_all(sink, false)
    }

    /// Drains the rest after the JVM's process has ended, and ends every thread.
    pub fn drain_offline(&mut self, sink: &mut impl Sink) -> u64 {
        self.drain_all(sink, true)
    }

    /// How far each used ring is drained, and for which thread. [`crate::offline`] continues from
    /// there.
    pub fn positions(&self) -> Vec<RingPosition> {
        let rings = (0..).map(RingIx).zip(&self.rings);
        let mapped = rings.filter_map(|(ring, slot)| match slot {
            Slot::Mapped(mapped) => Some(RingPosition {
                ring,
                sequence: mapped.descriptor.sequence,
                position: mapped.consumer.position(),
            }),
            Slot::Unused | Slot::Damaged => None,
        });
        mapped.collect()
    }

    fn drain_all(&mut self, sink: &mut impl Sink, dead: bool) -> u64 {
        let used =
            self.areas.u32(l::HEADER_RINGS_USED).map_or(0, |word| word.load(Ordering::Acquire));
        let used = used.min(self.header.ring_slots) as usize;
        if self.rings.len() < used {
            self.rings.resize_with(used, || Slot::Unused);
        }
        let mut taken = 0;
        for index in 0..used {
            let ring = RingIx(index as u32);
            match self.drain_ring(ring, sink, dead) {
                Ok(records) => taken += records as u64,
                Err(error) => {
                    if matches!(&self.rings[index], Slot::Mapped(mapped) if mapped.open) {
                        sink.end(ring);
                    }
                    self.rings[index] = Slot::Damaged;
                    sink.damaged(ring, error);
                }
            }
        }
        sink.round();
        if taken > 0
            && let Some(word) = self.areas.u64(l::HEADER_TAKEN)
        {
            // After the slots are handed back: a producer that sees it finds free slots.
            word.fetch_add(1, Ordering::Release);
        }
        taken
    }

    fn drain_ring(
        &mut self,
        ring: RingIx,
        sink: &mut impl Sink,
        dead: bool,
    ) -> Result<usize, TraceError> {
        let at = self.header.directory.offset + ring.0 as usize * l::DESCRIPTOR_BYTES as usize;
        let Some(state_word) = self.areas.u32(at + l::DESCRIPTOR_STATE as usize) else {
            return Ok(0);
        };
        // Acquire: the descriptor's fields and, once ENDED, all records of the thread are visible.
        let state = state_word.load(Ordering::Acquire);
        if !matches!(state, l::RING_ACTIVE | l::RING_ENDED) {
            return Ok(0);
        }
        let overflow = self.overflow();
        let slot = &mut self.rings[ring.0 as usize];
        match slot {
            Slot::Damaged => return Ok(0),
            Slot::Mapped(mapped) if mapped.open => {}
            Slot::Mapped(_) | Slot::Unused => {
                let bytes = self.areas.copy(at, l::DESCRIPTOR_BYTES as usize).unwrap_or_default();
                begin((&self.path, &self.store, overflow), &self.header, &bytes, ring, slot, sink)?;
            }
        }
        let Slot::Mapped(mapped) = slot else { return Ok(0) };
        let MappedRing { descriptor, mapping, consumer, open } = &mut **mapped;
        let Some(view) = view(mapping, descriptor) else { return Ok(0) };
        let taken = consumer.drain(view, &mut self.batch, |records| sink.records(ring, records));
        let empty = taken < view.len() || dead;
        if empty && (state == l::RING_ENDED || dead) {
            consumer.finish(view);
            *open = false;
            let counts = self.counts(ring);
            if !counts.is_empty() {
                sink.counted(ring, &counts);
            }
            sink.end(ring);
            let Some(state_word) = self.areas.u32(at + l::DESCRIPTOR_STATE as usize) else {
                return Ok(taken);
            };
            state_word.store(l::RING_DRAINED, Ordering::Release);
        }
        Ok(taken)
    }
}

/// Begins with the thread that a descriptor names: maps its ring unless it is the one already
/// mapped.
fn begin(
    (path, store, overflow): (&Path, &Store, u64),
    header: &Header,
    descriptor: &[u8],
    ring: RingIx,
    slot: &mut Slot,
    sink: &mut impl Sink,
) -> Result<(), TraceError> {
    let damaged = |what: Problem| TraceError::damaged(path, format!("ring {}: {what}", ring.0));
    let part = store.part(Descriptor::offset(descriptor), overflow)?;
    let descriptor = Descriptor::parse(descriptor, header, part.end).map_err(damaged)?;
    let same = matches!(&*slot, Slot::Mapped(old) if old.descriptor.offset == descriptor.offset
        && old.descriptor.ring_bytes == descriptor.ring_bytes);
    let mapping = match std::mem::replace(slot, Slot::Unused) {
        Slot::Mapped(old) if same => old.mapping,
        _ => part
            .map(descriptor.offset, descriptor.mapped_bytes())
            .map_err(TraceError::io(path, "map a ring of the session file"))?,
    };
    let thread =
        descriptor.thread(&mapping.copy(0, l::RING_HEADER_BYTES as usize).unwrap_or_default());
    let view =
        view(&mapping, &descriptor).ok_or_else(|| damaged("its records cannot be seen".into()))?;
    let consumed = view.consumed();
    if consumed > MAX_POSITION || consumed < descriptor.start {
        return Err(damaged(
            format!("consumed up to {consumed}, begun at {}", descriptor.start).into(),
        ));
    }
    let consumer = Consumer::new(view, consumed);
    sink.begin(ring, &thread, consumed - descriptor.start);
    *slot = Slot::Mapped(Box::new(MappedRing { descriptor, mapping, consumer, open: true }));
    Ok(())
}
