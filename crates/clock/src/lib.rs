//! The processor's counter, as clock of recordings: the TSC of x86-64 (Intel SDM vol. 3, §19.17) or
//! the virtual counter of aarch64 (Arm ARM, `CNTVCT_EL0`).
//!
//! A JVM reads it by a static native method. Rewritten programs load [`LIBRARY`]; live, the agent
//! registers [`READ`]. Both read the counter without waiting for earlier instructions: an ordered
//! read costs as much as `System.nanoTime`.
//!
//! `watch.rs` compares the counter with the kernel's clocks while the collector records.

mod watch;

pub use watch::{ClockReport, ClockWatch, Moment};

use rustix::fd::AsFd;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use rustix::time::{ClockId, clock_gettime};
use std::ffi::{CStr, c_void};

/// A shared library (ELF) with `Java_jfathom_runtime_TscLibrary_read`, which reads the counter,
/// `Java_jfathom_runtime_VmSymbols_address`, which gives the addresses of [`VM_SYMBOLS`], and
/// `Java_jfathom_runtime_ThreadCpu_nanos`, which reads the CPU clock of the thread; empty where no
/// counter is known. It needs no other library.
pub const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libjfathomclock.so"));

/// Variables that HotSpot's libjvm exports for the serviceability agent (`vmStructs.hpp`): the
/// table of the JVM's own structures, and the layout of its entries. A JVM may lack them.
pub const VM_SYMBOLS: [&CStr; 7] = [
    c"gHotSpotVMStructs",
    c"gHotSpotVMStructEntryTypeNameOffset",
    c"gHotSpotVMStructEntryFieldNameOffset",
    c"gHotSpotVMStructEntryTypeStringOffset",
    c"gHotSpotVMStructEntryIsStaticOffset",
    c"gHotSpotVMStructEntryOffsetOffset",
    c"gHotSpotVMStructEntryArrayStride",
];

/// A static native method without parameters that returns a `long` (JNI, "Native Method
/// Arguments"): the environment and the class are not looked at, and may be null.
pub type NativeRead = extern "system" fn(env: *mut c_void, class: *mut c_void) -> i64;

/// Reads the counter; none where no counter is known.
pub const READ: Option<NativeRead> = arch::READ;

/// The counter's value now, in ticks; none where no counter is known.
pub fn now() -> Option<i64> {
    READ.map(|read| read(std::ptr::null_mut(), std::ptr::null_mut()))
}

/// The CPU time of the thread that calls this, in ns; none if the kernel does not tell it.
pub fn thread_cpu_nanos() -> Option<i64> {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec.checked_mul(1_000_000_000)?.checked_add(time.tv_nsec)
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use super::{NativeRead, c_void};

    pub(super) const READ: Option<NativeRead> = Some(read);

    extern "system" fn read(_env: *mut c_void, _class: *mut c_void) -> i64 {
        // SAFETY: Linux lets programs read the counter, unless they ask for a fault by prctl.
        unsafe { core::arch::x86_64::_rdtsc() }.cast_signed()
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use super::{NativeRead, c_void};

    pub(super) const READ: Option<NativeRead> = Some(read);

    extern "system" fn read(_env: *mut c_void, _class: *mut c_void) -> i64 {
        let ticks: u64;
        // SAFETY: reads a register that Linux opens to programs, and changes nothing else.
        unsafe {
            core::arch::asm!(
                "mrs {}, cntvct_el0",
                out(reg) ticks,
                options(nomem, nostack, preserves_flags)
            );
        }
        ticks.cast_signed()
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    pub(super) const READ: Option<super::NativeRead> = None;
}

/// Whether code of the file can be executed: not on a file system that is mounted `noexec`, as
/// containers mount /dev/shm. The file must not be empty.
pub fn is_executable(file: impl AsFd) -> bool {
    const PAGE: usize = 4096;
    let protection = ProtFlags::READ | ProtFlags::EXEC;
    // SAFETY: a new private mapping at an address that the kernel chooses, which nobody reads.
    let mapped =
        unsafe { mmap(std::ptr::null_mut(), PAGE, protection, MapFlags::PRIVATE, file.as_fd(), 0) };
    let Ok(page) = mapped else { return false };
    // SAFETY: the mapping that was made above; nothing refers to it.
    let _ = unsafe { munmap(page, PAGE) };
    true
}

#[cfg(test)]
mod tests;
