//! Two functions at once.

use std::panic::resume_unwind;
use std::thread;

/// The results of two functions, which run at once: `one` on a thread of its own, or behind `other`
/// where none can be started. A panic of either is passed on.
pub fn both<A: Send, B>(one: impl Fn() -> A + Sync, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, &one);
        let other = other();
        let one = started
            .map_or_else(|_| one(), |one| one.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (one, other)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_results_are_returned() {
        assert_eq!(both(|| 1, || "two"), (1, "two"));
    }

    #[test]
    #[should_panic(expected = "of the first")]
    fn a_panic_is_passed_on() {
        both(|| panic!("of the first"), || ());
    }
}
