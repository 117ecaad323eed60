//! How far a recording's shares of time agree with samples of uninstrumented runs.
//!
//! Probes slow methods down unevenly: a tiny method that the JIT compiler inlines in the
//! uninstrumented program may take a fifth of an instrumented one. The correction subtracts what is
//! known of that. A sampler disturbs the program little and evenly, so its shares show what the
//! correction missed.
//!
//! | module | from | to |
//! |---|---|---|
//! | `waits` | a thread's scheduling | the part of a node's time in which it waited |
//! | `contexts` | the tree, all threads together | call paths with their running times |
//! | `place` | the frames of a stack | the deepest call path that it has, and its method |
//! | `counts` | the samples of all runs | samples by method and call path |
//! | `sampled` | counts | shares with the error of so many samples and runs |
//! | `recorded` | running times and error bars | shares with their errors |
//! | `verdict` | both shares | confirmed, doubtful or distorted |
//! | `combined` | both shares | the best estimate of both |
//!
//! [`measure`] does all of it. `docs/decisions/0026-trust.md` has the reasons.
#![forbid(unsafe_code)]

mod combined;
mod contexts;
mod counts;
mod measure;
mod place;
mod sampled;
mod verdict;
mod waits;

pub use combined::{Bias, combine};
pub use measure::{TrustError, measure};
pub use sampled::{Estimate, RunCounts, Scatter};
pub use verdict::{Difference, judge};

#[cfg(test)]
mod tests;
