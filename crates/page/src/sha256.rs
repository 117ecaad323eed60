//! SHA-256 (FIPS 180-4), by which the page's security policy names its own script and style.

const START: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
fn round_constants() -> [u32; 64] {
    let is_prime = |n: &u32| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let mut constants = [0; 64];
    for (constant, prime) in constants.iter_mut().zip((2_u32..).filter(is_prime)) {
        *constant = cube_root_bits(u128::from(prime));
    }
    constants
}

/// 32 bits behind the point of a number's cube root: those of ⌊∛(n·2⁹⁶)⌋.
fn cube_root_bits(n: u128) -> u32 {
    let (mut low, mut high) = (0_u128, 1_u128 << 36);
    while high - low > 1 {
        let middle = (low + high) / 2;
        match middle * middle * middle <= n << 96 {
            true => low = middle,
            false => high = middle,
        }
    }
    low as u32
}

/// The digest of a message.
pub(crate) fn sha256(message: &[u8]) -> [u8; 32] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((message.len() as u64 * 8).to_be_bytes());
    let constants = round_constants();
    let mut state = START;
    for block in padded.chunks_exact(64) {
        add_block(&mut state, block, &constants);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn add_block(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    }
    for t in 16..64 {
        let (early, late) = (words[t - 15], words[t - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
        let sum = words[t - 16].wrapping_add(early).wrapping_add(words[t - 7]);
        words[t] = sum.wrapping_add(late);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, constant) in words.iter().zip(constants) {
        let choice = e & f ^ !e & g;
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let one = h.wrapping_add(turned).wrapping_add(choice);
        let one = one.wrapping_add(*constant).wrapping_add(*word);
        let majority = a & b ^ a & c ^ b & c;
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let two = turned.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(one));
        (d, c, b, a) = (c, b, a, one.wrapping_add(two));
    }
    for (sum, word) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(word);
    }
}

#[cfg(test)]
mod tests {
    fn hex(message: &[u8]) -> String {
        super::sha256(message).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_examples_of_the_standard() {
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(
            hex(&[b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
