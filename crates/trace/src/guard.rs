//! A guard around mapped files. A page of a file that its owner has cut off, or that its file
//! system has no space for, reads as zeros. Without the guard the kernel ends the process by
//! SIGBUS.
//!
//! The handler of the signal puts private memory in the place of such pages (mmap(2),
//! `MAP_FIXED`), and the access is made again. It finds the mapping in a list that only grows, and
//! takes no lock.

#![allow(unsafe_code)]

use std::mem::{transmute, zeroed};
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering, fence};
use std::sync::{Once, OnceLock};

/// The place of a mapping in the list. A slot is used again, and never freed: the handler may be
/// reading it.
struct Slot {
    is_taken: AtomicBool,
    /// Raised before and after each change of the two addresses: odd during a change.
    changes: AtomicUsize,
    /// Address of the mapping. The range is empty without one.
    start: AtomicUsize,
    end: AtomicUsize,
    is_cut: AtomicBool,
    /// The slot that was added before.
    next: *const Self,
}

// SAFETY: `next` leads to a slot that lives for ever and is never written; all else is atomic.
unsafe impl Sync for Slot {}

/// The slot that was added last.
static LAST: AtomicPtr<Slot> = AtomicPtr::new(ptr::null_mut());
/// The handler before the guard's; none without a guard.
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Guards the mappings that this process makes from now on. For collectors: a JVM has a handler of
/// its own for this signal.
pub fn guard_mappings() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // SAFETY: `sigaction` is plain data, for which zeros are values. The handler only calls
        // functions that may be called in a handler (signal-safety(7)), and mmap(2).
        unsafe {
            let mut previous: libc::sigaction = zeroed();
            let mut ours: libc::sigaction = zeroed();
            ours.sa_sigaction = on_bus_error as *const () as usize;
            ours.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            if libc::sigaction(libc::SIGBUS, ptr::null(), &mut previous) == 0 {
                // Before the handler, which reads it.
                let _ = PREVIOUS.set(previous);
                libc::sigaction(libc::SIGBUS, &ours, ptr::null_mut());
            }
        }
    });
}

/// A guarded mapping, until this is dropped.
#[derive(Debug)]
pub(crate) struct Guarded(&'static Slot);

impl Slot {
    /// Sets the range. Only by the one that has taken the slot.
    fn set(&self, start: usize, end: usize) {
        let changes = self.changes.load(Ordering::Relaxed);
        self.changes.store(changes.wrapping_add(1), Ordering::Relaxed);
        fence(Ordering::Release);
        self.start.store(start, Ordering::Relaxed);
        self.end.store(end, Ordering::Relaxed);
        self.changes.store(changes.wrapping_add(2), Ordering::Release);
    }

    /// The range; none while it changes, which no thread's own mapping does while it is used.
    fn range(&self) -> Option<Range<usize>> {
        let changes = self.changes.load(Ordering::Acquire);
        let range = self.start.load(Ordering::Relaxed)..self.end.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let is_stable =
            changes.is_multiple_of(2) && changes == self.changes.load(Ordering::Relaxed);
        is_stable.then_some(range)
    }
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slot").field("is_cut", &self.is_cut).finish_non_exhaustive()
    }
}

impl Guarded {
    /// Guards a mapping of `len` bytes; none without [`guard_mappings`]. Must be dropped before
    /// the mapping is.
    pub fn new(start: *const u8, len: usize) -> Option<Self> {
        PREVIOUS.get()?;
        let slot = slots().find(|slot| !slot.is_taken.swap(true, Ordering::AcqRel));
        let slot = slot.unwrap_or_else(add_slot);
        slot.is_cut.store(false, Ordering::Relaxed);
        slot.set(start.addr(), start.addr() + len);
        Some(Self(slot))
    }

    /// Whether pages were missing when they were read or written.
    pub fn is_cut(&self) -> bool {
        self.0.is_cut.load(Ordering::Acquire)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.0.set(0, 0);
        self.0.is_taken.store(false, Ordering::Release);
    }
}

fn slots() -> impl Iterator<Item = &'static Slot> {
    // SAFETY: null, or a slot that lives for ever.
    let last = unsafe { LAST.load(Ordering::Acquire).as_ref() };
    // SAFETY: as above.
    std::iter::successors(last, |slot| unsafe { slot.next.as_ref() })
}

/// A new slot, taken.
fn add_slot() -> &'static Slot {
    let [changes, start, end] = [(); 3].map(|()| AtomicUsize::new(0));
    let [is_taken, is_cut] = [true, false].map(AtomicBool::new);
    let mut last = LAST.load(Ordering::Acquire);
    let slot = Box::leak(Box::new(Slot { is_taken, changes, start, end, is_cut, next: last }));
    loop {
        match LAST.compare_exchange(last, slot, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => return slot,
            Err(other) => last = other,
        }
        slot.next = last;
    }
}

extern "C" fn on_bus_error(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    // SAFETY: the kernel hands over what sigaction(2) says. Of SIGBUS it has an address.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr().addr()) };
    if code == libc::BUS_ADRERR && replace_pages(address) {
        return;
    }
    // SAFETY: the previous handler, as its flags say, gets what this one got.
    unsafe {
        match PREVIOUS.get() {
            Some(previous) if ![libc::SIG_DFL, libc::SIG_IGN].contains(&previous.sa_sigaction) => {
                if previous.sa_flags & libc::SA_SIGINFO == 0 {
                    let handler: extern "C" fn(libc::c_int) = transmute(previous.sa_sigaction);
                    handler(signal);
                } else {
                    type Handler =
                        extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
                    let handler: Handler = transmute(previous.sa_sigaction);
                    handler(signal, info, context);
                }
            }
            // The access is made again, and ends the process.
            _ => _ = libc::signal(signal, libc::SIG_DFL),
        }
    }
}

/// Puts zeros in the place of a mapping's pages, from the one of this address on. False if the
/// address is in no guarded mapping.
fn replace_pages(address: usize) -> bool {
    /// Mappings begin at a multiple of this, and of the page's size.
    const STEP: usize = crate::layout::AREA_ALIGN as usize;
    let found = slots().find_map(|slot| {
        let range = slot.range()?;
        range.contains(&address).then_some((slot, range))
    });
    let Some((slot, range)) = found else { return false };
    // SAFETY: sysconf is a function of constants. The range lies in a mapping that is seen only
    // through atomics, and that lives: the thread at hand is using it. Whatever is there may change
    // at any time.
    let replaced = unsafe {
        let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).unwrap_or(STEP);
        let from = address & !(page - 1);
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_FIXED | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        libc::mmap(from as *mut _, range.end - from, protection, flags, -1, 0)
    };
    if replaced == libc::MAP_FAILED {
        return false;
    }
    slot.is_cut.store(true, Ordering::Release);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Mapping;

    const LEN: usize = 1 << 16;

    /// A file of ones that is mapped from its second quarter on.
    fn mapped(file: &std::fs::File) -> Mapping {
        use std::os::unix::fs::FileExt;
        file.write_all_at(&vec![1; LEN], 0).unwrap();
        Mapping::new(file, LEN as u64 / 4, LEN * 3 / 4).unwrap()
    }

    fn byte(mapping: &Mapping, at: usize) -> u8 {
        mapping.copy(at, 1).unwrap()[0]
    }

    #[test]
    fn what_is_cut_off_reads_as_zeros() {
        guard_mappings();
        guard_mappings();
        let [cut, whole] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let [cut_mapping, whole_mapping] = [&cut, &whole].map(mapped);
        cut.set_len(LEN as u64 / 2).unwrap();
        assert_eq!([0, LEN / 4 - 1].map(|at| byte(&cut_mapping, at)), [1, 1]);
        assert!(!cut_mapping.is_cut());
        assert_eq!([LEN / 4, LEN * 3 / 4 - 1].map(|at| byte(&cut_mapping, at)), [0, 0]);
        assert!(cut_mapping.is_cut());
        // A write is seen by this process alone.
        cut_mapping.u64(LEN / 2).unwrap().store(7, Ordering::Relaxed);
        assert_eq!(cut_mapping.u64(LEN / 2).unwrap().load(Ordering::Relaxed), 7);
        assert_eq!(cut.metadata().unwrap().len(), LEN as u64 / 2);
        // The rest, with a first access that writes.
        cut.set_len(0).unwrap();
        cut_mapping.u64(8).unwrap().fetch_add(1, Ordering::Relaxed);
        assert_eq!([0, 8].map(|at| byte(&cut_mapping, at)), [0, 1]);
        assert_eq!(byte(&whole_mapping, LEN / 2), 1);
        assert!(!whole_mapping.is_cut());
    }

    #[test]
    fn threads_that_map_and_cut_at_once_meet_their_own_files() {
        guard_mappings();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for round in 0..50 {
                        let file = tempfile::tempfile().unwrap();
                        let mapping = mapped(&file);
                        if round % 2 == 0 {
                            file.set_len(0).unwrap();
                        }
                        let expected = u8::from(round % 2 != 0);
                        assert_eq!([0, LEN / 2].map(|at| byte(&mapping, at)), [expected; 2]);
                        assert_eq!(mapping.is_cut(), round % 2 == 0);
                    }
                });
            }
        });
    }
}
