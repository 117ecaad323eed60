//! The ring under loom: every order of the two sides' steps, with the smallest rings that can wrap.
//!
//! Runs with `RUSTFLAGS="--cfg loom" cargo test -p jfathom-trace --test ring_loom`; without that
//! flag there is nothing in here. loom does not see the JVM (whose stores are `setRelease`), it
//! treats stronger orders than acquire/release alike, and it does not reorder a load before an
//! earlier load of another location beyond what the C11 model allows.
#![cfg(loom)]

use jfathom_trace::producer::Producer;
use jfathom_trace::ring::{Consumer, Ring};
use jfathom_trace::sync::{AtomicU64, Ordering};
use loom::sync::Arc;
use loom::thread;

struct Shared {
    words: Vec<AtomicU64>,
    consumed: AtomicU64,
    /// 1: the first producer has ended; 2: its ring is drained.
    state: AtomicU64,
}

impl Shared {
    fn new(len: usize) -> Arc<Self> {
        let words = (0..len).map(|_| AtomicU64::new(0)).collect();
        Arc::new(Self { words, consumed: AtomicU64::new(0), state: AtomicU64::new(0) })
    }

    fn ring(&self) -> Ring<'_> {
        Ring::new(&self.words, &self.consumed).unwrap()
    }
}

fn push_all(producer: &mut Producer, ring: Ring<'_>, words: std::ops::RangeInclusive<u64>) {
    for word in words {
        while !producer.push(ring, word) {
            thread::yield_now();
        }
    }
}

/// Takes records until there are `until`.
fn take(consumer: &mut Consumer, ring: Ring<'_>, seen: &mut Vec<u64>, until: usize) {
    let mut batch = [0; 2];
    while seen.len() < until {
        if consumer.drain(ring, &mut batch, |words| seen.extend(words)) == 0 {
            thread::yield_now();
        }
    }
}

fn in_order(len: usize, chunk: u64, count: u64) {
    loom::model(move || {
        let shared = Shared::new(len);
        let other = Arc::clone(&shared);
        let producer = thread::spawn(move || {
            push_all(&mut Producer::new(other.ring()), other.ring(), 1..=count)
        });
        let mut seen = Vec::new();
        take(&mut Consumer::with_chunk(0, chunk), shared.ring(), &mut seen, count as usize);
        producer.join().unwrap();
        assert_eq!(seen, (1..=count).collect::<Vec<_>>());
    });
}

#[test]
fn every_record_once_and_in_order() {
    in_order(2, 1, 4);
}

#[test]
fn chunks_are_handed_back_whole() {
    in_order(4, 2, 6);
}

#[test]
fn a_drained_ring_passes_to_another_producer() {
    loom::model(|| {
        let shared = Shared::new(2);
        let other = Arc::clone(&shared);
        let producer = thread::spawn(move || {
            let ring = other.ring();
            push_all(&mut Producer::new(ring), ring, 1..=1);
            other.state.store(1, Ordering::Release);
            while other.state.load(Ordering::Acquire) != 2 {
                thread::yield_now();
            }
            push_all(&mut Producer::new(ring), ring, 2..=3);
        });
        let ring = shared.ring();
        // The chunk is as long as the ring: only `finish` hands the first producer's record back.
        let mut consumer = Consumer::with_chunk(0, 2);
        let mut seen = Vec::new();
        while shared.state.load(Ordering::Acquire) != 1 {
            thread::yield_now();
        }
        take(&mut consumer, ring, &mut seen, 1);
        consumer.finish(ring);
        shared.state.store(2, Ordering::Release);
        take(&mut consumer, ring, &mut seen, 3);
        producer.join().unwrap();
        assert_eq!(seen, [1, 2, 3]);
    });
}

/// A virtual thread writes into one carrier's ring, and goes on with another's. If a reader finds
/// the later record, it finds the earlier one in the round after it.
#[test]
fn an_earlier_record_in_another_ring_comes_a_round_later() {
    loom::model(|| {
        let (first, second) = (Shared::new(2), Shared::new(2));
        let (before, after) = (Arc::clone(&first), Arc::clone(&second));
        let leaves = thread::spawn(move || {
            push_all(&mut Producer::new(before.ring()), before.ring(), 1..=1);
            // The scheduler hands the thread to another carrier.
            before.state.store(1, Ordering::Release);
            before
        });
        let moved = Arc::clone(&first);
        let arrives = thread::spawn(move || {
            while moved.state.load(Ordering::Acquire) == 0 {
                thread::yield_now();
            }
            push_all(&mut Producer::new(after.ring()), after.ring(), 2..=2);
        });
        let (mut one, mut two) = (Consumer::new(first.ring(), 0), Consumer::new(second.ring(), 0));
        let mut batch = [0; 2];
        let (mut earlier, mut later) = (Vec::new(), Vec::new());
        one.drain(first.ring(), &mut batch, |words| earlier.extend_from_slice(words));
        two.drain(second.ring(), &mut batch, |words| later.extend_from_slice(words));
        one.drain(first.ring(), &mut batch, |words| earlier.extend_from_slice(words));
        assert!(later.is_empty() || earlier == [1], "{later:?} before {earlier:?}");
        leaves.join().unwrap();
        arrives.join().unwrap();
    });
}
