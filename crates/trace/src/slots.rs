//! Numbered slots that many producers fill and one consumer empties, in the order in which they
//! were claimed; and the gate before them.
//!
//! A producer may be a signal handler: none of its steps waits for anybody. It claims a slot, fills
//! it, and publishes it; the consumer releases it. Positions count claims and never wrap. A
//! position's slot is the position modulo the number of slots, its lap the quotient. So a slot is
//! free for exactly one position at a time.
//!
//! A claimed slot that is not published yet hides those claimed after it.

use crate::sync::{AtomicU64, Ordering};

/// Slots by their state. What a slot holds lies elsewhere, under the slot's number.
#[derive(Clone, Copy)]
pub struct Slots<'a> {
    /// By slot: twice the lap for which it is free or claimed, and one more once it is published in
    /// that lap. A producer publishes; the consumer frees it for the next lap. All zero at first.
    states: &'a [AtomicU64],
    /// The next position to claim. Written by producers; grows only. Zero at first.
    claimed: &'a AtomicU64,
}

/// A slot that one side has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    position: u64,
    /// Its number.
    pub slot: usize,
}

impl<'a> Slots<'a> {
    /// Slots over these words, or nothing if there are none.
    pub fn new(states: &'a [AtomicU64], claimed: &'a AtomicU64) -> Option<Self> {
        (!states.is_empty()).then_some(Self { states, claimed })
    }

    /// Claims a slot for a producer; none if all are in use. Repeats only where another producer
    /// has claimed one meanwhile.
    pub fn claim(&self) -> Option<Claim> {
        let mut position = self.claimed.load(Ordering::Relaxed);
        loop {
            let claim = self.at(position);
            let state = self.states[claim.slot].load(Ordering::Acquire);
            let free = self.free(position);
            if state < free {
                // Not released since the lap before.
                return None;
            }
            if state > free {
                position = self.claimed.load(Ordering::Relaxed);
                continue;
            }
            match self.claimed.compare_exchange(
                position,
                position + 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return Some(claim),
                Err(newer) => position = newer,
            }
        }
    }

    /// Hands a filled slot to the consumer.
    pub fn publish(&self, claim: Claim) {
        self.states[claim.slot].store(self.free(claim.position) + 1, Ordering::Release);
    }

    fn at(&self, position: u64) -> Claim {
        Claim { position, slot: (position % self.states.len() as u64) as usize }
    }

    /// The state in which a position's slot can be claimed.
    fn free(&self, position: u64) -> u64 {
        position / self.states.len() as u64 * 2
    }
}

/// The consumer's side: where it stands.
#[derive(Clone, Debug, Default)]
pub struct SlotConsumer {
    /// The next position to take.
    position: u64,
}

impl SlotConsumer {
    /// A consumer of slots that nobody has consumed before.
    pub const fn new() -> Self {
        Self { position: 0 }
    }

    /// The oldest slot that was not released, if it is published.
    pub fn next_ready(&self, slots: Slots<'_>) -> Option<Claim> {
        let claim = slots.at(self.position);
        let state = slots.states[claim.slot].load(Ordering::Acquire);
        (state == slots.free(self.position) + 1).then_some(claim)
    }

    /// Frees the slot that [`SlotConsumer::next_ready`] gave, for the next lap.
    pub fn release(&mut self, slots: Slots<'_>, claim: Claim) {
        slots.states[claim.slot].store(slots.free(claim.position) + 2, Ordering::Release);
        self.position = claim.position + 1;
    }
}

/// Lets producers in while it is open, and knows how many are inside.
#[derive(Clone, Copy)]
pub struct Gate<'a> {
    /// [`Gate::OPEN`], and below it how many producers are inside. Producers count themselves; the
    /// consumer opens and closes. One word, so that a producer that finds it open is counted by
    /// whoever closes it. Zero at first.
    state: &'a AtomicU64,
}

impl<'a> Gate<'a> {
    const OPEN: u64 = 1 << 63;

    /// A gate over this word.
    pub const fn new(state: &'a AtomicU64) -> Self {
        Self { state }
    }

    /// Enters. Returns whether the gate is open; in either case [`Gate::leave`] follows.
    pub fn enter(&self) -> bool {
        self.state.fetch_add(1, Ordering::Acquire) & Self::OPEN != 0
    }

    /// Leaves.
    pub fn leave(&self) {
        self.state.fetch_sub(1, Ordering::Release);
    }

    /// Lets producers in from here on.
    pub fn open(&self) {
        self.state.fetch_or(Self::OPEN, Ordering::Release);
    }

    /// Lets no more producers in.
    pub fn close(&self) {
        self.state.fetch_and(!Self::OPEN, Ordering::Acquire);
    }

    /// Whether no producer is inside, whether the gate is open or not. What producers did inside
    /// is seen afterwards.
    pub fn is_empty(&self) -> bool {
        self.state.load(Ordering::Acquire) & !Self::OPEN == 0
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn slots_come_in_the_order_of_claims() {
        let (states, claimed) = ([const { AtomicU64::new(0) }; 3], AtomicU64::new(0));
        let slots = Slots::new(&states, &claimed).unwrap();
        let mut consumer = SlotConsumer::new();
        for round in 0..5 {
            let [one, two, three] = [(); 3].map(|()| slots.claim().unwrap());
            assert_eq!([one.slot, two.slot, three.slot], [0, 1, 2], "round {round}");
            assert_eq!(slots.claim(), None);
            slots.publish(two);
            assert_eq!(consumer.next_ready(slots), None);
            slots.publish(one);
            for claim in [one, two] {
                assert_eq!(consumer.next_ready(slots), Some(claim));
                consumer.release(slots, claim);
            }
            assert_eq!(consumer.next_ready(slots), None);
            slots.publish(three);
            consumer.release(slots, consumer.next_ready(slots).unwrap());
        }
    }

    #[test]
    fn a_closed_gate_is_empty_when_all_have_left() {
        let state = AtomicU64::new(0);
        let gate = Gate::new(&state);
        assert!(!gate.enter());
        gate.leave();
        gate.open();
        assert!(gate.is_empty() && gate.enter());
        gate.close();
        assert!(!gate.is_empty() && !gate.enter());
        gate.leave();
        gate.leave();
        assert!(gate.is_empty());
    }
}
