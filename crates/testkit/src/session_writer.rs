//! Session files made the way the JVM makes them, for tests and benches of all that reads them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use jfathom_plan::{IdRange, MethodId};

use jfathom_session::{JvmFile, JvmIdentity};
use jfathom_trace::layout as l;
use jfathom_trace::map::Mapping;
use jfathom_trace::producer::Producer;
use jfathom_trace::record::Record;
use jfathom_trace::ring::Ring;
use jfathom_trace::{Clock, ClockKind, Recording, SessionDir};

/// Counter chunks of a block: few, so that there are several blocks.
const CHUNKS: usize = 2;

/// What a session file is made of.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Process id of the JVM.
    pub pid: u64,
    /// Start of the JVM, milliseconds since the epoch.
    pub jvm_start_millis: u64,
    /// Its clock.
    pub clock: Clock,
    /// Data bytes of each ring.
    pub ring_bytes: u64,
    /// Most rings.
    pub ring_slots: u32,
    /// What makes a thread record.
    pub recording: Recording,
    /// The ids of mode table and virtual-thread counts.
    pub ids: IdRange,
}

impl Default for NewSession {
    fn default() -> Self {
        let kind = ClockKind::NanoTime;
        Self {
            pid: 1,
            jvm_start_millis: 1_000,
            clock: Clock {
                kind,
                reason: 0,
                hz: 1_000_000_000,
                base_ticks: 0,
                base_epoch_nanos: 1_000_000_000,
            },
            ring_bytes: 4096,
            ring_slots: 16,
            recording: Recording::Everything,
            ids: IdRange { start: 0, len: 64 },
        }
    }
}

/// The writing side of a session file.
#[derive(Debug)]
pub struct SessionWriter {
    path: PathBuf,
    file: File,
    areas: Arc<Mapping>,
    session: NewSession,
    directory: usize,
    info: usize,
    virtual_counts: usize,
    allowances: usize,
    modes: usize,
    threads: u64,
    rings: Vec<Arc<Mapping>>,
    /// The blocks' offsets and mappings, oldest first.
    blocks: Vec<(u64, Arc<Mapping>)>,
    /// By ring and chunk number: the index of the counter chunk, counted over all blocks.
    chunks: HashMap<(usize, u32), usize>,
}

impl SessionWriter {
    /// Makes the file in state `STATE_STARTING`; [`Self::ready`] opens it to readers.
    pub fn create(dir: &SessionDir, session: NewSession) -> io::Result<Self> {
        let jvm = JvmIdentity { pid: session.pid, start_millis: session.jvm_start_millis };
        let path = dir.path().join(jvm.file_name(JvmFile::Session));
        let mut file = jfathom_files::create(&path, 0o600)?;
        let page = |bytes: usize| bytes.next_multiple_of(l::AREA_ALIGN as usize);
        let ids = session.ids.len as usize;
        let info = l::HEADER_BYTES;
        let modes = info + page(l::INFO_DEFAULT_BYTES as usize);
        let virtual_counts = modes + page(ids);
        let allowances = virtual_counts + page(ids * 8);
        let directory = allowances + page(ids * 4);
        let end = directory + page(session.ring_slots as usize * l::DESCRIPTOR_BYTES as usize);
        grow(&mut file, end)?;
        let areas = Arc::new(Mapping::new(&file, 0, end)?);
        let (rings, blocks, chunks) = Default::default();
        let writer = Self {
            path,
            file,
            areas,
            directory,
            info,
            virtual_counts,
            allowances,
            modes,
            session,
            threads: 0,
            rings,
            blocks,
            chunks,
        };
        writer.write_header();
        Ok(writer)
    }

    fn write_header(&self) {
        let (session, clock) = (&self.session, &self.session.clock);
        self.set_u64(l::HEADER_MAGIC, l::MAGIC);
        self.set_u32(l::HEADER_VERSION, l::VERSION);
        self.set_u64(l::HEADER_LAYOUT_HASH, l::LAYOUT_HASH);
        self.set_u32(l::HEADER_STATE, l::STATE_STARTING);
        self.set_u64(l::HEADER_PID, session.pid);
        self.set_u64(l::HEADER_JVM_START_MILLIS, session.jvm_start_millis);
        let kind = match clock.kind {
            ClockKind::NanoTime => l::CLOCK_NANO_TIME,
            ClockKind::Tsc => l::CLOCK_TSC,
        };
        self.set_u32(l::HEADER_CLOCK_KIND, kind);
        self.set_u32(l::HEADER_CLOCK_REASON, clock.reason);
        self.set_u64(l::HEADER_CLOCK_HZ, clock.hz);
        self.set_u64(l::HEADER_CLOCK_BASE_TICKS, clock.base_ticks);
        self.set_u64(l::HEADER_CLOCK_BASE_EPOCH_NANOS, clock.base_epoch_nanos);
        self.set_u64(l::HEADER_RING_BYTES, session.ring_bytes);
        let recording = match session.recording {
            Recording::Everything => l::RECORDING_EVERYTHING,
            Recording::Roots => l::RECORDING_ROOTS,
        };
        self.set_u32(l::HEADER_RECORDING, recording);
        self.set_u32(l::HEADER_ID_FIRST, session.ids.start);
        self.set_u32(l::HEADER_ID_COUNT, session.ids.len);
        self.set_u32(l::HEADER_RING_SLOTS, session.ring_slots);
        self.set_u64(l::HEADER_INFO_OFFSET, self.info as u64);
        self.set_u64(l::HEADER_INFO_BYTES, u64::from(l::INFO_DEFAULT_BYTES));
        self.set_u64(l::HEADER_MODES_OFFSET, self.modes as u64);
        self.set_u64(l::HEADER_VIRTUAL_OFFSET, self.virtual_counts as u64);
        self.set_u64(l::HEADER_ALLOWANCES_OFFSET, self.allowances as u64);
        self.set_u64(l::HEADER_DIRECTORY_OFFSET, self.directory as u64);
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the file to readers.
    pub fn ready(&self) {
        self.set_u32(l::HEADER_STATE, l::STATE_READY);
    }

    /// Marks the clean end.
    pub fn end(&self) {
        self.set_u32(l::HEADER_STATE, l::STATE_ENDED);
    }

    /// Appends a text; false if it does not fit.
    pub fn info(&self, kind: u32, text: &str) -> bool {
        let committed = self.get_u64(self.info) as usize;
        let entry = (l::INFO_ENTRY_TEXT as usize + text.len())
            .next_multiple_of(l::INFO_ENTRY_ALIGN as usize);
        let at = self.info + l::INFO_ENTRIES as usize + committed;
        if at + entry > self.info + l::INFO_DEFAULT_BYTES as usize {
            return false;
        }
        self.set_u32(at + l::INFO_ENTRY_KIND as usize, kind);
        self.set_u32(at + l::INFO_ENTRY_LENGTH as usize, text.len() as u32);
        set_bytes(&self.areas, at + l::INFO_ENTRY_TEXT as usize, text.as_bytes());
        self.set_u64(self.info, (committed + entry) as u64);
        true
    }

    /// Adds to a counter (`HEADER_*` offset).
    pub fn count(&self, counter: usize, add: u64) {
        if let Some(word) = self.areas.u64(counter) {
            word.fetch_add(add, Ordering::Relaxed);
        }
    }

    /// Adds to the virtual-thread count of a method.
    pub fn count_virtual(&self, id: MethodId, add: u64) {
        if self.session.ids.contains(id) {
            self.count(self.virtual_counts + (id.get() - self.session.ids.start) as usize * 8, add);
        }
        self.count(l::HEADER_VIRTUAL_CALLS, add);
    }

    /// The mode byte of a method with its flags, as a probe would read it.
    pub fn mode(&self, id: MethodId) -> Option<u8> {
        Some(self.mode_byte(id)?.load(Ordering::Acquire))
    }

    /// Sets or clears the flag `MODE_FIRST_CALL` of a method, as the agent does.
    pub fn set_first_call(&self, id: MethodId, waits: bool) {
        let Some(byte) = self.mode_byte(id) else { return };
        match waits {
            true => byte.fetch_or(l::MODE_FIRST_CALL as u8, Ordering::AcqRel),
            false => byte.fetch_and(!(l::MODE_FIRST_CALL as u8), Ordering::AcqRel),
        };
    }

    /// Adds to the ticks for which all threads were held up, as the agent does.
    pub fn pause_all(&self, ticks: u64) {
        self.count(l::HEADER_PAUSED, ticks);
        if let Some(word) = self.areas.u32(l::HEADER_PAUSES) {
            word.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Sets the state of a live session (`LIVE_*`).
    pub fn set_live_state(&self, state: u32) {
        self.set_u32(l::HEADER_LIVE_STATE, state);
    }

    /// The collector's command to the agent (`COMMAND_*`).
    pub fn live_command(&self) -> u32 {
        self.areas.u32(l::HEADER_LIVE_COMMAND).map_or(0, |word| word.load(Ordering::Acquire))
    }

    fn mode_byte(&self, id: MethodId) -> Option<&AtomicU8> {
        let index = id.get().checked_sub(self.session.ids.start)?;
        let modes = self.areas.bytes(self.modes, self.session.ids.len as usize)?;
        modes.get(index as usize)
    }

    /// Adds to a thread's counter of a method: calls without a record.
    pub fn count_call(&mut self, thread: &ThreadWriter, id: MethodId, add: u64) -> io::Result<()> {
        let number = id.get() >> l::CHUNK_SHIFT;
        let place = match self.chunks.get(&(thread.ring, number)) {
            Some(place) => *place,
            None => {
                let place = self.chunks.len();
                if place == self.blocks.len() * CHUNKS {
                    self.new_block()?;
                }
                self.chunks.insert((thread.ring, number), place);
                let word = (thread.ring as u64 + 1) << 32 | u64::from(number);
                let owner = l::COUNTERS_OWNERS as usize + place % CHUNKS * 8;
                if let Some(owner) = self.blocks[place / CHUNKS].1.u64(owner) {
                    owner.store(word, Ordering::Release);
                }
                place
            }
        };
        let within = place % CHUNKS * l::CHUNK_BYTES as usize
            + (id.get() as usize & ((1 << l::CHUNK_SHIFT) - 1)) * 8;
        if let Some(counter) =
            self.blocks[place / CHUNKS].1.u64(l::COUNTERS_HEADER_BYTES as usize + within)
        {
            counter.store(counter.load(Ordering::Relaxed) + add, Ordering::Relaxed);
        }
        Ok(())
    }

    fn new_block(&mut self) -> io::Result<()> {
        let offset = self.file.metadata()?.len();
        let bytes = l::COUNTERS_HEADER_BYTES as usize + CHUNKS * l::CHUNK_BYTES as usize;
        grow(&mut self.file, bytes)?;
        let block = Mapping::new(&self.file, offset, bytes)?;
        if let (Some(next), Some(count)) =
            (block.u64(l::COUNTERS_NEXT as usize), block.u32(l::COUNTERS_CHUNKS as usize))
        {
            next.store(self.blocks.last().map_or(0, |(offset, _)| *offset), Ordering::Relaxed);
            count.store(CHUNKS as u32, Ordering::Relaxed);
        }
        self.blocks.push((offset, Arc::new(block)));
        self.set_u64(l::HEADER_COUNTERS, offset);
        Ok(())
    }

    /// Clears the counts of the thread that had the ring before.
    fn clear_counts(&self, ring: usize) {
        for (_, place) in self.chunks.iter().filter(|((owner, _), _)| *owner == ring) {
            let chunk =
                l::COUNTERS_HEADER_BYTES as usize + place % CHUNKS * l::CHUNK_BYTES as usize;
            let counters =
                self.blocks[place / CHUNKS].1.u64s(chunk, 1 << l::CHUNK_SHIFT).unwrap_or_default();
            counters.iter().for_each(|counter| counter.store(0, Ordering::Relaxed));
        }
    }

    /// The collector's state (`COLLECTOR_*`) and heartbeat.
    pub fn collector(&self) -> (u32, u64) {
        let state = self
            .areas
            .u32(l::HEADER_COLLECTOR_STATE)
            .map_or(0, |word| word.load(Ordering::Acquire));
        (state, self.get_u64(l::HEADER_HEARTBEAT))
    }

    /// A new thread: on a ring that was drained, else on a new one. Its first record is written.
    pub fn thread(&mut self, name: &str, thread_id: u64) -> io::Result<ThreadWriter> {
        let drained = (0..self.rings.len()).find(|ring| self.ring_state(*ring) == l::RING_DRAINED);
        let ring = match drained {
            Some(ring) => ring,
            None => self.new_ring()?,
        };
        self.clear_counts(ring);
        let mapping = Arc::clone(&self.rings[ring]);
        let name = &name.as_bytes()[..name.len().min(l::RING_NAME_MAX as usize)];
        if let Some(length) = mapping.u32(l::RING_NAME_LENGTH as usize) {
            length.store(name.len() as u32, Ordering::Relaxed);
        }
        set_bytes(&mapping, l::RING_NAME as usize, name);
        self.threads += 1;
        self.count(l::HEADER_THREADS_SEEN, 1);
        let at = self.descriptor(ring);
        let producer = view(&mapping)
            .map(Producer::new)
            .ok_or_else(|| io::Error::other("no ring in the mapping"))?;
        self.set_u64(at + l::DESCRIPTOR_SEQUENCE as usize, self.threads);
        self.set_u64(at + l::DESCRIPTOR_THREAD_ID as usize, thread_id);
        self.set_u64(at + l::DESCRIPTOR_START as usize, producer.position());
        let (areas, state) = (Arc::clone(&self.areas), at + l::DESCRIPTOR_STATE as usize);
        let mut writer = ThreadWriter { areas, ring, state, mapping, producer, high: 0 };
        writer.push(Record::ThreadStart { high: 0, sequence: self.threads as u32 });
        self.set_u32(state, l::RING_ACTIVE);
        Ok(writer)
    }

    fn new_ring(&mut self) -> io::Result<usize> {
        let ring = self.rings.len();
        if ring >= self.session.ring_slots as usize {
            self.count(l::HEADER_LOST_RINGS, 1);
            return Err(io::Error::other("the ring directory is full"));
        }
        let offset = self.file.metadata()?.len();
        let bytes = l::RING_HEADER_BYTES as usize + self.session.ring_bytes as usize;
        grow(&mut self.file, bytes)?;
        self.rings.push(Arc::new(Mapping::new(&self.file, offset, bytes)?));
        let at = self.descriptor(ring);
        self.set_u64(at + l::DESCRIPTOR_OFFSET as usize, offset);
        self.set_u64(at + l::DESCRIPTOR_RING_BYTES as usize, self.session.ring_bytes);
        self.set_u32(l::HEADER_RINGS_USED, self.rings.len() as u32);
        Ok(ring)
    }

    fn descriptor(&self, ring: usize) -> usize {
        self.directory + ring * l::DESCRIPTOR_BYTES as usize
    }

    fn ring_state(&self, ring: usize) -> u32 {
        let word = self.areas.u32(self.descriptor(ring) + l::DESCRIPTOR_STATE as usize);
        word.map_or(l::RING_FREE, |word| word.load(Ordering::Acquire))
    }

    fn set_u32(&self, offset: usize, value: u32) {
        if let Some(word) = self.areas.u32(offset) {
            word.store(value, Ordering::Release);
        }
    }

    fn set_u64(&self, offset: usize, value: u64) {
        if let Some(word) = self.areas.u64(offset) {
            word.store(value, Ordering::Release);
        }
    }

    fn get_u64(&self, offset: usize) -> u64 {
        self.areas.u64(offset).map_or(0, |word| word.load(Ordering::Acquire))
    }
}

/// The writing side of one thread's ring.
#[derive(Debug)]
pub struct ThreadWriter {
    areas: Arc<Mapping>,
    ring: usize,
    /// Offset of the descriptor's state.
    state: usize,
    mapping: Arc<Mapping>,
    producer: Producer,
    /// High bits of the last time, as the consumer knows them.
    high: u32,
}

impl ThreadWriter {
    /// Writes one record; false if the ring is full.
    pub fn push(&mut self, record: Record) -> bool {
        self.push_word(record.encode())
    }

    /// Writes one word, whatever it is (but not zero); false if the ring is full.
    pub fn push_word(&mut self, word: u64) -> bool {
        view(&self.mapping).is_some_and(|ring| self.producer.push(ring, word))
    }

    /// Writes a record made from a time's low bits, after new high bits where they are needed;
    /// yields while the ring is full.
    pub fn push_timed(&mut self, time: u64, record: impl Fn(u64) -> Record) {
        let high = (time >> l::TIME_BITS) as u32;
        if high != self.high {
            self.push_blocking(Record::TimeHigh { high });
            self.high = high;
        }
        self.push_blocking(record(time));
    }

    /// Writes one record; yields while the ring is full.
    pub fn push_blocking(&mut self, record: Record) {
        while !self.push(record) {
            std::thread::yield_now();
        }
    }

    /// Ends the thread: writes its last record and gives the ring to the consumer.
    pub fn end(mut self) {
        self.push_blocking(Record::ThreadEnd);
        if let Some(word) = self.areas.u32(self.state) {
            word.store(l::RING_ENDED, Ordering::Release);
        }
    }
}

fn view(mapping: &Mapping) -> Option<Ring<'_>> {
    let slots = (mapping.len() - l::RING_HEADER_BYTES as usize) / l::RECORD_BYTES as usize;
    Ring::new(
        mapping.u64s(l::RING_HEADER_BYTES as usize, slots)?,
        mapping.u64(l::RING_CONSUMED as usize)?,
    )
}

fn set_bytes(mapping: &Mapping, offset: usize, bytes: &[u8]) {
    for (to, from) in mapping.bytes(offset, bytes.len()).unwrap_or_default().iter().zip(bytes) {
        to.store(*from, Ordering::Relaxed);
    }
}

/// Appends zeros, at least `bytes` of them and up to a whole page, so that the space is really
/// there.
fn grow(file: &mut File, bytes: usize) -> io::Result<()> {
    file.write_all(&vec![0; bytes.next_multiple_of(l::AREA_ALIGN as usize)])
}
