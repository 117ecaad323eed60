//! The header page: JVM, clock, and ranges of the areas.

use std::sync::atomic::Ordering;

use jfathom_plan::{IdRange, MethodId, Problem};

use crate::layout as l;

/// The clock of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Kind of the clock.
    pub kind: ClockKind,
    /// Why the runtime chose it: a `CLOCK_REASON_*` value.
    pub reason: u32,
    /// Ticks per second, not zero.
    pub hz: u64,
    /// Clock value from which times in records count.
    pub base_ticks: u64,
    /// Wall time at the base, in ns since the Unix epoch.
    pub base_epoch_nanos: u64,
}

/// The kinds of clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockKind {
    /// `System.nanoTime`.
    NanoTime,
    /// The time stamp counter.
    Tsc,
}

impl Clock {
    /// Whether the clock would be the processor's counter if the clock library could be used.
    pub fn lacks_library(&self) -> bool {
        matches!(self.reason, l::CLOCK_REASON_NO_LIBRARY | l::CLOCK_REASON_JDK_PROBES)
    }

    /// Why the runtime chose this clock, for the user.
    pub fn reason_text(&self) -> &'static str {
        match self.reason {
            l::CLOCK_REASON_DEFAULT => "the JVM's default",
            l::CLOCK_REASON_TSC_LIBRARY => "the processor's counter can be read",
            l::CLOCK_REASON_TSC_PAGE => "the processor's counter can be read by downcalls",
            l::CLOCK_REASON_NO_NATIVE_ACCESS => "native access is not enabled",
            l::CLOCK_REASON_NOT_INVARIANT => "the TSC is not known to be invariant",
            l::CLOCK_REASON_NO_CODE_PAGE => "no executable page could be mapped",
            l::CLOCK_REASON_ARCHITECTURE => "no counter is known for this processor or system",
            l::CLOCK_REASON_ASKED => "asked for",
            l::CLOCK_REASON_FAILED => "setting up the processor's counter failed",
            l::CLOCK_REASON_NO_LIBRARY => "the clock library could not be used",
            l::CLOCK_REASON_JDK_PROBES => {
                "the clock library could not be used, and methods of the JDK have probes"
            }
            l::CLOCK_REASON_CHECKPOINTS => "this JVM can be restored on another machine",
            _ => "for a reason that this jfathom does not know",
        }
    }
}

/// How the bytes that a thread has allocated are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AllocatedBy {
    /// From fields of the JVM's own thread structure.
    Fields,
    /// From the JVM's management bean.
    Bean,
}

impl AllocatedBy {
    /// The way for a value of `HEADER_ALLOCATED`; none if nobody has asked for allocated bytes.
    fn of(word: u32) -> Result<Option<Self>, Problem> {
        match word {
            l::ALLOCATED_NONE => Ok(None),
            l::ALLOCATED_FIELDS => Ok(Some(Self::Fields)),
            l::ALLOCATED_BEAN => Ok(Some(Self::Bean)),
            other => Err(format!("a way {other} to read allocated bytes").into()),
        }
    }
}

/// What makes a thread record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recording {
    /// Every thread from its first probe.
    Everything,
    /// Only inside roots, and in the tasks that they hand off.
    Roots,
}

/// State of the JVM's session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JvmState {
    /// The file is still being made.
    Starting,
    /// Recording.
    Ready,
    /// The shutdown hook has run.
    Ended,
}

/// State of a live session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveState {
    /// No live session: the classes were rewritten before the program ran.
    None,
    /// No root is live: its class is not loaded.
    WaitingForClass,
    /// A root is live: its next call is recorded.
    RootLive,
    /// The agent restores the classes.
    Restoring,
    /// The classes are restored. The agent does not use the file any more.
    Restored,
}

impl LiveState {
    /// The state for a value of `HEADER_LIVE_STATE`. An unknown value means no live session.
    pub(crate) fn of(word: u32) -> Self {
        match word {
            l::LIVE_WAITING => Self::WaitingForClass,
            l::LIVE_ROOT => Self::RootLive,
            l::LIVE_RESTORING => Self::Restoring,
            l::LIVE_RESTORED => Self::Restored,
            _ => Self::None,
        }
    }
}

/// The fixed part of the header of a ready file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Process id of the JVM.
    pub pid: u64,
    /// Start of the JVM, in ms since the Unix epoch.
    pub jvm_start_millis: u64,
    /// Its clock.
    pub clock: Clock,
    /// Data bytes of the rings that it makes.
    pub ring_bytes: u64,
    /// What makes a thread record.
    pub recording: Recording,
    /// How allocated bytes are read; none if they are not recorded.
    pub allocated: Option<AllocatedBy>,
    /// Whether records say for how long threads have run, by their own CPU clocks.
    pub has_thread_clock: bool,
    /// Whether records say of which classes the caught exceptions are.
    pub has_caught_classes: bool,
    /// Time of the session's end, in ticks as times of records are; none before.
    pub end_ticks: Option<u64>,
    /// The ids that mode table and virtual-thread counts cover.
    pub ids: IdRange,
    pub(crate) info: Area,
    pub(crate) modes: Area,
    /// None if all timed calls read what they allocate, or none does.
    pub(crate) reading: Option<Area>,
    pub(crate) allowances: Area,
    pub(crate) virtual_counts: Area,
    pub(crate) directory: Area,
    pub(crate) ring_slots: u32,
}

/// A range of the file, all in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Area {
    pub offset: usize,
    pub len: usize,
}

impl Area {
    pub fn end(self) -> usize {
        self.offset + self.len
    }
}

/// State of a file by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preamble {
    /// Nothing is written yet.
    Empty,
    /// Other bytes than ours.
    NotASession,
    /// Our magic with another version or hash.
    OtherLayout { version: u32, hash: u64 },
    /// Ours, in this state.
    State(JvmState),
}

pub(crate) fn preamble(magic: u64, version: u32, hash: u64, state: u32) -> Preamble {
    match (magic, state) {
        (0, _) => Preamble::Empty,
        (l::MAGIC, _) if version != l::VERSION || hash != l::LAYOUT_HASH => {
            // Magic, version and hash are three stores: until the state is set they may be half
            // there.
            if state == 0 { Preamble::Empty } else { Preamble::OtherLayout { version, hash } }
        }
        (l::MAGIC, 0) => Preamble::Empty,
        (l::MAGIC, l::STATE_STARTING) => Preamble::State(JvmState::Starting),
        (l::MAGIC, l::STATE_READY) => Preamble::State(JvmState::Ready),
        (l::MAGIC, l::STATE_ENDED) => Preamble::State(JvmState::Ended),
        _ => Preamble::NotASession,
    }
}

/// Little-endian number at `offset` of `bytes`; zero where `bytes` ends too early.
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    bytes.get(offset..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

/// Little-endian number at `offset` of `bytes`; zero where `bytes` ends too early.
pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    bytes.get(offset..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}

impl Header {
    /// Reads the page of a ready file of `file_len` bytes. An error says what is wrong.
    pub(crate) fn parse(page: &[u8], file_len: u64) -> Result<Self, Problem> {
        let u32_at = |offset| u32_at(page, offset);
        let u64_at = |offset| u64_at(page, offset);
        let ids = IdRange { start: u32_at(l::HEADER_ID_FIRST), len: u32_at(l::HEADER_ID_COUNT) };
        if u64::from(ids.start) + u64::from(ids.len) > u64::from(MethodId::MAX.get()) + 1 {
            return Err(format!(
                "the id span {} + {} leaves {} bits",
                ids.start,
                ids.len,
                MethodId::BITS
            )
            .into());
        }
        let ring_slots = u32_at(l::HEADER_RING_SLOTS);
        if ring_slots > l::RING_SLOTS_MAX {
            return Err(format!("{ring_slots} ring slots, more than {}", l::RING_SLOTS_MAX).into());
        }
        let info_bytes = u64_at(l::HEADER_INFO_BYTES);
        if !(u64::from(l::INFO_ENTRIES)..=u64::from(l::INFO_MAX_BYTES)).contains(&info_bytes) {
            return Err(format!("an info area of {info_bytes} bytes").into());
        }
        let ring_bytes = u64_at(l::HEADER_RING_BYTES);
        if !valid_ring_bytes(ring_bytes) {
            return Err(format!("rings of {ring_bytes} bytes").into());
        }
        let id_count = u64::from(ids.len);
        let area = |name: &str, offset: u64, len: u64| {
            let end = offset.checked_add(len);
            let fits = end.is_some_and(|end| end <= file_len && end <= usize::MAX as u64);
            if !fits
                || offset < l::HEADER_BYTES as u64
                || !offset.is_multiple_of(u64::from(l::AREA_ALIGN))
            {
                return Err(Problem::from(format!(
                    "the {name} at {offset}, {len} bytes, in a file of {file_len}"
                )));
            }
            Ok(Area { offset: offset as usize, len: len as usize })
        };
        let reading = match u64_at(l::HEADER_READING_OFFSET) {
            0 => None,
            at => Some(area("reading table", at, reading_bytes(ids))?),
        };
        let header = Self {
            pid: u64_at(l::HEADER_PID),
            jvm_start_millis: u64_at(l::HEADER_JVM_START_MILLIS),
            clock: clock(page)?,
            ring_bytes,
            recording: match u32_at(l::HEADER_RECORDING) {
                l::RECORDING_EVERYTHING => Recording::Everything,
                l::RECORDING_ROOTS => Recording::Roots,
                other => return Err(format!("recording kind {other}").into()),
            },
            allocated: AllocatedBy::of(u32_at(l::HEADER_ALLOCATED))?,
            has_thread_clock: u32_at(l::HEADER_THREAD_CLOCK) == 1,
            has_caught_classes: u32_at(l::HEADER_CAUGHT) == 1,
            end_ticks: Some(u64_at(l::HEADER_END)).filter(|ticks| *ticks != 0),
            ids,
            info: area("info area", u64_at(l::HEADER_INFO_OFFSET), info_bytes)?,
            modes: area("mode table", u64_at(l::HEADER_MODES_OFFSET), id_count)?,
            reading,
            allowances: area("allowances", u64_at(l::HEADER_ALLOWANCES_OFFSET), id_count * 4)?,
            virtual_counts: area(
                "virtual-thread counts",
                u64_at(l::HEADER_VIRTUAL_OFFSET),
                id_count * 8,
            )?,
            directory: area(
                "ring directory",
                u64_at(l::HEADER_DIRECTORY_OFFSET),
                u64::from(ring_slots) * u64::from(l::DESCRIPTOR_BYTES),
            )?,
            ring_slots,
        };
        let mut areas: Vec<Area> = header.areas().collect();
        areas.sort_by_key(|area| (area.offset, area.len));
        match areas.windows(2).all(|pair| pair[0].end() <= pair[1].offset) {
            true => Ok(header),
            false => Err("areas overlap".into()),
        }
    }

    /// End of the last area; rings lie beyond.
    pub(crate) fn areas_end(&self) -> usize {
        self.areas().map(Area::end).max().unwrap_or_default()
    }

    fn areas(&self) -> impl Iterator<Item = Area> {
        let areas = [self.info, self.modes, self.virtual_counts, self.directory, self.allowances];
        areas.into_iter().chain(self.reading)
    }
}

/// The size of the reading table for these ids.
fn reading_bytes(ids: IdRange) -> u64 {
    u64::from(ids.len).div_ceil(1 << l::READING_SHIFT) * size_of::<u32>() as u64
}

fn clock(page: &[u8]) -> Result<Clock, Problem> {
    let hz = u64_at(page, l::HEADER_CLOCK_HZ);
    let kind = match u32_at(page, l::HEADER_CLOCK_KIND) {
        l::CLOCK_NANO_TIME => ClockKind::NanoTime,
        l::CLOCK_TSC => ClockKind::Tsc,
        other => return Err(format!("clock kind {other}").into()),
    };
    // 100 GHz: beyond any clock, and small enough that conversions to nanoseconds stay within 128
    // bits.
    if !(1..=100_000_000_000).contains(&hz) {
        return Err(format!("a clock of {hz} Hz").into());
    }
    Ok(Clock {
        kind,
        reason: u32_at(page, l::HEADER_CLOCK_REASON),
        hz,
        base_ticks: u64_at(page, l::HEADER_CLOCK_BASE_TICKS),
        base_epoch_nanos: u64_at(page, l::HEADER_CLOCK_BASE_EPOCH_NANOS),
    })
}

/// Whether a ring may have this many data bytes.
pub(crate) fn valid_ring_bytes(bytes: u64) -> bool {
    bytes.is_power_of_two()
        && (u64::from(l::RING_BYTES_MIN)..=u64::from(l::RING_BYTES_MAX)).contains(&bytes)
}

/// Counts of the JVM for the whole session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LossCounters {
    /// Records that were dropped because the collector had left.
    pub lost_records: u64,
    /// Threads that got no ring because there was no space.
    pub lost_rings: u64,
    /// Calls on virtual threads.
    pub virtual_calls: u64,
    /// Hand-offs to other threads, followed or not.
    pub handed_off: u64,
    /// Hand-offs to other threads that could not be followed.
    pub not_followed: u64,
    /// Further copies of the runtime.
    pub second_runtimes: u64,
    /// Threads that have had a ring.
    pub threads_seen: u64,
    /// Calls of ids outside the span.
    pub outside_span: u64,
    /// Info entries that did not fit.
    pub info_dropped: u64,
    /// Ring waits.
    pub waits: u64,
    /// Calls of counted methods that found no space for their counter.
    pub lost_counts: u64,
    /// Records that were dropped because the collector freed no slot in time.
    pub lost_waiting: u64,
    /// Records of threads that got no ring.
    pub lost_ringless: u64,
    /// Exits that were dropped because the thread's stack was full.
    pub lost_overflow: u64,
    /// Threads that got no ring because there were too many.
    pub lost_threads: u64,
    /// Ends of the live session because the collector's heartbeat stopped.
    pub silent_ends: u64,
    /// Bytes that carriers have allocated between the records of two threads.
    pub unattributed_bytes: u64,
}

impl LossCounters {
    /// What has come since an earlier look.
    #[must_use]
    pub fn since(self, before: &Self) -> Self {
        Self {
            lost_records: self.lost_records.saturating_sub(before.lost_records),
            lost_rings: self.lost_rings.saturating_sub(before.lost_rings),
            virtual_calls: self.virtual_calls.saturating_sub(before.virtual_calls),
            handed_off: self.handed_off.saturating_sub(before.handed_off),
            not_followed: self.not_followed.saturating_sub(before.not_followed),
            second_runtimes: self.second_runtimes.saturating_sub(before.second_runtimes),
            threads_seen: self.threads_seen.saturating_sub(before.threads_seen),
            outside_span: self.outside_span.saturating_sub(before.outside_span),
            info_dropped: self.info_dropped.saturating_sub(before.info_dropped),
            waits: self.waits.saturating_sub(before.waits),
            lost_counts: self.lost_counts.saturating_sub(before.lost_counts),
            lost_waiting: self.lost_waiting.saturating_sub(before.lost_waiting),
            lost_ringless: self.lost_ringless.saturating_sub(before.lost_ringless),
            lost_overflow: self.lost_overflow.saturating_sub(before.lost_overflow),
            lost_threads: self.lost_threads.saturating_sub(before.lost_threads),
            silent_ends: self.silent_ends.saturating_sub(before.silent_ends),
            unattributed_bytes: self.unattributed_bytes.saturating_sub(before.unattributed_bytes),
        }
    }

    pub(crate) fn read(word: impl Fn(usize) -> u64) -> Self {
        Self {
            lost_records: word(l::HEADER_LOST_RECORDS),
            lost_rings: word(l::HEADER_LOST_RINGS),
            virtual_calls: word(l::HEADER_VIRTUAL_CALLS),
            handed_off: word(l::HEADER_HAND_OFFS),
            not_followed: word(l::HEADER_UNFOLLOWED_HAND_OFFS),
            second_runtimes: word(l::HEADER_DUPLICATE_RUNTIMES),
            threads_seen: word(l::HEADER_THREADS_SEEN),
            outside_span: word(l::HEADER_OUTSIDE_SPAN),
            info_dropped: word(l::HEADER_INFO_DROPPED),
            waits: word(l::HEADER_WAITS),
            lost_counts: word(l::HEADER_LOST_COUNTS),
            lost_waiting: word(l::HEADER_LOST_WAITING),
            lost_ringless: word(l::HEADER_LOST_RINGLESS),
            lost_overflow: word(l::HEADER_LOST_OVERFLOW),
            lost_threads: word(l::HEADER_LOST_THREADS),
            silent_ends: word(l::HEADER_SILENT_ENDS),
            unattributed_bytes: word(l::HEADER_UNATTRIBUTED_BYTES),
        }
    }

    pub(crate) fn load(mapping: &crate::map::Mapping) -> Self {
        Self::read(|offset| mapping.u64(offset).map_or(0, |word| word.load(Ordering::Relaxed)))
    }
}
