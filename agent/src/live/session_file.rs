//! The session file: how it grows, and the words of its header.

use crate::ffi::{AddressRange, SessionClock};
use crate::lock::lock;
use crate::session_paths::SessionPaths;
use jfathom_files::free_bytes_of;
use jfathom_trace::layout as l;
use std::fs::File;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bytes that stay free for others on a full file system, if the overflow file's has more space.
const RESERVE: u64 = 16 << 20;
const NANOS_PER_SECOND: u128 = 1_000_000_000;

/// The session file, mapped from the beginning of the address range.
pub struct SessionFile {
    file: File,
    paths: SessionPaths,
    range: &'static AddressRange,
    growth: Mutex<Growth>,
}

/// Size of the session file, which grows.
#[derive(Default)]
struct Growth {
    /// Bytes so far, all of them mapped.
    length: u64,
    /// The overflow file, once it is in use.
    overflow: Option<File>,
    /// Whether the overflow file is in use, or cannot be had.
    tried_overflow: bool,
}

impl SessionFile {
    pub fn new(file: File, paths: SessionPaths, range: &'static AddressRange) -> Self {
        Self { file, paths, range, growth: Mutex::default() }
    }

    /// Appends zeros to the session file, or to its overflow file, and maps them. Returns their
    /// offset; none if there is no space.
    pub fn grow(&self, bytes: u64) -> Option<u64> {
        let page = u64::from(l::AREA_ALIGN);
        let mut growth = lock(&self.growth);
        let from = growth.length;
        let bytes = bytes.checked_next_multiple_of(page)?;
        let to = from.checked_add(bytes)?;
        // The header is the session file's, however little space there is.
        if from != 0
            && growth.overflow.is_none()
            && self.free_bytes(None).is_none_or(|free| free < RESERVE + bytes)
        {
            self.use_overflow(&mut growth);
        }
        let file = growth.overflow.as_ref().unwrap_or(&self.file);
        if self.range.map(file, from, to).is_err() {
            if from == 0 || growth.overflow.is_some() {
                return None;
            }
            self.use_overflow(&mut growth);
            self.range.map(growth.overflow.as_ref()?, from, to).ok()?;
        }
        growth.length = to;
        if from == 0 {
            // Before any process can know that the file is ready.
            self.set_state(l::LIVE_WAITING);
        }
        Some(from)
    }

    /// Bytes by which the session file and its overflow file may grow.
    pub fn space(&self) -> u64 {
        let growth = lock(&self.growth);
        let here = self.free_bytes(growth.overflow.as_ref()).unwrap_or(0);
        let other = self
            .paths
            .overflow_dir()
            .filter(|_| !growth.tried_overflow)
            .and_then(|dir| jfathom_files::free_bytes(&dir));
        here.saturating_add(other.unwrap_or(0))
    }

    fn free_bytes(&self, overflow: Option<&File>) -> Option<u64> {
        free_bytes_of(overflow.unwrap_or(&self.file))
    }

    /// Continues in the overflow file, if its file system has more space.
    fn use_overflow(&self, growth: &mut Growth) {
        if std::mem::replace(&mut growth.tried_overflow, true) {
            return;
        }
        let Some(there) = self.paths.overflow_dir().and_then(|dir| jfathom_files::free_bytes(&dir))
        else {
            return;
        };
        if self.free_bytes(None).is_some_and(|here| there <= here) {
            return;
        }
        let (Ok(file), Some(word)) =
            (self.paths.create_overflow(), self.word64(l::HEADER_OVERFLOW))
        else {
            return;
        };
        word.store(growth.length, Ordering::Release);
        growth.overflow = Some(file);
    }

    /// Writes `HEADER_LIVE_STATE`.
    pub fn set_state(&self, state: u32) {
        if let Some(word) = self.word32(l::HEADER_LIVE_STATE) {
            word.store(state, Ordering::Release);
        }
    }

    /// A 32-bit word of the header; none before the file is mapped.
    pub fn word32(&self, offset: usize) -> Option<&'static AtomicU32> {
        self.range.u32(offset as u64)
    }

    /// A 64-bit word of the header; none before the file is mapped.
    pub fn word64(&self, offset: usize) -> Option<&'static AtomicU64> {
        self.range.u64(offset as u64)
    }

    /// The session's clock; none before the file is mapped.
    pub fn clock(&self) -> Option<SessionClock> {
        self.word32(l::HEADER_CLOCK_KIND).map(|kind| match kind.load(Ordering::Acquire) {
            l::CLOCK_TSC => SessionClock::Counter,
            _ => SessionClock::NanoTime,
        })
    }

    /// The addresses that the file is mapped to.
    pub fn range(&self) -> &'static AddressRange {
        self.range
    }

    /// All threads stood still for so long: excluded time.
    pub fn add_pause(&self, nanos: u64) {
        let (Some(paused), Some(pauses), Some(hz)) = (
            self.word64(l::HEADER_PAUSED),
            self.word32(l::HEADER_PAUSES),
            self.word64(l::HEADER_CLOCK_HZ),
        ) else {
            return;
        };
        let hz = hz.load(Ordering::Relaxed);
        let ticks = u128::from(nanos) * u128::from(hz) / NANOS_PER_SECOND;
        paused.fetch_add(u64::try_from(ticks).unwrap_or(u64::MAX), Ordering::AcqRel);
        pauses.fetch_add(1, Ordering::AcqRel);
    }
}
