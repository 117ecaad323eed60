//! Code digests, by which methods are matched across builds.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A hash of a method's symbolic instructions. Zero for a method without code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub u64);

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return u64::deserialize(deserializer).map(Self);
        }
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map(Self).map_err(serde::de::Error::custom)
    }
}

/// The one to seven bytes `rest` at the end of `bytes`, the first lowest, filled up with zeros.
#[inline]
fn last_word(bytes: &[u8], rest: &[u8]) -> u64 {
    match (bytes.last_chunk::<8>(), rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        // One load of the last eight bytes is less work than a copy of a few.
        (Some(last), _, _) => u64::from_le_bytes(*last) >> (8 * (8 - rest.len())),
        (None, Some(first), Some(last)) => {
            let [first, last] = [first, last].map(|part| u64::from(u32::from_le_bytes(*part)));
            first | last << (8 * (rest.len() - 4))
        }
        _ => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Computes a digest: multiply and rotate per 8-byte word, with a final avalanche. Not safe against
/// chosen input. Manifests and profiles store its values, so it must not change without a new
/// manifest version.
#[derive(Clone, Copy, Debug)]
pub struct DigestHasher(u64);

const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for DigestHasher {
    fn default() -> Self {
        Self(0x6a66_6174_686f_6d31)
    }
}

impl DigestHasher {
    /// Adds one word.
    #[inline]
    pub const fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    }

    /// Adds bytes and their length, so that two neighbouring strings differ from two others with
    /// the same bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            self.word(last_word(bytes, rest));
        }
    }

    /// The digest of everything added.
    pub const fn finish(self) -> Digest {
        let mut x = self.0;
        x ^= x >> 32;
        x = x.wrapping_mul(MULTIPLIER);
        x ^= x >> 29;
        Digest(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_words_filled_up_with_zeros() {
        for length in 0..40u8 {
            let bytes: Vec<u8> = (0..length).map(|i| i.wrapping_mul(37) | 0x81).collect();
            let mut expected = DigestHasher::default();
            expected.word(u64::from(length));
            for chunk in bytes.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                expected.word(u64::from_le_bytes(word));
            }
            let mut hasher = DigestHasher::default();
            hasher.bytes(&bytes);
            assert_eq!(hasher.finish(), expected.finish(), "{length} bytes");
        }
    }
}
