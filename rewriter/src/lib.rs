//! (class bytes, plan) → class bytes: puts probes into the methods that a plan names.
//!
//! One class at a time, alone: no class hierarchy, no file, no clock. The constant pool is only
//! appended to, what is not touched is copied as bytes, stack maps are shifted and extended but
//! never recomputed, and no member is ever added. What cannot be done safely is left as it was, per
//! method or class, with a named [`SkipReason`].
//!
//! [`Rewriter`] does the work, [`survey`] reads what a chooser needs to know, [`module_name`] reads
//! a module descriptor, [`add_hooks`] lets a live session follow reflection.
//!
//! # What a method becomes
//! - Its entry probe runs first, and once: a branch back to the first instruction lands behind it.
//! - An exit probe runs before each return, with the result on the operand stack below.
//! - One handler, last in the exception table, records the exceptional exit and rethrows. It covers
//!   what lies between the probes, not the probes and not the returns, so that no exit counts
//!   twice. Stretches that cannot throw are left out.
//! - A catch probe runs first in each exception handler: in front of it, or, where normal control
//!   leads there too, in a stub at the end of the code.
//! - A constructor has two such handlers, one for what runs before the call of `super()` or
//!   `this()` and one for the rest, because no handler may cover that call (JVMS 4.10.1.6). An
//!   exception out of the call itself is inferred by the consumer from the events around it. So is
//!   every exception of a constructor whose call is not certain ([`Rewritten::inferred_throws`]).
//! - With [`jfathom_plan::ClassPlan::hand_offs`], call sites that give a task to another thread
//!   mark it, and task methods (`run()V`, `call()Ljava/lang/Object;`, `compute()`, `exec()Z`) open
//!   a spawned tree. Their probes bracket the method's own; what the first one returned is kept in
//!   a local variable, for which all frames are extended.
//! - With [`jfathom_plan::ClassPlan::pin`], the numeric arguments of a method, or where it has none
//!   the first number that it reads from a field, are tied to its entry probe: no compiler may then
//!   start on its work before the clock is read ([`Pins`] counts what could not be tied, by
//!   reason).
//!
//! HotSpot does not compile code of more than 8,000 bytes. A method that would cross that limit
//! gets a leaner form or stays as it was; one that was beyond it before is instrumented like any
//! other. An intrinsic method runs without its bytecode once it is compiled, and so without probes:
//! that concerns JDK methods only.
//!
//! ```
//! use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
//! use jfathom_rewriter::{Digests, Options, Rewriter, Skip, survey};
//!
//! fn instrument_all(class_file: &[u8], first_id: u32) -> Result<Vec<u8>, Skip> {
//!     let class = survey(class_file, Digests::Leave)?;
//!     let with_code = class.methods.into_iter().filter(|method| method.code_length.is_some());
//!     let rows = with_code.zip(first_id..).map(|(method, id)| {
//!         let id = MethodId::new(id).expect("fewer than four million methods");
//!         MethodPlan { name: method.name, descriptor: method.descriptor, id, kind: ProbeKind::Every }
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
mod constructor;
mod descriptor;
mod digest;
mod hand_off;
mod hand_off_sites;
mod handlers;
mod hook;
mod lines;
mod member_refs;
mod method;
mod no_throw;
mod pin;
mod probes;
mod rewrite;
mod rows;
mod runtime_uses;
mod skips;
mod summary;
mod task_frames;
mod trivial;

pub use hook::{HOOKS, Hook, HookKind, add_hooks, installed_hooks};
pub use jfathom_plan::{Skip, SkipReason};
pub use rewrite::{Instrumented, Options, PinCounts, Rewriter, Rewritten};
pub use runtime_uses::is_used_by_runtime;
pub use summary::{Digests, module_name, summarize};
