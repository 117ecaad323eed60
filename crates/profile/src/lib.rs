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
//! without a time. A timeline (`builder/timeline.rs`) has the calls that took long enough to find
//! the innermost one at a moment, and `placement.rs` puts the JVM's events into them.
#![forbid(unsafe_code)]

mod allocation;
mod anchor;
mod body;
mod both;
mod builder;
mod builder_sink;
mod bytes;
mod calibration;
mod column;
mod columns;
mod count_table;
mod cpu;
mod demotion;
mod envelope;
mod events;
mod excluded_times;
mod file;
mod file_error;
mod frame;
mod hand_offs;
mod id_table;
mod labels;
mod latency;
mod limits;
mod live;
mod meta;
mod method;
mod metric;
mod mode;
mod mounts;
mod moved_events;
mod node_events;
mod node_numbers;
mod off_cpu;
mod pair_table;
mod placement;
mod possible_calls;
mod profile;
mod quality;
mod runs;
mod scheduling;
mod sections;
mod session_counts;
mod slice;
mod slowest;
mod sources;
mod stack_samples;
mod stack_walks;
mod stored_events;
mod time;
mod tree;
mod tree_builder;
mod tree_sum;
mod trust;
mod unread;

pub use allocation::{Allocation, AllocationSource};
pub use anchor::Anchor;
pub use both::both;
pub use builder::{
    Builder, BuilderNode, CallSums, Checkpoint, Context, OffCpuSpan, Part, ThreadHandle, Timeline,
    TreeSize,
};
pub use builder_sink::BuilderSink;
pub use bytes::Bytes;
pub use calibration::{BatchStatistics, Calibration, CallKind, KnownCalibration, Phase};
pub use column::Column;
pub use cpu::{Cpu, CpuSource, OWN_CLOCK_ERROR_NANOS};
pub use demotion::{BudgetOutcome, Demotion, DemotionReason};
pub use events::{EventKind, EventName, EventSource, EventSum, Events, NodeEvent};
pub use excluded_times::SlowCallClocks;
pub use file_error::FileError;
pub use frame::{Frame, MethodIx, NodeIx, ThreadIx};
pub use hand_offs::{HandOff, HandOffs};
pub use labels::{Label, LabelError, Labels};
pub use latency::{Bucket, Durations, Latencies, Latency, UnsampledCalls};
pub use limits::Limits;
pub use live::{LiveRootInfo, LiveSessionInfo};
pub use meta::{ClockDrift, ClockInfo, Jvm, Machine, Meta, Provenance};
pub use method::{Method, MethodInfo, MethodNames};
pub use metric::{Merge, Metric, MetricInfo, PerMetric, Runs, Unit};
pub use mode::Mode;
pub use mounts::Mounts;
pub use moved_events::EventMove;
pub use node_numbers::NodeNumbers;
pub use off_cpu::OffCpu;
pub use placement::{PlacedEvents, TimedEvent, place, place_in_slowest};
pub use profile::{Profile, Thread};
pub use quality::{Loss, Quality};
pub use runs::{MethodCounts, Run, RunInfo, ThreadTimes};
pub use scheduling::Scheduling;
pub use session_counts::{SessionCounts, SliceStart};
pub use slice::{Carried, Slice};
pub use slowest::{Activation, Span, SpanEvent, SpanKind};
pub use stack_samples::{
    SampleAgreement, SampleCounts, SampleFrame, SampleIx, SampleNode, SampleSource, SampleTree,
    SampleTreeBuilder, SampledName, SamplesElsewhere, StackSamples,
};
pub use stack_walks::{StackWalks, WalkedMethod};
pub use time::{Nanos, TickRate, Ticks};
pub use tree::{MergedFrom, Siblings, Tree};
pub use tree_sum::{SumNode, TreeSum};
pub use trust::{ComparedShare, ContextTrust, MethodTrust, Trust, TrustSamples, TrustVerdict};
