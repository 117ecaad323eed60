//! The body of a file, unpacked piece by piece as it is read.

use std::io::Read;

use postcard::de_flavors::Flavor;
use postcard::{Deserializer, Error};
use serde::Deserialize;

use crate::FileError;

/// Bytes that are unpacked at once.
const PIECE_BYTES: usize = 1 << 17;

/// A packed body, and how far it is read. Only a piece of it is in memory unpacked.
pub(crate) struct Body<'a> {
    packed: zstd::Decoder<'a, &'a [u8]>,
    piece: Vec<u8>,
    /// Bytes of the piece that were read.
    at: usize,
    announced: u64,
    /// Announced bytes behind the piece.
    missing: u64,
    /// Why no more can be unpacked.
    failure: Option<String>,
    /// A text of several pieces.
    text: Vec<u8>,
}

impl<'a> Body<'a> {
    /// The body of so many bytes that was packed as one zstd frame.
    pub fn new(packed: &'a [u8], body_bytes: u64) -> Result<Self, FileError> {
        Ok(Self {
            packed: zstd::Decoder::with_buffer(packed)?,
            piece: Vec::new(),
            at: 0,
            announced: body_bytes,
            missing: body_bytes,
            failure: None,
            text: Vec::new(),
        })
    }

    /// Reads a value.
    pub fn value<T: for<'de> Deserialize<'de>>(&mut self) -> Result<T, FileError> {
        let value = T::deserialize(&mut Deserializer::from_flavor(Source(self)));
        value.map_err(|error| {
            // A body that is none as a whole is worse than what is read of it.
            self.end().err().unwrap_or_else(|| FileError::Content(error.to_string().into()))
        })
    }

    /// Reads a list of numbers: what [`Body::value`] would read as a list, several times as fast.
    /// `push` gets each number, and says whether it may stand there.
    pub fn numbers(&mut self, mut push: impl FnMut(u64) -> bool) -> Result<(), FileError> {
        let mut missing: u64 = self.value()?;
        while missing > 0 {
            // The last numbers of a piece may reach into the next one. Few have more than 56 bits.
            while missing > 0
                && let Some(bytes) = self.piece.get(self.at..).and_then(<[u8]>::first_chunk)
                && let Some((number, len)) = varint(bytes)
            {
                self.at += len;
                missing -= 1;
                if !push(number) {
                    return Err(self.out_of_bounds(number));
                }
            }
            if missing > 0 {
                let number: u64 = self.value()?;
                missing -= 1;
                if !push(number) {
                    return Err(self.out_of_bounds(number));
                }
            }
        }
        Ok(())
    }

    /// The error of a number that may not stand where it does.
    fn out_of_bounds(&mut self, number: u64) -> FileError {
        let own = || FileError::Content(format!("{number} in a column").into());
        self.end().err().unwrap_or_else(own)
    }

    /// Bytes that were read.
    pub fn position(&self) -> u64 {
        let behind = self.missing + (self.piece.len() - self.at) as u64;
        self.announced.saturating_sub(behind)
    }

    /// Passes over some bytes.
    pub fn skip(&mut self, mut bytes: u64) -> Result<(), FileError> {
        while bytes > 0 {
            if self.at == self.piece.len() && !self.unpack() {
                return Err(self.end().err().unwrap_or(FileError::Truncated));
            }
            let some = bytes.min((self.piece.len() - self.at) as u64);
            self.at += some as usize;
            bytes -= some;
        }
        Ok(())
    }

    /// Whether all values were read.
    pub fn is_at_end(&mut self) -> bool {
        self.at == self.piece.len() && !self.unpack()
    }

    /// Passes over the rest, and checks that the body is as long as announced.
    pub fn end(&mut self) -> Result<(), FileError> {
        while self.unpack() {}
        self.at = self.piece.len();
        match &self.failure {
            Some(failure) => Err(FileError::Content(failure.clone().into())),
            None => Ok(()),
        }
    }

    /// Replaces the piece by the next one. False at the end, or where no more can be unpacked.
    fn unpack(&mut self) -> bool {
        if self.failure.is_some() {
            return false;
        }
        self.piece.clear();
        self.at = 0;
        // One byte more than announced, so that a longer body shows.
        let most = (PIECE_BYTES as u64).min(self.missing.saturating_add(1));
        match self.packed.by_ref().take(most).read_to_end(&mut self.piece) {
            Err(error) => self.failure = Some(error.to_string()),
            Ok(bytes) => match self.missing.checked_sub(bytes as u64) {
                Some(missing) if bytes as u64 == most || missing == 0 => self.missing = missing,
                _ => self.failure = Some(self.other_length()),
            },
        }
        self.failure.is_none() && !self.piece.is_empty()
    }

    fn other_length(&self) -> String {
        format!("{} bytes announced, others found", self.announced)
    }
}

/// The number at the beginning of some bytes (LEB128), and how many of them it takes; none if it
/// has more than 56 bits. It has no branch on the length: processors would mispredict it.
#[inline]
fn varint(bytes: &[u8; 8]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes);
    // The high bits of bytes that end a number.
    let ends = !word & 0x8080_8080_8080_8080;
    if ends == 0 {
        return None;
    }
    let len = (ends.trailing_zeros() as usize + 1) / 8;
    let own = ends ^ (ends - 1);
    // Groups of seven bits move together, first two, then four, then eight.
    let sevens = word & own & 0x7f7f_7f7f_7f7f_7f7f;
    let pairs = (sevens & 0x007f_007f_007f_007f) | (sevens & 0x7f00_7f00_7f00_7f00) >> 1;
    let fours = (pairs & 0x0000_3fff_0000_3fff) | (pairs & 0x3fff_0000_3fff_0000) >> 2;
    Some((fours & 0x0fff_ffff | (fours & 0x0fff_ffff_0000_0000) >> 4, len))
}

/// What a body's values are read from.
struct Source<'b, 'a>(&'b mut Body<'a>);

impl<'de, 'b: 'de, 'a: 'de> Flavor<'de> for Source<'b, 'a> {
    type Remainder = ();
    type Source = ();

    #[inline]
    fn pop(&mut self) -> postcard::Result<u8> {
        if self.0.at == self.0.piece.len() && !self.0.unpack() {
            return Err(Error::DeserializeUnexpectedEnd);
        }
        let byte = self.0.piece.get(self.0.at).copied();
        self.0.at += 1;
        byte.ok_or(Error::DeserializeUnexpectedEnd)
    }

    /// Nothing here is borrowed from the body, which is in memory piece by piece.
    fn try_take_n(&mut self, _: usize) -> postcard::Result<&'de [u8]> {
        Err(Error::WontImplement)
    }

    fn try_take_n_temp<'t>(&'t mut self, bytes: usize) -> postcard::Result<&'t [u8]>
    where
        'de: 't,
    {
        let body = &mut *self.0;
        let whole = body.at..body.at.saturating_add(bytes);
        if body.piece.get(whole.clone()).is_some() {
            body.at = whole.end;
            return Ok(&body.piece[whole]);
        }
        body.text.clear();
        while body.text.len() < bytes {
            if body.at == body.piece.len() && !body.unpack() {
                return Err(Error::DeserializeUnexpectedEnd);
            }
            let rest = &body.piece[body.at..];
            let part = &rest[..rest.len().min(bytes - body.text.len())];
            body.text.extend_from_slice(part);
            body.at += part.len();
        }
        Ok(&body.text)
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers and texts that end in all places of a piece, and one that is longer than a piece.
    fn values() -> Vec<(u64, String)> {
        let text = |at: u64| "ab".repeat(if at == 500 { PIECE_BYTES } else { at as usize % 700 });
        (0..2_000).map(|at| (at * at * at, text(at))).collect()
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        zstd::bulk::compress(bytes, 1).unwrap()
    }

    #[test]
    fn values_are_read_across_pieces() {
        let mut bytes = postcard::to_stdvec(&values()).unwrap();
        bytes = postcard::to_extend(&7_u8, bytes).unwrap();
        assert!(bytes.len() > 5 * PIECE_BYTES);
        let packed = packed(&bytes);
        let mut body = Body::new(&packed, bytes.len() as u64).unwrap();
        assert_eq!(body.value::<Vec<(u64, String)>>().unwrap(), values());
        assert!(!body.is_at_end());
        assert_eq!(body.value::<u8>().unwrap(), 7);
        assert!(body.is_at_end() && body.end().is_ok());
        assert!(body.value::<u8>().is_err());
    }

    #[test]
    fn numbers_are_read_as_lists_are() {
        let numbers: Vec<u64> = (0..300_000)
            .map(|at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (at % 64))
            .chain([0, 127, 128, u64::MAX])
            .collect();
        let bytes = postcard::to_stdvec(&(&numbers, 9_u8)).unwrap();
        let read = |bytes: &[u8], most: u64| {
            let packed = packed(bytes);
            let mut body = Body::new(&packed, bytes.len() as u64).unwrap();
            let mut found = Vec::new();
            body.numbers(|number| {
                found.push(number);
                number <= most
            })
            .map(|()| (found, body.value::<u8>().ok()))
        };
        assert_eq!(read(&bytes, u64::MAX).unwrap(), (numbers, Some(9)));
        assert!(read(&bytes, u64::MAX - 1).is_err());
        assert!(read(&bytes[..bytes.len() - 2], u64::MAX).is_err());
        // Two numbers are announced: the second one has 65 bits.
        let mut wide = vec![2, 1];
        wide.extend([0xff; 9]);
        wide.extend([0x02; 12]);
        assert!(read(&wide, u64::MAX).is_err());
    }

    #[test]
    fn a_body_is_as_long_as_announced() {
        for len in [0, 1, 5, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES] {
            let packed = packed(&vec![7; len]);
            let found = |announced: usize| {
                let mut body = Body::new(&packed, announced as u64).unwrap();
                let value = body.value::<[u8; 4]>();
                (value.is_ok(), body.end().is_ok())
            };
            assert_eq!(found(len), (len >= 4, true), "{len} bytes");
            for wrong in [len.wrapping_sub(1), len + 1, len + PIECE_BYTES] {
                if wrong != usize::MAX {
                    assert!(!found(wrong).1, "{wrong} for {len} bytes");
                }
            }
        }
    }
}
