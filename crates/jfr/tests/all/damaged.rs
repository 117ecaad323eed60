//! Damaged files: an error or other samples, and never a panic.

use crate::{chunks::read, encoder::small};
use jfathom_testkit::Random;

#[test]
fn a_file_may_end_anywhere() {
    for is_compressed in [true, false] {
        let whole = small(is_compressed);
        for end in 0..whole.len() {
            assert!(read(&whole[..end]).is_err(), "{end} of {} bytes are no file", whole.len());
            // The same bytes as a chunk of that size, which the JVM has not finished.
            let mut cut = whole[..end].to_vec();
            if cut.len() > 68 {
                cut[8..16].copy_from_slice(&(end as u64).to_be_bytes());
                cut[64] = 1;
                let _ = read(&cut);
                cut[64] = 0;
                let _ = read(&cut);
            }
        }
    }
}

#[test]
fn any_bit_and_any_byte_may_be_wrong() {
    for is_compressed in [true, false] {
        let whole = small(is_compressed);
        for at in 0..whole.len() {
            for value in (0..8).map(|bit| whole[at] ^ 1 << bit).chain([0, 0x7f, 0x80, 0xff]) {
                let mut damaged = whole.clone();
                damaged[at] = value;
                let _ = read(&damaged);
            }
        }
    }
}

#[test]
fn many_bytes_may_be_wrong() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let whole = [small(true), small(false)].concat();
    let (mut read_all, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut damaged = whole.clone();
        for _ in 0..=random.below(6) {
            let at = random.below(damaged.len() as u64) as usize;
            damaged[at] = random.next() as u8;
        }
        match read(&damaged) {
            Ok(_) => read_all += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(read_all > 0 && refused > 0, "{read_all} read, {refused} refused");
}
