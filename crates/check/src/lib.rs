//! (original, output) → what differs beyond the probes: reads outputs back with independent
//! readers.
//!
//! The `zip` crate reads archives and `cafebabe` reads class files. No line of `classfile-writer`,
//! `rewriter` or `archive` is used, so they are not judged by themselves. The [`Contract`] is all
//! that is shared: the names of the probes ([`jfathom_plan::probe`]), the ids of the manifest, and
//! what is added to a container.
//!
//! - [`archive`] compares a jar with its original, on all cores: entries, sizes, CRCs, methods, and
//!   each entry as below.
//! - [`entry`] compares one entry, or one file of a directory, with its original.
//! - [`class`] takes the probes out of a class and compares what is left, instruction by
//!   instruction, with all its tables.
//! - [`listing`] shows a method before and after, with the probes marked.
//!
//! A part of an original that the readers refuse is *not checked*, which is no fault.
//! `docs/checking.md` lists what is compared and what is not. Nothing here reads or writes a file.
#![forbid(unsafe_code)]

mod align;
mod alignment;
mod archive;
mod attributes;
mod class;
mod code;
mod constants;
mod constructor;
mod context;
mod contract;
mod covers;
mod cursor;
mod descriptor;
mod end;
mod entry;
mod exceptions;
mod finding;
mod forms;
mod frames;
mod guard;
mod hand_offs;
mod instruction;
mod jar_manifest;
mod listing;
mod method;
mod mnemonic;
mod read;
mod segments;
mod tables;
mod zip_view;

pub use archive::archive;
pub use class::class;
pub use contract::Contract;
pub use entry::entry;
pub use finding::{Fault, Finding, Outcome, Verdict};
pub use listing::{Listing, Row, listing};
