//! A fast checksum: 128-bit products folded to 64 bits, four at a time.

/// Arbitrary odd numbers with random bits.
const KEYS: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03, 0xabc9_8388_fb8f_ac03, 0x8cb9_2ba7_2f3d_8dd7];

const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    product as u64 ^ (product >> 64) as u64
}

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes
        .get(at..)
        .and_then(|rest| rest.first_chunk())
        .map_or(0, |chunk| u64::from_le_bytes(*chunk))
}

/// The checksum of the bytes and their number. It detects accidental changes, not deliberate ones.
/// Sums with different seeds are independent.
pub fn checksum(seed: u64, bytes: &[u8]) -> u64 {
    let mut lanes = KEYS.map(|key| key ^ seed);
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        for (lane, (key, half)) in lanes.iter_mut().zip(KEYS.iter().zip(block.as_chunks::<16>().0))
        {
            *lane = fold(word(half, 0) ^ key, word(half, 8) ^ *lane);
        }
    }
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    for (lane, (key, half)) in lanes.iter_mut().zip(KEYS.iter().zip(last.as_chunks::<16>().0)) {
        *lane = fold(word(half, 0) ^ key, word(half, 8) ^ *lane);
    }
    let all = lanes
        .iter()
        .zip(KEYS)
        .fold(bytes.len() as u64 ^ seed, |all, (&lane, key)| fold(all ^ key, lane ^ KEYS[1]));
    fold(all ^ KEYS[2], KEYS[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bit_each_length_and_the_seed_count() {
        for len in [0, 1, 7, 8, 15, 16, 63, 64, 65, 127, 128, 200] {
            let bytes: Vec<u8> = (0..len).map(|at| (at * 37) as u8).collect();
            let sum = checksum(1, &bytes);
            assert_ne!(sum, checksum(2, &bytes));
            for bit in 0..8 * len {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(checksum(1, &changed), sum, "bit {bit} of {len} bytes");
            }
            let longer = [&bytes[..], &[0]].concat();
            assert_ne!(checksum(1, &longer), sum, "a zero behind {len} bytes");
        }
    }
}
