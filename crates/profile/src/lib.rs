//! Profiles: the calling context tree from records, what is stored with it, and the profile file.
//!
//! [`Builder`] consumes the records of one JVM's threads and keeps the calling context tree.
//! [`BuilderSink`] is a builder behind a trace's [`jfathom_trace::Sink`]. [`Builder::finish`] makes
//! a [`Profile`]. [`Profile::write`] and [`Profile::read`] keep profiles in `.jfp` files
//! (`docs/profile-format.md`). [`TreeSum`] adds trees up. The crates `calibration` and `compare`
//! compute with profiles.
//!
//! Times are [`Ticks`] of the recording's clock; [`TickRate::nanos`] turns them into nanoseconds at
//! the edges. The crate does no I/O: readers and writers are handed in.
//!
//! Each timed call has one of four outcomes: return, exception, inferred exit, or open at the end.
//! A method's four counts add up to its timed entries. A method's mode may change at any time: a
//! local variable of each call decides at its entry whether it is timed. Counted calls are nodes
//! without a time. A timeline (`build/builder/timeline.rs`) has the calls that took long enough to
//! find the innermost one at a moment, and `build/placement.rs` puts the JVM's events into them.
#![forbid(unsafe_code)]

mod build;
mod model;
mod store;

pub use build::builder::{
    Builder, BuilderNode, CallSums, Checkpoint, Context, OffCpuSpan, Part, ThreadHandle, Timeline,
    TreeSize,
};
pub use build::builder_sink::BuilderSink;
pub use build::excluded_times::SlowCallClocks;
pub use build::moved_events::EventMove;
pub use build::placement::{PlacedEvents, TimedEvent, place, place_in_slowest};
pub use build::tree_sum::{SumNode, TreeSum};
pub use model::allocation::{Allocation, AllocationSource, Mounts};
pub use model::anchor::Anchor;
pub use model::both::both;
pub use model::calibration::{BatchStatistics, Calibration, CallKind, KnownCalibration, Phase};
pub use model::cpu::{Cpu, CpuSource, OWN_CLOCK_ERROR_NANOS};
pub use model::demotion::{BudgetOutcome, Demotion, DemotionReason, Mode};
pub use model::events::{EventKind, EventName, EventSource, EventSum, Events, NodeEvent};
pub use model::frame::{Frame, MethodIx, NodeIx, ThreadIx};
pub use model::labels::{Label, LabelError, Labels};
pub use model::latency::{Bucket, Durations, Latencies, Latency, UnsampledCalls};
pub use model::limits::Limits;
pub use model::live::{LiveRootInfo, LiveSessionInfo};
pub use model::meta::{ClockDrift, ClockInfo, Jvm, Machine, Meta, Provenance};
pub use model::method::{Method, MethodInfo, MethodNames};
pub use model::metric::{Merge, Metric, MetricInfo, PerMetric, Runs, Unit};
pub use model::node_numbers::{Bytes, NodeNumbers};
pub use model::off_cpu::OffCpu;
pub use model::packed_numbers::PackedNumbers;
pub use model::profile::{Profile, Thread};
pub use model::quality::{Loss, Quality};
pub use model::runs::{MethodCounts, Run, RunInfo, ThreadTimes};
pub use model::scheduling::Scheduling;
pub use model::session_counts::{SessionCounts, SliceStart};
pub use model::slice::{Carried, Slice};
pub use model::slowest::{Activation, HandOff, HandOffs, Span, SpanEvent, SpanKind};
pub use model::stack_samples::{
    SampleAgreement, SampleCounts, SampleFrame, SampleIx, SampleNode, SampleSource, SampleTree,
    SampleTreeBuilder, SampledName, SamplesElsewhere, StackSamples,
};
pub use model::stack_walks::{StackWalks, WalkedMethod};
pub use model::time::{Nanos, TickRate, Ticks};
pub use model::tree::{MergedFrom, Siblings, Tree};
pub use model::trust::{
    ComparedShare, ContextTrust, MethodTrust, Trust, TrustSamples, TrustVerdict,
};
pub use store::file_error::FileError;
