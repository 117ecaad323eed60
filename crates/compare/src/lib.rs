//! Computing with profiles: sums, run series, minima, differences, and gates.
//!
//! [`merge`] adds profiles up, [`into_series`] keeps their runs apart, and [`minimum`] takes the
//! least. [`match_methods`] pairs the methods of two builds. [`diff`] compares two profiles, and
//! [`gate`] checks the difference against [`Limits`]. [`growth`] fits calls to the sizes of inputs.
//! `docs/comparison.md` explains the statistics.
#![forbid(unsafe_code)]

mod column;
mod conditions;
mod diff;
mod gate;
mod growth;
mod history;
mod hot;
mod join;
mod matching;
mod merge;
mod merged_threads;
mod method_table;
mod minimum;
mod same_program;
mod selected_methods;
mod series;
mod tree_path;

pub use column::{COLUMNS, Cells, Certainty, Column, ColumnUnit, Coverage, Prominence, Value};
pub use conditions::{are_interleaved, condition_differences};
pub use diff::{
    Caller, CallerDiff, Calls, CallsChange, ColumnDiff, ColumnRuns, ContextDiff, ContextFrame,
    Diff, DiffColumn, EventDiff, EventsDiff, FALSE_DISCOVERY_RATE, MeanEvents, MethodDiff,
    RootDiff, RootKind, TimeDiff, TimeKind, WalkedSide, WalksDiff, diff, events_by_kind,
};
pub use gate::{
    ALPHA, ALPHA_INTERLEAVED, CallLimit, CallsVerdict, ColumnVerdict, Gate, GateError, Limits,
    RatioLimit, RatioVerdict, RootVerdict, Verdict, gate,
};
pub use growth::{
    Growth, GrowthError, GrowthGate, GrowthLimit, GrowthVerdict, MethodGrowth, PowerFit, Trend,
    gate_growth, growth,
};
pub use history::{History, HistoryPoint, MethodHistory, Recorded};
pub use hot::{HotMethod, RootWithTimes, hot_methods, hot_methods_of, hot_methods_with};
pub use join::{JoinError, join};
pub use matching::{MatchKind, Matching, MethodMatch, match_methods};
pub use merge::merge;
pub use merged_threads::{merge_groups_with, merge_threads, merge_threads_with};
pub use minimum::minimum;
pub use same_program::{Likeness, have_common_run, likeness, shared_runs};
pub use selected_methods::{MethodSet, SelectedMethods, UnmatchedSelector};
pub use series::into_series;
