//! The context switches of the threads of one process, as Linux tells them
//! (perf_event_open(2)): when each thread left its processor, whether it would have gone on
//! (*preempted*) or had to wait for something (*blocked*), and when it came back.
//!
//! A dummy event counts nothing; it only has the kernel write a record at each switch into a ring
//! of that processor. So the process pays for its switches and for nothing else. A process of the
//! same user may be watched unless `/proc/sys/kernel/perf_event_paranoid` is 3 or more, or a
//! sandbox refuses the call.
//!
//! `sys.rs` has all unsafe code. What the kernel's rings hold is checked like any input.

mod attr;
mod cpus;
mod error;
mod intervals;
mod record;
mod sys;
mod timens;
mod watch;

pub use error::{SwitchError, SwitchStep};
pub use intervals::{Interval, OffCpu};
pub use timens::namespace_offset;
pub use watch::{Polled, SwitchWatch, check};

/// A moment in ns of `CLOCK_MONOTONIC`, as processes outside of any time namespace read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

/// The id of a thread, as this process sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tid(pub u32);
