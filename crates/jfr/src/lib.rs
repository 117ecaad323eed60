//! Samples of stacks from recordings of the JDK's JFR (`.jfr` files of format 2, JDK 11
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
//! | `constants` | symbols, classes, methods and stacks |
//! | `samples` | `jdk.ExecutionSample` and `jdk.NativeMethodSample` |
//!
//! The bytes may be anything. No input makes the reader panic or run without end, and memory grows
//! with the bytes that were read, never with announced numbers.
#![forbid(unsafe_code)]

mod bytes;
mod chunk;
mod constants;
mod error;
mod layout;
mod metadata;
mod samples;

pub use chunk::CHUNK_LIMIT;
pub use error::{JfrError, Problem};
pub use samples::{Sample, SampleKind, SampledMethod, Samples, Stack};
