//! The world of a program: its class path and its JDK, as reachability asks for them.
//!
//! [`open`] takes the files and directories of a class path, or [`open_inputs`] containers that are
//! open already, and finds the JDK that the program is to run on. What it gives, [`OpenedWorld`],
//! is a [`ClassSource`](jfathom_reachability::ClassSource)
//! and makes [`World`](jfathom_reachability::World)s. With a [`Cache`] it keeps an index of each
//! container, so that the next world of the same containers need not read their class files.
#![forbid(unsafe_code)]

mod cache;
mod error;
mod indexing;
mod jar_index;
mod jdk;
mod jdk_index;
mod key;
mod notice;
mod opened;
mod options;
mod program;
mod services;
mod statistics;

pub use error::Error;
pub use jdk::JdkInfo;
pub use notice::Notice;
pub use opened::{OpenedWorld, open, open_inputs};
pub use options::{Cache, Options};
pub use statistics::Statistics;
