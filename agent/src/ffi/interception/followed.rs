//! A cache of the method ids whose native calls need no further look. Most calls look nowhere else.
//!
//! An id that another one has displaced is looked at again, which finds nothing new.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many sessions the cache can distinguish; their numbers begin with 1.
pub const SESSIONS: u32 = (1 << 16) - 1;
/// Words of the table.
const SIZE: usize = 1 << 12;
/// Neighbouring words in which an id may stand.
const PROBES: usize = 8;
/// Multiplier of the hash: an odd number without a pattern in its bits.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Method ids, each with the number of a session in its highest 16 bits, or 0. Written by any
/// thread once the method's probes are live. A thread that comes late writes the number of its own
/// session, which is over: no look-up finds it.
static FOLLOWED: [AtomicU64; SIZE] = [const { AtomicU64::new(0) }; SIZE];

/// The word of a method id, which is an address or a small number, in a session.
fn word(session: u32, method: *mut c_void) -> u64 {
    (method as u64) ^ u64::from(session) << 48
}

/// The words of the table in which this one may stand.
fn candidates(word: u64) -> impl Iterator<Item = &'static AtomicU64> {
    let first = (word.wrapping_mul(MULTIPLIER) >> 32) as usize;
    (first..first + PROBES).map(|at| &FOLLOWED[at % SIZE])
}

/// Whether a method needs no further look in this session.
pub fn has(session: u32, method: *mut c_void) -> bool {
    let word = word(session, method);
    candidates(word).any(|slot| slot.load(Ordering::Acquire) == word)
}

/// Remembers that a method needs no further look in this session.
pub fn add(session: u32, method: *mut c_void) {
    let word = word(session, method);
    let is_of_session = |other: u64| other != 0 && (other ^ word) >> 48 == 0;
    let free = candidates(word).find(|slot| !is_of_session(slot.load(Ordering::Acquire)));
    if let Some(slot) = free.or_else(|| candidates(word).next()) {
        slot.store(word, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_known_in_their_session_alone_and_the_latest_whatever_comes() {
        for number in 1..=(SIZE as u64 * 3) {
            let method = (number * 8) as *mut c_void;
            assert!(!has(7, method));
            add(7, method);
            assert!(has(7, method) && !has(8, method));
        }
        let last = (SIZE * 3 * 8) as *mut c_void;
        add(8, last);
        assert!(has(8, last));
    }
}
