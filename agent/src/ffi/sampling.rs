//! Samples of running threads' stacks: a timer on each thread's running time sends it SIGPROF, and
//! the handler has HotSpot's `AsyncGetCallTrace` write the stack into a slot, which the agent's
//! thread empties.
//!
//! The handler runs wherever the program was interrupted: it takes no lock, allocates nothing,
//! waits for nobody, and has nothing that could panic. Once installed it stays, as the signal's
//! default would end the process; while no session samples, it does nothing. What it uses is made
//! once and stays for the JVM's life.

mod call_trace;
mod handler;
mod slots;
mod timer;

pub use slots::Sample;
pub use timer::ThreadTimer;

use super::clock::SessionClock;
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// How long the end of sampling waits for handlers that are running.
const QUIET_TIMEOUT: Duration = Duration::from_millis(50);
/// How often it looks.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Why no stacks are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SamplingError {
    /// The JVM has no `AsyncGetCallTrace`, or does not show it to the libraries that it loads.
    #[error("the JVM has no AsyncGetCallTrace")]
    NoCallTrace,
    /// SIGPROF has a handler that is not ours.
    #[error("another profiler in the JVM uses SIGPROF")]
    SignalTaken,
    /// The kernel refuses the handler.
    #[error("the handler of SIGPROF cannot be installed: {0}")]
    Handler(Errno),
    /// The process may not have so much memory.
    #[error("no memory for samples: {0}")]
    Memory(Errno),
}

/// Makes what samples need, and installs the handler, which does nothing before [`open`].
///
/// # Errors
/// Fails if the JVM or the process cannot be sampled.
pub fn prepare() -> Result<(), SamplingError> {
    handler::prepare()
}

/// Takes samples of the threads that [`ThreadTimer`]s interrupt from here on. Forgets samples and
/// counts of earlier sessions.
pub fn open(clock: SessionClock) {
    handler::open(clock);
}

/// Samples no more. Handlers that are still running after a bounded time change nothing that is
/// read before the next session.
pub fn close() {
    handler::close();
    let began = Instant::now();
    while !handler::is_quiet() && began.elapsed() < QUIET_TIMEOUT {
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Whether SIGPROF still is ours.
pub fn has_signal() -> bool {
    handler::has_signal()
}

/// Gives `each` the samples so far, in the order in which they were begun.
pub fn drain(each: impl FnMut(Sample<'_>)) {
    handler::drain(each);
}

/// Gives the memory of drained samples back to the kernel, unless a handler is running.
pub fn release_memory() {
    handler::release_memory();
}

/// How many samples since [`open`] have no stack: those that the JVM could not walk, and those that
/// found no free slot.
pub fn lost() -> (u64, u64) {
    handler::lost()
}

/// Some of the threads that were interrupted since the last call and that the JVM does not know,
/// by the kernel's ids.
pub fn unknown_threads() -> impl Iterator<Item = u32> {
    handler::unknown_threads()
}
