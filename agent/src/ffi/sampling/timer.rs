//! Timers on the running time of single threads (timer_create(2)). By the kernel's own calls, since
//! glibc before 2.34 has its functions for them in a library that need not be loaded.

use std::ffi::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::ptr::null_mut;
use std::time::Duration;

/// Low bits of the kernel's id of a thread's CPU clock: of one thread, and by the scheduler's
/// measure (`CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED`). Above them stand the inverted bits of the
/// thread's id.
const THREAD_CLOCK: c_int = 4 | 2;

/// Sends a thread SIGPROF whenever it has run for a period. Deleted when it is dropped: the kernel
/// keeps timers of threads that are gone.
#[derive(Debug)]
pub struct ThreadTimer(c_int);

impl ThreadTimer {
    /// Starts a timer for a thread of this process, by the kernel's id. The first signal comes
    /// after `first`, which is not zero.
    ///
    /// # Errors
    /// The kernel's: EINVAL if there is no such thread, EAGAIN if the process has too many timers.
    pub fn start(thread: u32, first: Duration, period: Duration) -> io::Result<Self> {
        let thread = c_int::try_from(thread).map_err(|_| io::ErrorKind::InvalidInput)?;
        // SAFETY: zeros are a value of the structure.
        let mut event: libc::sigevent = unsafe { MaybeUninit::zeroed().assume_init() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = libc::SIGPROF;
        event.sigev_notify_thread_id = thread;
        let (clock, mut id) = (!thread << 3 | THREAD_CLOCK, 0);
        // SAFETY: the kernel reads the event and writes the id.
        check(unsafe {
            libc::syscall(libc::SYS_timer_create, clock, &raw mut event, &raw mut id)
        })?;
        let timer = Self(id);
        let times = libc::itimerspec { it_value: timespec(first), it_interval: timespec(period) };
        let none = null_mut::<libc::itimerspec>();
        // SAFETY: the kernel reads the times; nobody asks for the former ones.
        check(unsafe { libc::syscall(libc::SYS_timer_settime, id, 0, &raw const times, none) })?;
        Ok(timer)
    }
}

impl Drop for ThreadTimer {
    fn drop(&mut self) {
        // SAFETY: the timer is ours, and deleted once.
        unsafe { libc::syscall(libc::SYS_timer_delete, self.0) };
    }
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn timespec(duration: Duration) -> libc::timespec {
    libc::timespec {
        tv_sec: duration.as_secs() as libc::time_t,
        tv_nsec: duration.subsec_nanos().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_is_not_there_has_no_timer() {
        let hour = Duration::from_secs(3600);
        let own = rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned();
        assert!(ThreadTimer::start(own, hour, hour).is_ok());
        // The kernel's ids end before it.
        let error = ThreadTimer::start(1 << 22, hour, hour).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::EINVAL));
    }
}
