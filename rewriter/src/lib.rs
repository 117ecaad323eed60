//! (class bytes, plan) → class bytes: puts probes into the methods that a plan names.
//!
//! A rewriter sees one class at a time: no class hierarchy, no file, no clock. It only appends to
//! the constant pool, copies untouched parts as bytes, and shifts and extends stack maps without
//! recomputing them. It never adds a member. A method or class that cannot be rewritten safely is
//! skipped, with a [`SkipReason`].
//!
//! [`Rewriter`] does the work, [`summarize`] reads what selection needs, [`module_name`] reads a
//! module descriptor, [`method_lines`] reads a method's lines and calls, [`add_hooks`] lets a live
//! session follow reflection.
//!
//! # What a method becomes
//! - Its entry probe runs first, and once: a branch back to the first instruction lands behind it.
//! - An exit probe runs before each return. The method's result lies below on the operand stack.
//! - One handler, last in the exception table, records the exceptional exit and rethrows. It covers
//!   the code between the probes, without the probes and the returns, so that no exit counts twice.
//!   Stretches that cannot throw are left out.
//! - A catch probe runs first in each exception handler: in front of it, or, if normal control
//!   leads there too, in a stub at the end of the code.
//! - A constructor has two throw handlers, one for the code before the call of `super()` or
//!   `this()` and one for the rest. No handler can cover that call (JVMS 4.10.1.9), so the consumer
//!   infers an exception out of it from the records around it. It also infers every exception of a
//!   constructor whose call is not certain ([`Rewritten::inferred_throws`]).
//! - With [`jfathom_plan::ClassPlan::entry_alone`], small or all methods have nothing but an entry
//!   probe, which counts.
//! - With [`jfathom_plan::ClassPlan::resumptions`], a suspend function of Kotlin's passes a copy of
//!   its continuation's label to a probe, before the switch over it.
//! - With [`jfathom_plan::ClassPlan::hand_offs`], call sites that hand off a task mark it, and task
//!   methods (`run()V`, `call()Ljava/lang/Object;`, `compute()`, `exec()Z`) open a spawned tree.
//!   The task probes bracket the method's own. The first one's result is kept in a local variable,
//!   for which all frames are extended.
//! - With [`jfathom_plan::ClassPlan::regions`], source lines of a method have entry, exit and throw
//!   probes with an id of their own on each way into them and out
//!   (`docs/decisions/0028-regions.md`).
//!
//! HotSpot does not compile code of more than 8,000 bytes. A method that would cross that limit
//! gets a leaner form or is skipped. A method that was longer before is instrumented like any
//! other. An intrinsic method runs without its bytecode once it is compiled, and so without probes.
//! That concerns JDK methods only.
//!
//! ```
//! use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
//! use jfathom_rewriter::{Digests, Options, Rewriter, Skip, summarize};
//!
//! fn instrument_all(class_file: &[u8], first_id: u32) -> Result<Vec<u8>, Skip> {
//!     let class = summarize(class_file, Digests::Omit)?;
//!     let with_code = class.methods.into_iter().filter(|method| method.code_length.is_some());
//!     let rows = with_code.zip(first_id..).map(|(method, id)| {
//!         let id = MethodId::new(id).expect("fewer than four million methods");
//!         let kind = ProbeKind::Always;
//!         MethodPlan { name: method.name, descriptor: method.descriptor, id, kind }
//!     });
//!     let plan = ClassPlan { methods: rows.collect(), ..ClassPlan::default() };
//!     let mut rewriter = Rewriter::new(Options::default());
//!     let done = rewriter.rewrite(class_file, &plan)?;
//!     for skip in &done.skips {
//!         eprintln!("{} {:?}: {}", skip.class, skip.method, skip.reason);
//!     }
//!     Ok(done.bytes.to_vec())
//! }
//! # assert!(instrument_all(b"no class", 0).is_err());
//! ```
#![forbid(unsafe_code)]

mod annotations;
mod blocking_calls;
mod call_sites;
mod calls;
mod constructor;
mod descriptor;
mod digest;
mod hand_off;
mod hand_off_sites;
mod handlers;
mod hook;
mod member_refs;
mod method;
mod method_rewrite;
mod name_filter;
mod probes;
mod region;
mod resumable;
mod rewrite;
mod rows;
mod runtime_uses;
mod skips;
mod small;
mod summary;
mod trivial;

pub use call_sites::{method_lines, superclass};
pub use hook::{HOOKS, Hook, HookKind, add_hooks, installed_hooks};
pub use jfathom_plan::{Skip, SkipReason};
pub use resumable::may_resume;
pub use rewrite::{Instrumented, Options, Rewriter, Rewritten};
pub use runtime_uses::is_used_by_runtime;
pub use summary::{Digests, add_lines, module_name, summarize};
