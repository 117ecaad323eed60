//! The methods that are followed from native code, by their ids: all that is looked at in most
//! calls.
//!
//! A cache: an id that another one has displaced is followed again, which finds nothing new.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many sessions are told apart; their numbers begin with 1.
pub const SESSIONS: u32 = (1 << 16) - 1;
const SIZE: usize = 1 << 12;
/// Neighbours that are looked at.
const REACH: usize = 8;
/// An odd number without a pattern in its bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Each an id with the number of a session in its highest bits, or 0. Written by any thread, once
/// the method is live; a thread that comes late writes the number of its own session, in which
/// nobody looks for it any more.
static FOLLOWED: [AtomicU64; SIZE] = [const { AtomicU64::new(0) }; SIZE];

/// Ids are addresses or small numbers.
fn word(session: u32, method: *mut c_void) -> u64 {
    (method as u64) ^ u64::from(session) << 48
}

fn places(word: u64) -> impl Iterator<Item = &'static AtomicU64> {
    let first = (word.wrapping_mul(SPREAD) >> 32) as usize;
    (first..first + REACH).map(|at| &FOLLOWED[at % SIZE])
}

/// Whether a method is followed in this session.
pub fn has(session: u32, method: *mut c_void) -> bool {
    let word = word(session, method);
    places(word).any(|place| place.load(Ordering::Acquire) == word)
}

/// A method is followed in this session from here on.
pub fn add(session: u32, method: *mut c_void) {
    let word = word(session, method);
    let is_of_session = |other: u64| other != 0 && (other ^ word) >> 48 == 0;
    let free = places(word).find(|place| !is_of_session(place.load(Ordering::Acquire)));
    if let Some(place) = free.or_else(|| places(word).next()) {
        place.store(word, Ordering::Release);
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
