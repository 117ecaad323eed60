//! (class bytes, plan) → class bytes: puts probes into the methods that a plan names.
//!
//! One class at a time, alone: no class hierarchy, no file, no clock. The constant pool is only appended to, what is not
//! touched is copied as bytes, stack maps are shifted and extended but never recomputed, and no member is ever added.
//! What cannot be done safely is left as it was, per method or class, with a named [`SkipReason`].
//!
//! [`Rewriter`] does the work, [`survey`] reads what a chooser needs to know, [`module_name`] reads a module descriptor.
#![forbid(unsafe_code)]

mod annotations;
mod calls;
mod constructor;
mod descriptor;
mod digest;
mod hand_off;
mod handlers;
mod lines;
mod method;
mod place;
mod probes;
mod pure;
mod rewrite;
mod rows;
mod runtime_uses;
mod survey;
mod task_frames;
mod trivial;

pub use jfathom_plan::{Skip, SkipReason};
pub use rewrite::{Instrumented, Options, Rewriter, Rewritten};
pub use runtime_uses::runtime_uses;
pub use survey::{Digests, module_name, survey};
