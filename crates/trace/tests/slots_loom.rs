//! The slots and their gate under loom: every order of the steps of two producers and the consumer.
//!
//! Runs with `RUSTFLAGS="--cfg loom" cargo test -p jfathom-trace --test slots_loom`; without that
//! flag there is nothing in here.
#![cfg(loom)]

use jfathom_trace::slots::{Gate, SlotConsumer, Slots};
use jfathom_trace::sync::{AtomicU64, Ordering};
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;

struct Shared {
    states: Vec<AtomicU64>,
    claimed: AtomicU64,
    gate: AtomicU64,
    /// What lies in the slots; loom fails if two sides use one at once.
    contents: Vec<UnsafeCell<u64>>,
}

impl Shared {
    fn new(len: usize) -> Arc<Self> {
        Arc::new(Self {
            states: (0..len).map(|_| AtomicU64::new(0)).collect(),
            claimed: AtomicU64::new(0),
            gate: AtomicU64::new(0),
            contents: (0..len).map(|_| UnsafeCell::new(0)).collect(),
        })
    }

    fn slots(&self) -> Slots<'_> {
        Slots::new(&self.states, &self.claimed).unwrap()
    }

    /// Whether there was a slot for it.
    fn put(&self, value: u64) -> bool {
        let Some(claim) = self.slots().claim() else { return false };
        // SAFETY: the slot is claimed.
        self.contents[claim.slot].with_mut(|at| unsafe { *at = value });
        self.slots().publish(claim);
        true
    }

    fn take(&self, consumer: &mut SlotConsumer) -> Option<u64> {
        let claim = consumer.next_ready(self.slots())?;
        // SAFETY: the slot is the consumer's until its release.
        let value = self.contents[claim.slot].with(|at| unsafe { *at });
        consumer.release(self.slots(), claim);
        Some(value)
    }
}

/// Two producers and as many slots as given: what found a slot is taken once.
fn every_value_once(len: usize) {
    loom::model(move || {
        let shared = Shared::new(len);
        let producers = [1, 2].map(|first| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let values = [first, first + 10];
                values.into_iter().filter(|value| shared.put(*value)).collect::<Vec<u64>>()
            })
        });
        let (mut consumer, mut seen) = (SlotConsumer::new(), Vec::new());
        seen.extend(shared.take(&mut consumer));
        let mut put = Vec::new();
        for producer in producers {
            put.extend(producer.join().unwrap());
        }
        while let Some(value) = shared.take(&mut consumer) {
            seen.push(value);
        }
        for first in [1, 2] {
            let of_one: Vec<u64> = seen.iter().copied().filter(|v| v % 10 == first).collect();
            assert!(of_one.is_sorted(), "{seen:?}");
        }
        put.sort_unstable();
        seen.sort_unstable();
        assert_eq!(seen, put);
    });
}

#[test]
fn every_value_is_taken_once_from_one_slot() {
    every_value_once(1);
}

#[test]
fn every_value_is_taken_once_from_two_slots() {
    every_value_once(2);
}

#[test]
fn nobody_is_inside_a_closed_gate_that_is_empty() {
    loom::model(|| {
        let shared = Shared::new(1);
        Gate::new(&shared.gate).open();
        let other = Arc::clone(&shared);
        let inside = thread::spawn(move || {
            let gate = Gate::new(&other.gate);
            if gate.enter() {
                // SAFETY: whoever closes the gate waits.
                other.contents[0].with_mut(|at| unsafe { *at = 1 });
            }
            gate.leave();
        });
        let gate = Gate::new(&shared.gate);
        gate.close();
        while !gate.is_empty() {
            thread::yield_now();
        }
        // SAFETY: nobody is inside.
        shared.contents[0].with_mut(|at| unsafe { *at = 2 });
        inside.join().unwrap();
        // SAFETY: the other thread is over.
        assert_eq!(shared.contents[0].with(|at| unsafe { *at }), 2);
        assert_eq!(shared.claimed.load(Ordering::Relaxed), 0);
    });
}
