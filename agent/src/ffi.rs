//! The border to the JVM: JNI, JVMTI, its callbacks, and the memory that a session's file is mapped
//! to. All unsafe code of the room is below this module.
//!
//! What is handed out is safe to use as long as the JVM keeps JNI's and JVMTI's promises:
//! references carry the lifetime of the native frame that they were made in, memory that JVMTI
//! allocated is given back by a guard, and nothing unwinds into the JVM ([`guard`]).
#![allow(unsafe_code)]

mod callbacks;
mod entry;
mod error;
mod guard;
pub mod interception;
mod jni;
mod jvmti;
mod natives;
mod range;
mod reference;
mod table;

pub use error::JvmtiError;
pub use jni::{Jni, Value};
pub use jvmti::{Event, Jvmti};
pub use range::AddressRange;
pub use reference::{Global, Local, Method, Object, Weak};
