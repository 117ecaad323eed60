//! A map from two numbers to a place.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Places by a node and a frame, or by a node and a method id.
pub(crate) type PairMap = HashMap<(u32, u32), u32, BuildHasherDefault<PairHasher>>;

/// Hashes two 32-bit numbers. Not safe against chosen keys, which nodes, frames and
/// method ids are not.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairHasher(u64);

impl Hasher for PairHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(32) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}
