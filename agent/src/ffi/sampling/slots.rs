//! Where the handler puts samples.

use super::super::reference::Method;
use super::call_trace::Frame;
use jfathom_trace::slots::{Claim, SlotConsumer, Slots};
use jfathom_trace::sync::AtomicU64;
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};
use std::ffi::c_void;
use std::ptr::null_mut;

/// The most frames of a sample.
pub const DEPTH: usize = 1024;
/// How many samples can wait for the agent's thread: of 16 threads for a quarter of a second.
const SLOTS: usize = 2048;
const BYTES: usize = SLOTS * size_of::<Slot>();

/// States of the slots, as in [`Slots`].
static STATES: [AtomicU64; SLOTS] = [const { AtomicU64::new(0) }; SLOTS];
/// As in [`Slots`].
static CLAIMED: AtomicU64 = AtomicU64::new(0);

/// One sample as the handler writes it.
#[repr(C)]
pub struct Slot {
    /// When, on the session's clock.
    pub time: u64,
    /// The kernel's id of the thread.
    pub thread: u32,
    /// How many frames; zero or negative if there is no stack.
    pub count: i32,
    /// The innermost first.
    pub frames: [Frame; DEPTH],
}

/// A sample that has a stack.
pub struct Sample<'s> {
    /// When, on the session's clock.
    pub time: u64,
    /// The kernel's id of the thread, as the JVM sees it.
    pub thread: u32,
    frames: &'s [Frame],
}

impl Sample<'_> {
    /// The methods, the innermost first; none for one without an id. JVMTI refuses the id of a
    /// method whose class is unloaded.
    pub fn methods(&self) -> impl DoubleEndedIterator<Item = Option<Method>> + Clone {
        // SAFETY: the JVM gave null or the id of a method.
        self.frames.iter().map(|frame| unsafe { Method::new(frame.method) })
    }

    /// Whether outer frames are missing.
    pub fn is_truncated(&self) -> bool {
        self.frames.len() >= DEPTH
    }
}

/// The slots' memory, which is mapped for the JVM's life. Pages that no sample has reached take
/// none.
pub struct SlotMemory(*mut Slot);

// SAFETY: a slot belongs to the one who has its claim, whichever thread that is.
unsafe impl Send for SlotMemory {}
// SAFETY: as above.
unsafe impl Sync for SlotMemory {}

impl SlotMemory {
    /// Maps it.
    ///
    /// # Errors
    /// Fails if the kernel refuses.
    pub fn map() -> Result<Self, Errno> {
        // SAFETY: the kernel chooses addresses that nobody uses.
        let start = unsafe {
            mmap_anonymous(
                null_mut(),
                BYTES,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )?
        };
        // A huge page would take the memory of a hundred samples for the first one.
        // SAFETY: the mapping that was just made.
        let _ = unsafe { madvise(start, BYTES, Advice::LinuxNoHugepage) };
        Ok(Self(start.cast()))
    }

    /// Claims a slot for the handler; none if all are in use. Returns its address, which is the
    /// handler's until [`SlotMemory::publish`].
    pub fn claim(&self) -> Option<(Claim, *mut Slot)> {
        let claim = slots()?.claim()?;
        Some((claim, self.0.wrapping_add(claim.slot)))
    }

    /// Hands a slot to the agent's thread.
    pub fn publish(&self, claim: Claim) {
        if let Some(slots) = slots() {
            slots.publish(claim);
        }
    }

    /// Takes all published samples, and gives `each` those that have a stack.
    pub fn drain(&self, consumer: &mut SlotConsumer, mut each: impl FnMut(Sample<'_>)) {
        let Some(slots) = slots() else { return };
        // Handlers may fill slots as fast as they are emptied.
        for _ in 0..SLOTS {
            let Some(claim) = consumer.next_ready(slots) else { return };
            // SAFETY: the slot is mapped, every bit pattern is a value, and from its publication to
            // its release it is the consumer's.
            let slot = unsafe { &*self.0.wrapping_add(claim.slot) };
            let count = usize::try_from(slot.count).unwrap_or(0);
            if let Some(frames) = slot.frames.get(..count).filter(|frames| !frames.is_empty()) {
                each(Sample { time: slot.time, thread: slot.thread, frames });
            }
            consumer.release(slots, claim);
        }
    }

    /// Gives the memory back to the kernel.
    ///
    /// # Safety
    /// No slot is claimed, and none will be before this returns.
    pub unsafe fn release(&self) {
        // SAFETY: nobody uses the slots, as the caller promises; afterwards they read as zeros.
        let _ = unsafe { madvise(self.0.cast::<c_void>(), BYTES, Advice::LinuxDontNeed) };
    }
}

fn slots() -> Option<Slots<'static>> {
    Slots::new(&STATES, &CLAIMED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_with_stacks_are_drained_in_order() {
        let memory = SlotMemory::map().unwrap();
        let mut consumer = SlotConsumer::new();
        let put = |time: u64, count: i32| {
            let Some((claim, slot)) = memory.claim() else { return false };
            // SAFETY: the slot was claimed.
            unsafe {
                (*slot).time = time;
                (*slot).count = count;
            }
            memory.publish(claim);
            true
        };
        let counts = [2, 0, -3, DEPTH as i32, i32::MAX];
        assert!((0..).zip(counts).all(|(time, count)| put(time, count)));
        let mut seen = Vec::new();
        memory.drain(&mut consumer, |sample| {
            seen.push((sample.time, sample.methods().count(), sample.is_truncated()));
        });
        assert_eq!(seen, [(0, 2, false), (3, DEPTH, true)]);
        let mut filled = 0;
        while put(filled, 1) {
            filled += 1;
        }
        assert_eq!(filled, SLOTS as u64);
        let mut drained = 0;
        memory.drain(&mut consumer, |_| drained += 1);
        assert_eq!(drained, SLOTS);
    }
}
