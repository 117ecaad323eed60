//! Numbers and texts of a chunk.

use crate::error::Problem;
use std::sync::Arc;

/// A position in the bytes of a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
    is_compressed: bool,
}

/// How a text is encoded.
mod encoding {
    pub(super) const NULL: u8 = 0;
    pub(super) const EMPTY: u8 = 1;
    pub(super) const CONSTANT: u8 = 2;
    pub(super) const UTF8: u8 = 3;
    pub(super) const CHARS: u8 = 4;
    pub(super) const LATIN1: u8 = 5;
}

/// A compressed number has nine bytes at most, of which the last has eight bits.
const NINTH_BYTE_SHIFT: u32 = 56;

const EARLY_END: Problem = Problem::Damaged("a value goes beyond its event");

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8], is_compressed: bool) -> Self {
        Self { bytes, at: 0, is_compressed }
    }

    /// Bytes from the start.
    pub fn position(&self) -> usize {
        self.at
    }

    fn rest(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let end = self.at.checked_add(count).ok_or(EARLY_END)?;
        let taken = self.bytes.get(self.at..end).ok_or(EARLY_END)?;
        self.at = end;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, Problem> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// A number that has `width` bytes where numbers are not compressed. Compressed numbers are
    /// groups of seven bits, the lowest first.
    pub fn number(&mut self, width: usize) -> Result<u64, Problem> {
        if !self.is_compressed {
            let bytes = self.take(width)?;
            return Ok(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)));
        }
        let mut number = 0_u64;
        let mut shift = 0;
        while shift < NINTH_BYTE_SHIFT {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
        Ok(number | u64::from(self.byte()?) << NINTH_BYTE_SHIFT)
    }

    pub fn int(&mut self) -> Result<u64, Problem> {
        self.number(4)
    }

    pub fn long(&mut self) -> Result<u64, Problem> {
        self.number(8)
    }

    /// How many elements follow, each of at least one byte.
    pub fn count(&mut self) -> Result<usize, Problem> {
        let count = self.int()?;
        match usize::try_from(count) {
            Ok(count) if count <= self.rest() => Ok(count),
            _ => Err(Problem::Damaged("more elements than bytes")),
        }
    }

    /// A text; none for `null` and for one that stands elsewhere.
    pub fn text(&mut self) -> Result<Option<Arc<str>>, Problem> {
        match self.byte()? {
            encoding::NULL => Ok(None),
            encoding::EMPTY => Ok(Some("".into())),
            encoding::CONSTANT => self.long().map(|_| None),
            encoding::UTF8 => {
                let length = self.count()?;
                let bytes = self.take(length)?;
                Ok(Some(String::from_utf8_lossy(bytes).into()))
            }
            encoding::CHARS => {
                let length = self.count()?;
                let units = (0..length).map(|_| self.number(2).map(|unit| unit as u16));
                let units = units.collect::<Result<Vec<u16>, Problem>>()?;
                Ok(Some(String::from_utf16_lossy(&units).into()))
            }
            encoding::LATIN1 => {
                let length = self.count()?;
                let text: String =
                    self.take(length)?.iter().map(|byte| char::from(*byte)).collect();
                Ok(Some(text.into()))
            }
            _ => Err(Problem::Damaged("a text of unknown encoding")),
        }
    }

    /// Passes over a text.
    pub fn skip_text(&mut self) -> Result<(), Problem> {
        match self.byte()? {
            encoding::NULL | encoding::EMPTY => {}
            encoding::CONSTANT => {
                self.long()?;
            }
            encoding::UTF8 | encoding::LATIN1 => {
                let length = self.count()?;
                self.take(length)?;
            }
            encoding::CHARS => {
                for _ in 0..self.count()? {
                    self.number(2)?;
                }
            }
            _ => return Err(Problem::Damaged("a text of unknown encoding")),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_numbers_have_up_to_nine_bytes() {
        let read = |bytes: &[u8]| Bytes::new(bytes, true).long().ok();
        assert_eq!(read(&[0x7f]), Some(127));
        assert_eq!(read(&[0x85, 0xb0, 0x03]), Some(55301));
        assert_eq!(read(&[0xff; 9]), Some(u64::MAX));
        assert_eq!(read(&[0xff; 8]), None);
    }

    #[test]
    fn other_numbers_have_their_width() {
        let mut bytes = Bytes::new(&[0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 3, 9, 9], false);
        assert_eq!((bytes.int().ok(), bytes.long().ok()), (Some(258), Some(3)));
        assert_eq!((bytes.number(2).ok(), bytes.rest()), (Some(0x909), 0));
    }

    #[test]
    fn texts_in_each_encoding() {
        let read = |bytes: &[u8]| {
            let mut at = Bytes::new(bytes, true);
            let mut skipped = at.clone();
            let text = at.text().ok()?;
            skipped.skip_text().ok()?;
            assert_eq!(at.position(), skipped.position());
            Some(text.as_deref().map(str::to_owned))
        };
        assert_eq!(read(&[0]), Some(None));
        assert_eq!(read(&[1]), Some(Some(String::new())));
        assert_eq!(read(&[2, 7]), Some(None));
        assert_eq!(read(&[3, 2, 0xc3, 0xa4]), Some(Some("ä".to_owned())));
        assert_eq!(read(&[4, 1, 0xe4, 1]), Some(Some("ä".to_owned())));
        assert_eq!(read(&[5, 1, 0xe4]), Some(Some("ä".to_owned())));
        for damaged in [&[6][..], &[3, 5, 0], &[4, 3, 0, 0], &[3, 0xff, 0xff, 0xff, 0x7f], &[]] {
            assert_eq!(read(damaged), None, "{damaged:?}");
        }
    }
}
