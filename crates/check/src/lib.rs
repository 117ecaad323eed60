//! (original, output) → what differs beyond the probes: reads outputs back with readers that are
//! not ours.
//!
//! The rewriter and the archive room are judged here by others: archives are read by the `zip`
//! crate, class files by `cafebabe`, and no line of `classfile-writer`, `rewriter` or `archive` is
//! used. What is known of us is the [`Contract`]: the names of the
//! probes ([`jfathom_plan::probe`]), the ids that the manifest gives, and what is added to a
//! container.
//!
//! - [`archive`] holds a jar against its original, on all cores: entries, sizes, CRCs, methods, and
//!   each entry as below.
//! - [`entry`] holds one entry, or one file of a directory, against its original.
//! - [`class`] takes the probes out of a class and compares what is left, instruction by
//!   instruction, with all its tables.
//! - [`listing`] shows a method before and after, with the probes marked.
//!
//! What these readers refuse in an original is *not checked*, which is no fault; `docs/checking.md`
//! lists what is compared and what is not. Nothing here reads or writes a file.
#![forbid(unsafe_code)]

mod align;
mod archive;
mod attributes;
mod class;
mod code;
mod constants;
mod constructor;
mod contract;
mod covers;
mod cursor;
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
mod pins;
mod read;
mod segments;
mod tables;

pub use archive::archive;
pub use class::class;
pub use contract::Contract;
pub use entry::entry;
pub use finding::{Fault, Finding, Outcome, Verdict};
pub use listing::{Listing, Row, listing};
