//! What people look at in a profile, as values: its threads alone, in pools or added up; only the
//! call paths through chosen methods; the callers and callees of a method; back traces. Text, page
//! and terminal show the same because they ask here.
#![forbid(unsafe_code)]

mod backtraces;
mod bytes;
mod column;
mod comparison;
mod date;
mod differences;
mod edges;
mod event_sums;
mod events;
mod filter;
mod hot;
mod latency;
mod listing;
mod names;
mod nothing;
pub mod number;
mod path_sums;
mod pools;
mod pruned;
pub mod quality;
mod sampled_roots;
mod samples;
mod scope;
mod shown;
mod shown_tree;
mod slowest;
mod stack_walks;
mod trust;

pub use backtraces::{Backtrace, backtraces};
pub use column::{blocked_nanos, number_text, text_columns, value_text};
pub use comparison::Comparison;
pub use date::{date, file_time, minute};
pub use differences::{Difference, Differences};
pub use edges::{Edge, Edges, Stanza};
pub use event_sums::{KindSum, NameSum};
pub use events::unexplained;
pub use filter::{Filter, FilterKind};
pub use hot::Sort;
pub use latency::{QUANTILES, ShownDuration, ShownLatency, latencies};
pub use listing::{CallPosition, ListedCallee, listed_callees};
pub use names::{BETWEEN, BETWEEN_LEGEND, Names, fit, method_with_parameters, thread_name};
pub use nothing::Nothing;
pub use pruned::{Limits, Pruned};
pub use sampled_roots::{SampledRoot, sampled_roots};
pub use samples::{SampledShare, ShownSamples, sampled_name};
pub use scope::{Scope, StackWeight, ThreadTrees};
pub use shown::Shown;
pub use shown_tree::ShownTree;
pub use slowest::{
    HandOffArrow, SlowCall, SlowestCalls, begin_with_the_earliest, hand_off_arrows, slowest,
};
pub use stack_walks::{
    WalkedCaller, WalkedCallers, caller_levels, walk_interval, walked_callers, walked_callers_of,
    walks_doubt,
};
pub use trust::{method_verdicts, verdict_text};

#[cfg(test)]
mod tests;
