//! The system calls, and the memory that the kernel shares. This file has all unsafe code of the
//! crate.

#![allow(unsafe_code)]

use crate::attr::Attr;
use crate::error::{SwitchError, SwitchStep};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

const CLOSE_ON_EXEC: libc::c_ulong = 8;
/// `PERF_EVENT_IOC_SET_OUTPUT`: `_IO('$', 5)`.
const SET_OUTPUT: u32 = 0x2405;
/// Bytes of the smallest page of any Linux.
const SMALLEST_PAGE: usize = 4096;
/// Places in `struct perf_event_mmap_page`, in 64-bit words.
const DATA_HEAD: usize = 1024 / 8;
const DATA_TAIL: usize = 1032 / 8;

/// Opens an event of one thread on one processor; thread 0 is this one.
pub(crate) fn open(attr: &Attr, tid: u32, cpu: u32) -> Result<OwnedFd, SwitchError> {
    let (group, flags): (RawFd, _) = (-1, CLOSE_ON_EXEC);
    let (tid, cpu) = (tid as libc::pid_t, cpu as libc::c_int);
    // SAFETY: the kernel reads as many bytes of `attr` as its field `size` says, which are all that
    // it has; the other arguments are numbers.
    let fd = unsafe {
        libc::syscall(libc::SYS_perf_event_open, ptr::from_ref(attr), tid, cpu, group, flags)
    };
    match RawFd::try_from(fd) {
        // SAFETY: a new descriptor, which nobody else owns.
        Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => Err(SwitchError::new(SwitchStep::Open, io::Error::last_os_error())),
    }
}

/// Sends the records of an event into the ring of another of the same processor.
pub(crate) fn redirect(event: &OwnedFd, to: &OwnedFd) -> Result<(), SwitchError> {
    // SAFETY: both are events, and the call changes nothing in this process's memory.
    let done = unsafe { libc::ioctl(event.as_raw_fd(), SET_OUTPUT as _, to.as_raw_fd()) };
    if done == 0 {
        return Ok(());
    }
    Err(SwitchError::new(SwitchStep::Redirect, io::Error::last_os_error()))
}

/// The ring of an event. The kernel writes records, and this process reads them.
#[derive(Debug)]
pub(crate) struct Ring {
    page: NonNull<AtomicU64>,
    /// Words of the first page, which tells how far both sides are.
    head_words: usize,
    /// Words of the records' part; a power of two.
    data_words: usize,
}

// SAFETY: the memory is this value's own, and is reached through atomics alone.
unsafe impl Send for Ring {}

impl Ring {
    /// Maps the ring of an event, with so many pages for records: a power of two.
    pub(crate) fn map(event: &OwnedFd, pages: usize) -> Result<Self, SwitchError> {
        // SAFETY: a question about a constant of the system.
        let page_bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page_bytes = usize::try_from(page_bytes).unwrap_or(SMALLEST_PAGE);
        let bytes = page_bytes * (1 + pages);
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at an address that the kernel chooses.
        let page = unsafe {
            libc::mmap(ptr::null_mut(), bytes, protection, libc::MAP_SHARED, event.as_raw_fd(), 0)
        };
        match NonNull::new(page.cast()).filter(|_| page != libc::MAP_FAILED) {
            Some(page) => {
                Ok(Self { page, head_words: page_bytes / 8, data_words: page_bytes / 8 * pages })
            }
            None => Err(SwitchError::new(SwitchStep::Map, io::Error::last_os_error())),
        }
    }

    fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping has so many words, is aligned to a page, and lives as long as `self`.
        // The kernel changes it meanwhile, so it is seen through atomics.
        unsafe { std::slice::from_raw_parts(self.page.as_ptr(), self.head_words + self.data_words) }
    }

    /// Takes what is there, and gives the kernel the place back. False if the kernel's numbers
    /// cannot be: nothing is taken then.
    pub(crate) fn take(&self, to: &mut Vec<u64>) -> bool {
        to.clear();
        let (page, data) = self.words().split_at(self.head_words);
        let (Some(head), Some(tail)) = (page.get(DATA_HEAD), page.get(DATA_TAIL)) else {
            return false;
        };
        // Acquire: the records before it are written.
        let (until, from) = (head.load(Ordering::Acquire), tail.load(Ordering::Relaxed));
        let words = usize::try_from(until.wrapping_sub(from) / 8).unwrap_or(usize::MAX);
        let is_sound = words <= data.len() && (until | from).is_multiple_of(8);
        if is_sound {
            let first = from as usize / 8;
            let word = |at: usize| data.get((first + at) & (data.len() - 1));
            to.extend((0..words).filter_map(word).map(|word| word.load(Ordering::Relaxed)));
        }
        // Release: they are read.
        tail.store(until, Ordering::Release);
        is_sound
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let bytes = (self.head_words + self.data_words) * 8;
        // SAFETY: the mapping that `map` made; nothing refers to it any more.
        let _ = unsafe { libc::munmap(self.page.as_ptr().cast(), bytes) };
    }
}
