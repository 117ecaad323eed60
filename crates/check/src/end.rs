//! The end of a zip file as the JDK takes it (`java.util.zip.ZipFile`, `Source.findEND` and
//! `initCEN`).
//!
//! The JDK differs from other readers in files that it runs and they misread. It counts the entries
//! by the directory, since the count in the end record has 16 bits and may be wrong. It takes the
//! length of the directory, and not its offset, for where it begins, so that a script may stand
//! before the file. The signature of an end record in the comment is none.

use std::ops::Range;

const END: u32 = 0x0605_4b50;
const END_BYTES: usize = 22;
const END64: u32 = 0x0606_4b50;
const END64_BYTES: usize = 56;
const LOCATOR: u32 = 0x0706_4b50;
const LOCATOR_BYTES: usize = 20;
const HEADER: u32 = 0x0201_4b50;
const HEADER_BYTES: usize = 46;
const LOCAL: u32 = 0x0403_4b50;

/// Where the directory of a zip file is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) directory: Range<usize>,
    /// The number of entries in the directory.
    pub(crate) count: u64,
    /// What all offsets of the file lack: the bytes that were put before it.
    pub(crate) base: usize,
    pub(crate) comment: Range<usize>,
}

impl End {
    /// Finds it; none if the JDK would refuse the file.
    pub(crate) fn find(bytes: &[u8]) -> Option<Self> {
        let last = bytes.len().checked_sub(END_BYTES)?;
        let first = last.saturating_sub(usize::from(u16::MAX));
        (first..=last).rev().filter(|&at| word(bytes, at) == Some(END)).find_map(|at| {
            let comment = at + END_BYTES..at + END_BYTES + usize::from(short(bytes, at + 20)?);
            let end = Self::at(bytes, at, comment)?;
            let begins = |at: usize, signature| word(bytes, at) == Some(signature);
            // With bytes behind it, a signature alone is too little.
            let is_sure = end.comment.end == bytes.len()
                || begins(end.directory.start, HEADER) && begins(end.base, LOCAL);
            is_sure.then_some(end)
        })
    }

    fn at(bytes: &[u8], at: usize, comment: Range<usize>) -> Option<Self> {
        let (mut length, mut offset) =
            (u64::from(word(bytes, at + 12)?), u64::from(word(bytes, at + 16)?));
        let mut directory_end = at;
        let is_full = length == 0xffff_ffff || offset == 0xffff_ffff;
        let may_be_64 = is_full || short(bytes, at + 10)? == 0xffff;
        if let (true, Some(at64)) = (may_be_64, at64(bytes, at)) {
            (length, offset) = (long(bytes, at64 + 40)?, long(bytes, at64 + 48)?);
            directory_end = at64;
        }
        let start = directory_end.checked_sub(usize::try_from(length).ok()?)?;
        let base = start.checked_sub(usize::try_from(offset).ok()?)?;
        let directory = start..directory_end;
        let count = count(bytes, directory.clone())?;
        bytes.get(comment.clone())?;
        Some(Self { directory, count, base, comment })
    }

    /// An end record that every reader takes for the same directory, to stand behind it.
    pub(crate) fn plain(&self) -> Vec<u8> {
        let offset = (self.directory.start - self.base) as u64;
        let length = self.directory.len() as u64;
        let mut out = Vec::with_capacity(END64_BYTES + LOCATOR_BYTES + END_BYTES);
        out.extend(END64.to_le_bytes());
        out.extend((END64_BYTES as u64 - 12).to_le_bytes());
        out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for field in [self.count, self.count, length, offset] {
            out.extend(field.to_le_bytes());
        }
        out.extend(LOCATOR.to_le_bytes());
        out.extend([0; 4]);
        out.extend((offset + length).to_le_bytes());
        out.extend([1, 0, 0, 0]);
        out.extend(END.to_le_bytes());
        out.extend([0; 4]);
        out.extend([0xff; 12]);
        out.extend([0; 2]);
        out
    }
}

/// The zip64 end record that the locator before the end record at `end` names.
fn at64(bytes: &[u8], end: usize) -> Option<usize> {
    let locator = end.checked_sub(LOCATOR_BYTES)?;
    let at = usize::try_from(long(bytes, locator + 8)?).ok()?;
    let is_record = word(bytes, locator) == Some(LOCATOR) && word(bytes, at) == Some(END64);
    (is_record && at.checked_add(END64_BYTES)? <= locator).then_some(at)
}

/// The number of headers in a directory; none if they do not fill it.
fn count(bytes: &[u8], directory: Range<usize>) -> Option<u64> {
    let (mut at, mut count) = (directory.start, 0);
    while at < directory.end {
        if word(bytes, at) != Some(HEADER) {
            return None;
        }
        // Name, extra field and comment.
        let lengths = [28, 30, 32].map(|field| short(bytes, at + field).map(usize::from));
        at += HEADER_BYTES + lengths.into_iter().sum::<Option<usize>>()?;
        count += 1;
    }
    (at == directory.end).then_some(count)
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    array(bytes, at).map(u16::from_le_bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u32::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    array(bytes, at).map(u64::from_le_bytes)
}
