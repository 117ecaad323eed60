//! The address range into which session files are mapped.

use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous};
use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Bytes that are requested first; each further attempt requests half.
const MAX_BYTES: u64 = 64 << 30;
/// The last attempt.
const MIN_BYTES: u64 = 1 << 30;

/// Addresses that stay reserved for the JVM's life: the runtime holds them in constants.
///
/// Memory below [`AddressRange::used`] can always be read and written. It is a session's file, or
/// between sessions anonymous memory that nothing reads: a probe that comes late does no harm.
#[derive(Debug)]
pub struct AddressRange {
    base: usize,
    bytes: u64,
    /// Bytes from the base on that were ever mapped. Only grows; written by
    /// [`AddressRange::map`], after mapping.
    used: AtomicU64,
}

impl AddressRange {
    /// Reserves addresses without memory.
    ///
    /// # Errors
    /// Fails if the process may not have so many addresses.
    pub fn reserve() -> Result<Self, Errno> {
        let mut bytes = MAX_BYTES;
        loop {
            // SAFETY: the kernel chooses addresses that nobody uses.
            let reserved = unsafe {
                mmap_anonymous(
                    null_mut(),
                    usize::try_from(bytes).unwrap_or(usize::MAX),
                    ProtFlags::empty(),
                    MapFlags::PRIVATE | MapFlags::NORESERVE,
                )
            };
            match reserved {
                Ok(base) => {
                    return Ok(Self { base: base as usize, bytes, used: AtomicU64::new(0) });
                }
                Err(error) if bytes <= MIN_BYTES => return Err(error),
                Err(_) => bytes /= 2,
            }
        }
    }

    /// The first address.
    pub const fn base(&self) -> usize {
        self.base
    }

    /// How many bytes were ever mapped.
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Acquire)
    }

    /// Allocates disk space for a file's bytes from `from` to `to`, both multiples of the page
    /// size, and maps them at the same offsets of the range.
    ///
    /// # Errors
    /// Fails if the disk or the range has no space left.
    pub fn map(&self, file: &File, from: u64, to: u64) -> io::Result<()> {
        let len = to.checked_sub(from).filter(|len| *len > 0 && to <= self.bytes);
        let len = len.ok_or(io::Error::from(io::ErrorKind::OutOfMemory))?;
        allocate(file, from, len)?;
        // SAFETY: the pages lie inside the range, which is ours alone, and are of no other use:
        // they were reserved or belonged to a session that is over. The file has space for
        // them, so that no access can fail.
        unsafe {
            mmap(
                (self.base + from as usize) as *mut c_void,
                len as usize,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED | MapFlags::FIXED,
                file,
                from,
            )?;
        }
        self.used.fetch_max(to, Ordering::AcqRel);
        Ok(())
    }

    /// Replaces all mapped files by anonymous memory, which reads as zeros.
    ///
    /// # Errors
    /// Fails if the kernel refuses; the files stay mapped then.
    pub fn map_anonymous(&self) -> io::Result<()> {
        let len = self.used();
        if len == 0 {
            return Ok(());
        }
        // SAFETY: as in `map`; one call replaces the pages, so that there is no moment without.
        unsafe {
            mmap_anonymous(
                self.base as *mut c_void,
                len as usize,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED,
            )?;
        }
        Ok(())
    }

    fn at<T>(&self, offset: u64) -> Option<*const T> {
        let end = offset.checked_add(size_of::<T>() as u64)?;
        let inside = end <= self.used() && offset.is_multiple_of(align_of::<T>() as u64);
        inside.then(|| (self.base + offset as usize) as *const T)
    }

    /// The byte at an offset; none if nothing was ever mapped there.
    pub fn u8(&self, offset: u64) -> Option<&AtomicU8> {
        // SAFETY: below `used` memory is never taken away, the address is aligned, and whoever else
        // uses it uses atomics or is Java; every bit pattern is a value.
        self.at(offset).map(|at| unsafe { &*at })
    }

    /// The 32-bit word at an offset, a multiple of 4; none if nothing was ever mapped there.
    pub fn u32(&self, offset: u64) -> Option<&AtomicU32> {
        // SAFETY: as in `u8`.
        self.at(offset).map(|at| unsafe { &*at })
    }

    /// The 64-bit word at an offset, a multiple of 8; none if nothing was ever mapped there.
    pub fn u64(&self, offset: u64) -> Option<&AtomicU64> {
        // SAFETY: as in `u8`.
        self.at(offset).map(|at| unsafe { &*at })
    }
}

/// Gives a file space on the disk, so that writing to a mapping of it never fails.
fn allocate(file: &File, from: u64, len: u64) -> io::Result<()> {
    match fallocate(file, FallocateFlags::empty(), from, len) {
        // A file system without fallocate.
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => {
            let zeros = vec![0; 1 << 16];
            let (mut at, end) = (from, from + len);
            while at < end {
                let part = (end - at).min(zeros.len() as u64) as usize;
                std::os::unix::fs::FileExt::write_all_at(file, &zeros[..part], at)?;
                at += part as u64;
            }
            Ok(())
        }
        result => Ok(result?),
    }
}
