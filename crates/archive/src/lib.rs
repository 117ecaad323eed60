//! Reads and writes containers of Java classes: jars (nested, multi-release, signed), class
//! directories, and modules of a JDK.
//!
//! The crate moves bytes. It knows containers and jar manifests, but no class files and no probes.
//!
//! - [`Input::open`], [`open_all`], [`open_class_path`] and [`Input::open_module`] open and check
//!   containers, within [`Limits`].
//! - [`Input::visit`] shows each class to a function, on all cores. The results are in the order of
//!   the input.
//! - [`rewrite`] writes a container again. A function replaces classes; everything else is copied
//!   unchanged.
//!
//! A [`Notice`] reports something unusual but harmless. An [`Error`] has the [`Location`] of its
//! cause.
//!
//! Entries that do not change are copied as compressed bytes, and the output does not depend on the
//! number of threads. Nothing is written outside of the output directory. Sizes are checked before
//! memory is allocated. Of a directory only plain files are taken. Jars stay in their files until
//! an entry is read; a jar that changed meanwhile is an error.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod additions;
mod archive_bytes;
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
mod jar_index;
mod jdk;
mod jimage;
mod limits;
mod links;
mod location;
mod manifest;
mod module;
mod name;
mod nested;
mod notice;
mod rewrite;
mod signature;
mod staging;
mod store;
mod visit;
mod walk;
mod work;
mod zip;

pub use additions::{Additions, ManifestEdit, NewEntry};
pub use class_path::{Opened, open_all, open_class_path, path_of_file_url};
pub use create::create_jar;
pub use destination::{Destination, OutputForm, destinations};
pub use entry::{Entry, EntryId};
pub use error::{Error, ErrorKind};
pub use input::{Input, InputKind};
pub use jdk::{Jdk, JdkClass, JdkModule, read_release};
pub use limits::{KeepBudget, Limit, Limits};
pub use location::Location;
pub use manifest::{JarManifest, Section};
pub use module::modules;
pub use name::EntryName;
pub use notice::{Notice, OutsideReason};
pub use rewrite::{ContainerCounts, Outcome, Prepared, Replace, prepare, rewrite};
pub use staging::Staging;
pub use store::{ByteCache, StoreError};
pub use visit::Visited;
pub use work::{Progress, Work};
