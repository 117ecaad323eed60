//! Opens the class path and the JDK of a program as one world for the reachability analysis.
//!
//! [`open`] takes paths of a class path, [`open_inputs`] containers that are open already. Both
//! find the JDK that the program runs on. The result, [`OpenedWorld`], is a
//! [`ClassSource`](jfathom_reachability::ClassSource) and makes
//! [`World`](jfathom_reachability::World)s. With a [`Cache`] it keeps an index of each container,
//! so the next world of the same containers does not read their class files.
//!
//! A JVM's class path is taken as the JVM takes it: what cannot be read there is passed over with a
//! notice, and so is an unreadable entry of a jar. An input that the user names must be readable. A
//! damaged index is built anew.
#![forbid(unsafe_code)]

mod cache;
mod error;
mod indexing;
mod jar_index;
mod jdk;
mod jdk_index;
mod notice;
mod opened;
mod options;
mod program;
mod services;

pub use error::Error;
pub use jdk::JdkInfo;
pub use notice::Notice;
pub use opened::{OpenedWorld, Statistics, open, open_inputs};
pub use options::{Cache, Options};
