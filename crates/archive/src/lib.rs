//! Containers of Java classes, in and out: jars (nested, multi-release, signed), class directories
//! and the modules of a JDK.
//!
//! This crate moves bytes. It knows what a jar is and what a manifest says; it knows neither class
//! files' insides nor probes. The three jobs are:
//!
//! - [`Input::open`], [`open_all`], [`Input::open_module`]: find and check a container, within
//!   [`Limits`];
//! - [`Input::visit`]: show every class to a function, on all cores, results in the order of the
//!   input;
//! - [`rewrite`]: let a function replace classes, and write the container again with everything
//!   else copied as it is.
//!
//! What is unusual but harmless is told as a [`Notice`]; what cannot be done is an [`Error`] with
//! its [`Location`].
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod additions;
mod class_path;
mod codec;
mod create;
mod destination;
mod directory;
mod entry;
mod error;
mod given_names;
mod identity;
mod input;
mod jdk;
mod jimage;
mod limits;
mod links;
mod manifest;
mod module;
mod name;
mod nested;
mod notice;
mod place;
mod rewrite;
mod signature;
mod staging;
mod store;
mod visit;
mod walk;
mod work;
mod zip;

pub use additions::{Additions, ManifestEdit, NewEntry};
pub use class_path::{Opened, open_all};
pub use create::create_jar;
pub use destination::{Destination, OutputForm, destinations};
pub use entry::{Entry, EntryId};
pub use error::{Error, ErrorKind};
pub use input::{Input, InputKind};
pub use jdk::{Jdk, JdkClass, JdkModule};
pub use limits::{Limit, Limits};
pub use manifest::{JarManifest, Section};
pub use module::modules;
pub use name::EntryName;
pub use notice::{Notice, OutsideReason};
pub use place::Location;
pub use rewrite::{ContainerCounts, Outcome, Prepared, Replace, prepare, rewrite};
pub use staging::Staging;
pub use store::{ByteCache, StoreError};
pub use visit::Visited;
pub use work::{Progress, Work};
