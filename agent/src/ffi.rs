//! The bindings to the JVM: JNI, JVMTI and its callbacks, and the memory into which session files
//! are mapped. All unsafe code of the crate is below this module, which imports nothing else of the
//! crate: it calls up through one trait, [`Handler`].
//!
//! Everything public is safe to use as long as the JVM keeps JNI's and JVMTI's promises. References
//! carry the lifetime of the native frame that they were made in. A guard gives back memory that
//! JVMTI allocated. Nothing unwinds into the JVM ([`guard`]).
#![allow(unsafe_code)]

mod callbacks;
mod clock;
pub mod entry;
mod error;
mod handler;
pub mod interception;
mod jni;
mod jvmti;
pub mod mounts;
mod natives;
mod range;
mod reference;
pub mod sampling;
mod symbols;
mod table;

pub use callbacks::{new_environment, plain_environment, start_agent_thread};
pub use clock::SessionClock;
pub(crate) use entry::entry_points;
pub use error::{JniError, JvmError, JvmtiError};
pub use handler::{ClassFile, Handler};
pub use jni::{Jni, Value};
pub use jvmti::Jvmti;
pub use natives::{INTERFACE, Native, register as register_natives};
pub use range::AddressRange;
pub use reference::{Global, Local, Method, Object, Weak};
pub use table::Event;
