//! The session file: shared memory between the Java runtime, which writes records, and the
//! collector, which consumes them.
//!
//! A recording has one private *session directory* ([`SessionDir`]); each JVM makes its own file
//! there. The file holds a header, texts, tables and one ring for each thread ([`layout`],
//! `docs/trace-format.md`). A live file is a [`SessionFile`]: it hands records to a [`Sink`].
//! [`offline`] reads the file of a dead JVM.
//!
//! Another process writes the bytes, so none of them is trusted. A damaged file gives a
//! [`TraceError`], never a panic.
//!
//! A record is one non-zero 64-bit word, which the consumer sees as soon as it is stored. `map.rs`
//! and `guard.rs` have all unsafe code. A JVM can shorten a file that the collector has mapped: the
//! guard puts zeros in place of the missing pages, where the kernel would end the collector by
//! SIGBUS.
#![deny(unsafe_code)]

pub mod layout;
pub mod producer;
pub mod record;
pub mod ring;
pub mod slots;
pub mod sync;

#[cfg(not(loom))]
mod allowance;
#[cfg(not(loom))]
mod counters;
#[cfg(not(loom))]
mod descriptor;
#[cfg(not(loom))]
mod error;
#[cfg(not(loom))]
mod file;
#[cfg(not(loom))]
mod guard;
#[cfg(not(loom))]
mod header;
#[cfg(not(loom))]
mod info;
#[cfg(not(loom))]
pub mod map;
#[cfg(not(loom))]
pub mod offline;
#[cfg(not(loom))]
mod owned_file;
#[cfg(not(loom))]
mod reading_methods;
#[cfg(not(loom))]
mod session;
#[cfg(not(loom))]
mod sink;
#[cfg(not(loom))]
mod stack_interval;
#[cfg(not(loom))]
mod store;

#[cfg(not(loom))]
pub use self::{
    allowance::Allowance,
    counters::{Counter, Counts},
    descriptor::{RingIx, RingPosition, ThreadInfo},
    error::{TraceError, TraceErrorKind},
    file::{OpenOutcome, SessionFile},
    guard::guard_mappings,
    header::{AllocatedBy, Clock, ClockKind, Header, JvmState, LiveState, LossCounters, Recording},
    info::{InfoEntry, ManifestRef},
    reading_methods::ReadingMethods,
    session::{SessionDir, SessionEntry},
    sink::Sink,
    stack_interval::StackIntervalIx,
    store::{overflow_dir, overflow_of},
};
