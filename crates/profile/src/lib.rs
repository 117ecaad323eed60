//! From records to a profile: the calling context tree, its file, and what is computed from it.
//!
//! [`Builder`] takes the records of one JVM's threads and keeps the calling context tree; [`Feeder`] is a builder behind a
//! trace's [`jfathom_trace::Sink`]. [`Builder::finish`] makes a [`Profile`]. Profiles of several JVMs are merged with
//! [`merge()`]; [`Profile::write`] and [`Profile::read`] keep them in `.jfp` files (`docs/profile-format.md`).
//!
//! Times are [`Ticks`] of the recording's clock; [`TickRate::nanos`] turns them into nanoseconds at the edges. The room does
//! no I/O: readers and writers are handed in.
#![forbid(unsafe_code)]

mod anchor;
mod builder;
mod calibration;
mod compensate;
mod costs;
mod diff;
mod envelope;
mod feeder;
mod file;
mod frame;
mod gate;
mod growth;
mod header;
mod hot;
mod id_table;
mod live;
mod matching;
mod mean;
mod merge;
mod meta;
mod method;
mod minimum;
mod mode;
mod profile;
mod quality;
mod residual;
mod runs;
mod sequence;
pub mod significance;
mod surroundings;
mod time;
mod tree;

pub use anchor::Anchor;
pub use builder::{Builder, Checkpoint, Context, MethodCost, ThreadHandle};
pub use calibration::{Batches, Calibration, CallKind, Phase};
pub use compensate::{Corrected, Status, Times, compensate, compensate_with};
pub use costs::{Cost, Costs, Estimator};
pub use diff::{
    Calls, CallsChange, ContextDiff, ContextFrame, Diff, FALSE_DISCOVERIES, MethodDiff, RootDiff, RootKind, TimeDiff,
    TimeKind, diff,
};
pub use envelope::FileError;
pub use feeder::Feeder;
pub use frame::{Frame, MethodIx, NodeIx, ThreadIx};
pub use gate::{CallLimit, CallsVerdict, Gate, GateError, LEVEL, LEVEL_IN_TURN, Limits, RootVerdict, Verdict, gate};
pub use hot::{HotMethod, hot_methods, hot_methods_with};
pub use live::{LiveFacts, LiveRootFacts};
pub use matching::{How, Matching, Pair, match_methods};
pub use mean::collect_runs;
pub use merge::{merge, merge_threads, merge_threads_with};
pub use meta::{ClockFacts, Jvm, Machine, Meta, Provenance};
pub use method::{Method, MethodInfo, MethodNames};
pub use minimum::minimum;
pub use mode::{Demotion, Mode, ThreadCount};
pub use profile::{Profile, Thread};
pub use quality::{Loss, Quality};
pub use residual::{EarlyResidual, QueuedResidual, Residual, TimedResidual};
pub use runs::{MethodCounts, Run, RunFacts, ThreadTimes};
pub use sequence::{Point, Sequence};
pub use surroundings::{in_turn, surroundings};
pub use time::{Nanos, TickRate, Ticks};
pub use tree::{Siblings, Tree};
