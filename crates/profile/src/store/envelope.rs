//! The outside of a file: magic, version, lengths, one zstd frame, checksum.
//! `docs/profile-format.md` has the table.

use std::io::{self, Read, Write};

use jfathom_plan::DigestHasher;

use crate::FileError;
use crate::store::body::Body;

/// Bytes of the header.
const HEADER_BYTES: usize = 32;
/// A body may grow to this many bytes whatever its compressed size, ...
const BODY_FREE: u64 = 4 << 20;
/// ... and beyond to this many times its compressed size, so that memory follows the bytes that are
/// in the file. Files of recordings come to about a tenth of their bodies; what compresses better
/// is filled up when it is written.
const BODY_RATIO: u64 = 32;
/// The first word of a zstd frame that readers pass over (RFC 8878, 3.1.2); its length follows.
const SKIPPABLE_FRAME: u32 = 0x184d_2a50;

/// One kind of file.
pub(crate) struct Kind {
    /// What the user calls it.
    pub name: &'static str,
    pub magic: [u8; 8],
    pub version: u32,
    /// zstd level.
    pub level: i32,
}

/// Writes `body` as a file of this kind.
pub(crate) fn write(kind: &Kind, body: &[u8], out: &mut dyn Write) -> Result<(), FileError> {
    let mut packed = zstd::bulk::compress(body, kind.level)?;
    fill(&mut packed, body.len() as u64);
    let mut header = Vec::with_capacity(HEADER_BYTES);
    header.extend(kind.magic);
    header.extend(kind.version.to_le_bytes());
    header.extend((HEADER_BYTES as u32).to_le_bytes());
    header.extend((packed.len() as u64).to_le_bytes());
    header.extend((body.len() as u64).to_le_bytes());
    out.write_all(&header)?;
    out.write_all(&packed)?;
    out.write_all(&checksum(&header, &packed).to_le_bytes())?;
    Ok(())
}

/// Appends a frame of nothing where the frames are too short for a body of so many bytes to be read
/// again.
fn fill(packed: &mut Vec<u8>, body_bytes: u64) {
    if body_bytes <= BODY_FREE {
        return;
    }
    let wanted = body_bytes.div_ceil(BODY_RATIO);
    if wanted <= packed.len() as u64 {
        return;
    }
    // A frame has at most 4 GiB; a body of 128 GiB that holds so little is none of a recording.
    let missing = u32::try_from(wanted - packed.len() as u64).unwrap_or(u32::MAX);
    packed.extend(SKIPPABLE_FRAME.to_le_bytes());
    packed.extend(missing.to_le_bytes());
    packed.resize(packed.len() + missing as usize, 0);
}

/// A file whose checksum fits, its body still packed.
pub(crate) struct Packed {
    packed: Vec<u8>,
    body_bytes: u64,
}

impl Packed {
    /// The body, from its begin.
    pub fn body(&self) -> Result<Body<'_>, FileError> {
        Body::new(&self.packed, self.body_bytes)
    }
}

/// Reads a file of this kind.
pub(crate) fn read(kind: &Kind, input: &mut dyn Read) -> Result<Packed, FileError> {
    let mut header = vec![0; HEADER_BYTES];
    input.read_exact(&mut header[..8]).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => FileError::OtherKind(kind.name),
        _ => FileError::Io(error),
    })?;
    if header[..8] != kind.magic {
        return Err(FileError::OtherKind(kind.name));
    }
    input.read_exact(&mut header[8..12])?;
    let version = u32_at(&header, 8);
    if version != kind.version {
        return Err(FileError::Version(version));
    }
    input.read_exact(&mut header[12..])?;
    let header_bytes = u32_at(&header, 12);
    if header_bytes != HEADER_BYTES as u32 {
        return Err(FileError::Content(format!("a header of {header_bytes} bytes").into()));
    }
    let (packed_bytes, body_bytes) = (u64_at(&header, 16), u64_at(&header, 24));
    if body_bytes > BODY_FREE.max(packed_bytes.saturating_mul(BODY_RATIO)) {
        return Err(FileError::Content(
            format!("{packed_bytes} bytes that would unpack to {body_bytes}").into(),
        ));
    }
    let mut packed = Vec::new();
    read_more(input, packed_bytes, &mut packed)?;
    let mut sum = [0; 8];
    input.read_exact(&mut sum)?;
    if checksum(&header, &packed) != u64::from_le_bytes(sum) {
        return Err(FileError::Checksum);
    }
    Ok(Packed { packed, body_bytes })
}

/// Requires that nothing follows.
pub(crate) fn require_end(input: &mut dyn Read) -> Result<(), FileError> {
    match input.take(1).read_to_end(&mut Vec::new())? {
        0 => Ok(()),
        _ => Err(FileError::Content("bytes behind the checksum".into())),
    }
}

/// Appends exactly `len` bytes to `to`, which grows only by what is really there.
fn read_more(input: &mut dyn Read, len: u64, to: &mut Vec<u8>) -> Result<(), FileError> {
    match input.take(len).read_to_end(to)? as u64 == len {
        true => Ok(()),
        false => Err(FileError::Truncated),
    }
}

fn checksum(header: &[u8], packed: &[u8]) -> u64 {
    let mut hasher = DigestHasher::default();
    hasher.bytes(header);
    hasher.bytes(packed);
    hasher.finish().0
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    bytes.get(offset..).and_then(|b| b.first_chunk()).map_or(0, |b| u32::from_le_bytes(*b))
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    bytes.get(offset..).and_then(|b| b.first_chunk()).map_or(0, |b| u64::from_le_bytes(*b))
}
