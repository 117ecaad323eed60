//! A chunk: its header, and where its events begin and end.

use crate::{
    bytes::Bytes,
    error::{JfrError, Problem},
};
use std::{
    io::{ErrorKind, Read},
    ops::Range,
};

/// The largest chunk that is read, in bytes. The JDK begins a new chunk at 12 MiB unless it is told
/// otherwise.
pub const CHUNK_LIMIT: u64 = 1 << 30;

/// Bytes of the header. Its numbers are big-endian and never compressed.
const HEADER: usize = 68;
/// How the first bytes read.
const MAGIC: &[u8] = b"FLR\0";
/// The version that can be read.
const MAJOR: u16 = 2;
/// Where the header has the chunk's length.
const SIZE: Range<usize> = 8..16;
/// Where it has the ticks of JFR's clock in a second.
const TICKS_PER_SECOND: Range<usize> = 56..64;
/// Where it has the state: zero in a chunk that is complete.
const STATE: usize = 64;
/// Where it has the flags.
const FLAGS: usize = 67;
/// The flag of compressed numbers.
const COMPRESSED: u8 = 1;

/// The bytes of one chunk.
#[derive(Debug)]
pub(crate) struct Chunk {
    bytes: Vec<u8>,
    is_compressed: bool,
    /// Whether the JVM still wrote it when the file was copied, or when the JVM was killed.
    pub is_unfinished: bool,
}

/// One event: its type's number, and where it stands in the chunk.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub of: u64,
    /// What follows the type.
    pub fields: Range<usize>,
}

impl Chunk {
    /// Reads the next chunk of a file. None at its end.
    ///
    /// # Errors
    /// Fails if the file has something else there, or ends before the chunk.
    pub fn read(input: &mut dyn Read, at: u64) -> Result<Option<Self>, JfrError> {
        let error = |problem| JfrError { at, problem };
        let mut header = Vec::with_capacity(HEADER);
        fill(input, HEADER as u64, &mut header).map_err(error)?;
        if header.is_empty() {
            return Ok(None);
        }
        if !header.starts_with(&MAGIC[..MAGIC.len().min(header.len())]) {
            return Err(error(Problem::NoChunk));
        }
        if header.len() < HEADER {
            return Err(error(Problem::Truncated));
        }
        let number = |place| big_endian(&header, place);
        let (major, minor) = (number(4..6) as u16, number(6..8) as u16);
        if major != MAJOR {
            return Err(error(Problem::Version(major, minor)));
        }
        let size = number(SIZE);
        let (is_compressed, is_unfinished) =
            (header[FLAGS] & COMPRESSED != 0, header[STATE] != 0 || size == 0);
        if size > CHUNK_LIMIT {
            return Err(error(Problem::TooLarge(size)));
        }
        let mut bytes = header;
        let body = size.saturating_sub(HEADER as u64);
        fill(input, body, &mut bytes).map_err(error)?;
        if (bytes.len() as u64) < size {
            return Err(error(Problem::Truncated));
        }
        if size < HEADER as u64 && !is_unfinished {
            return Err(error(Problem::Damaged("a chunk that is smaller than its header")));
        }
        Ok(Some(Self { bytes, is_compressed, is_unfinished }))
    }

    /// Bytes of the chunk.
    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Ticks of JFR's clock in a second; none if the header says none.
    pub fn ticks_per_second(&self) -> Option<u64> {
        Some(big_endian(&self.bytes, TICKS_PER_SECOND)).filter(|ticks| *ticks > 0)
    }

    /// What stands at a place.
    pub fn bytes(&self, place: Range<usize>) -> Bytes<'_> {
        Bytes::new(self.bytes.get(place).unwrap_or_default(), self.is_compressed)
    }

    /// Calls `visit` with each event in order, up to the first error.
    pub fn events(
        &self,
        visit: &mut dyn FnMut(Event) -> Result<(), Problem>,
    ) -> Result<(), (usize, Problem)> {
        let mut start = HEADER;
        while start < self.bytes.len() {
            let mut bytes = self.bytes(start..self.bytes.len());
            let size = bytes.int().map_err(|problem| (start, problem))?;
            // The JVM reserves bytes at the end of a chunk that it writes.
            if size == 0 && self.is_unfinished {
                break;
            }
            let damaged = || (start, Problem::Damaged("an event that is not in the chunk"));
            let end = usize::try_from(size).ok().and_then(|size| start.checked_add(size));
            let end = end.filter(|end| *end <= self.bytes.len()).ok_or_else(damaged)?;
            let of = bytes.long().map_err(|problem| (start, problem))?;
            let fields = start + bytes.position()..end;
            if fields.start > fields.end {
                return Err(damaged());
            }
            visit(Event { of, fields }).map_err(|problem| (start, problem))?;
            start = end;
        }
        Ok(())
    }
}

/// A number of the header; zero beyond its end.
fn big_endian(header: &[u8], place: Range<usize>) -> u64 {
    let bytes = header.get(place).unwrap_or_default();
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Appends up to so many bytes. Fewer than asked means that the file has ended.
fn fill(input: &mut dyn Read, bytes: u64, into: &mut Vec<u8>) -> Result<(), Problem> {
    match input.take(bytes).read_to_end(into) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(()),
        Err(error) => Err(Problem::Io(error)),
    }
}
