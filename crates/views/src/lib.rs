//! What people look at in a profile, as values: its threads alone, in pools or added up; only the
//! call paths through chosen methods; the callers and callees of a method; back traces. Text, page
//! and terminal show the same because they ask here.
#![forbid(unsafe_code)]

mod backtraces;
mod edges;
mod filter;
mod hot;
mod names;
pub mod number;
mod pools;
mod scope;
mod shown;

pub use backtraces::{Backtrace, backtraces};
pub use edges::{Edge, Edges, Stanza};
pub use filter::{Filter, FilterKind};
pub use hot::Sort;
pub use names::{Names, fit, method_with_parameters, thread_name};
pub use scope::{Scope, ThreadTrees};
pub use shown::Shown;

#[cfg(test)]
mod tests;
