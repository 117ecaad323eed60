//! From records to a profile: the calling context tree, its file, and what is computed from it.
//!
//! [`Builder`] takes the records of one JVM's threads and keeps the calling context tree;
//! [`Feeder`] is a builder behind a trace's [`jfathom_trace::Sink`]. [`Builder::finish`] makes a
//! [`Profile`]. Profiles of several JVMs are merged with [`merge()`]; [`Profile::write`] and
//! [`Profile::read`] keep them in `.jfp` files (`docs/profile-format.md`).
//!
//! Times are [`Ticks`] of the recording's clock; [`TickRate::nanos`] turns them into nanoseconds at
//! the edges. The room does no I/O: readers and writers are handed in.
#![forbid(unsafe_code)]

mod anchor;
mod builder;
mod calibration;
mod compensate;
mod conditions;
mod costs;
mod diff;
mod envelope;
mod feeder;
mod file;
mod frame;
mod gate;
mod header;
mod hot;
mod id_table;
mod live;
mod matching;
mod merge;
mod meta;
mod method;
mod minimum;
mod mode;
mod profile;
mod quality;
mod record_interval;
mod residual;
mod runs;
mod series;
pub mod significance;
mod time;
mod tree;
mod tree_builder;

pub use anchor::Anchor;
pub use builder::{Builder, Checkpoint, Context, MethodCost, ThreadHandle};
pub use calibration::{BatchStatistics, Calibration, CallKind, Phase};
pub use compensate::{CorrectedTimes, TimeStatus, Times, correct_times, correct_times_with};
pub use conditions::{are_interleaved, condition_differences};
pub use costs::{Cost, Costs, Estimator};
pub use diff::{
    Calls, CallsChange, ContextDiff, ContextFrame, Diff, FALSE_DISCOVERIES, MethodDiff, RootDiff,
    RootKind, TimeDiff, TimeKind, diff,
};
pub use envelope::FileError;
pub use feeder::BuilderSink;
pub use frame::{Frame, MethodIx, NodeIx, ThreadIx};
pub use gate::{
    ALPHA, ALPHA_INTERLEAVED, CallLimit, CallsVerdict, Gate, GateError, Limits, RootVerdict,
    Verdict, gate,
};
pub use hot::{HotMethod, hot_methods, hot_methods_with};
pub use live::{LiveRootInfo, LiveSessionInfo};
pub use matching::{MatchKind, Matching, MethodMatch, match_methods};
pub use merge::{merge, merge_threads, merge_threads_with};
pub use meta::{ClockInfo, Jvm, Machine, Meta, Provenance};
pub use method::{Method, MethodInfo, MethodNames};
pub use minimum::minimum;
pub use mode::{Demotion, Mode, ThreadCount};
pub use profile::{Profile, Thread};
pub use quality::{Loss, Quality};
pub use record_interval::{RecordIntervals, RecordKind};
pub use residual::{CompileQueueResidual, Residual, TimedResidual, WarmUpResidual};
pub use runs::{MethodCounts, Run, RunInfo, ThreadTimes};
pub use series::into_series;
pub use time::{Nanos, TickRate, Ticks};
pub use tree::{Siblings, Tree};
