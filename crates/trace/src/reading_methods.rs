//! The methods whose calls read what their thread has allocated.

use jfathom_plan::{IdRange, MethodId};

use crate::layout as l;

/// A copy of a session's reading table. Roots and tasks read in any case, and are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadingMethods {
    first: u32,
    /// The table's bytes: of each byte the lowest bit is that of the lowest id.
    bits: Vec<u8>,
}

impl ReadingMethods {
    /// The table of these ids. Ids beyond its bytes read nothing.
    pub(crate) fn new(ids: IdRange, bits: Vec<u8>) -> Self {
        Self { first: ids.start, bits }
    }

    /// Adds a method. Tables of sessions begin with id 0.
    pub fn insert(&mut self, id: MethodId) {
        let Some((byte, bit)) = place(self.first, id) else { return };
        if self.bits.len() <= byte {
            self.bits.resize(byte + 1, 0);
        }
        if let Some(bits) = self.bits.get_mut(byte) {
            *bits |= bit;
        }
    }

    /// Whether a method's calls read.
    pub fn contains(&self, id: MethodId) -> bool {
        let found = place(self.first, id);
        found.is_some_and(|(byte, bit)| self.bits.get(byte).is_some_and(|bits| bits & bit != 0))
    }

    /// Whether no method's calls read.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|bits| *bits == 0)
    }

    /// The bytes of the table, up to the last method's.
    pub fn bytes(&self) -> &[u8] {
        &self.bits
    }

    /// The offset in the table of the word that has a method's bit, and the bit. `first` is the
    /// first id of the span; none for ids before it.
    pub fn word(first: u32, id: MethodId) -> Option<(u64, u32)> {
        let at = id.get().checked_sub(first)?;
        let offset = u64::from(at >> l::READING_SHIFT) * size_of::<u32>() as u64;
        Some((offset, 1 << (at & ((1 << l::READING_SHIFT) - 1))))
    }
}

/// The byte of a table that has a method's bit, and the bit. Words are little-endian.
fn place(first: u32, id: MethodId) -> Option<(usize, u8)> {
    let at = id.get().checked_sub(first)?;
    Some(((at / u8::BITS) as usize, 1 << (at % u8::BITS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(id: u32) -> MethodId {
        MethodId::new(id).unwrap()
    }

    #[test]
    fn the_bits_of_bytes_are_those_of_words() {
        for first in [0, 7] {
            for at in [7, 8, 31, 32, 39, 40, 70, 1_000] {
                let mut reading =
                    ReadingMethods::new(IdRange { start: first, len: 2_000 }, vec![0; 4]);
                assert!(reading.is_empty() && !reading.contains(id(at)));
                reading.insert(id(at));
                assert!(reading.contains(id(at)) && !reading.is_empty());
                assert!(!reading.contains(id(at - 1)) && !reading.contains(id(at + 1)));
                let (offset, bit) = ReadingMethods::word(first, id(at)).unwrap();
                let mut words = reading.bytes().to_vec();
                words.resize(words.len() + 4, 0);
                let word = words[offset as usize..].first_chunk().unwrap();
                assert_eq!(u32::from_le_bytes(*word), bit, "{at} from {first}");
            }
        }
        assert_eq!(ReadingMethods::word(7, id(6)), None);
        let mut reading = ReadingMethods::new(IdRange { start: 7, len: 1 }, Vec::new());
        reading.insert(id(6));
        assert!(reading.is_empty() && !reading.contains(id(6)));
    }
}
