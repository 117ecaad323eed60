//! Events from recordings of the JDK's JFR (`.jfr` files of format 2, JDK 11
//! and later).
//!
//! A file is a sequence of chunks. Each chunk describes the types of its events and has the
//! constants that they refer to, so it is read by itself:
//!
//! | module | reads |
//! |---|---|
//! | `bytes` | numbers and texts, compressed or not |
//! | `chunk` | the header of a chunk, and where its events begin and end |
//! | `metadata` | the description of the types |
//! | `layout` | what a value of a type consists of, so that it can be passed over |
//! | `constants` | symbols, classes, methods, stacks and threads |
//! | `chunk_reader` | values of an event's fields |
//! | `samples` | `jdk.ExecutionSample` and `jdk.NativeMethodSample` |
//! | `clock` | `jfathom.Clock`: the session's clock |
//! | `stack_walks` | `jfathom.Stack`: the stacks of calls |
//! | `thread_events` | waits, pauses and exceptions: `jdk.ThreadPark`, `jdk.GCPhasePause` and others |
//! | `recording` | a whole file, each kind of event by its own reader |
//!
//! The bytes may be anything. No input makes the reader panic or run without end, and memory grows
//! with the bytes that were read, never with announced numbers.
#![forbid(unsafe_code)]

mod bytes;
mod chunk;
mod chunk_reader;
mod clock;
mod constants;
mod error;
mod layout;
mod metadata;
mod recording;
mod samples;
mod stack_walks;
mod thread_events;
mod threads;

pub use chunk::CHUNK_LIMIT;
pub use clock::{ClockReading, JfrTicks, SessionClock, SessionTicks};
pub use error::{JfrError, Problem};
pub use recording::Recording;
pub use samples::{Sample, SampleKind, SampledMethod, Samples, Stack};
pub use stack_walks::StackWalk;
pub use thread_events::{ThreadEvent, ThreadEventKind, ThreadEvents};
pub use threads::{JfrThread, JfrThreadIx, Threads};
