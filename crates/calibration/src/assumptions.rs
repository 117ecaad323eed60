//! Assumptions on residual overhead. `data/constants.json` has the values.

use serde::Deserialize;

use crate::costs::Cost;

/// Assumptions on residual overhead.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Residual {
    /// Timed calls, with a clock that waits for earlier instructions: `nanoTime`.
    pub ordered_clock: TimedResidual,
    /// Timed calls, with a clock that does not wait: the TSC.
    pub unordered_clock: TimedResidual,
    /// A method's first calls, which are interpreted and call compiled probes.
    pub interpreted: WarmUpResidual,
    /// A method's timed calls until C2 has compiled it, interpreted calls included.
    pub warm_up: WarmUpResidual,
    /// Addition to `warm_up` in programs with many methods, which wait in the compilers' queues.
    pub compile_queue: CompileQueueResidual,
    /// A method's first counted calls in programs with many methods: they are compiled later, and a
    /// demotion discards compiled code.
    pub early_counted: WarmUpResidual,
    /// Nanoseconds per counted call, without the counter itself.
    pub counted_nanos: f64,
    /// Error bar of `counted_nanos`.
    pub counted_error_nanos: f64,
    /// Nanoseconds per COUNTED record, without what the loops show of it.
    pub count_record_nanos: f64,
    /// Error bar of `count_record_nanos`.
    pub count_record_error_nanos: f64,
    /// Inlining that is lost in methods with many calls.
    pub inlining: InliningResidual,
    /// Error bar for an exception that passes through a counted call, in nanoseconds. Its expected
    /// cost is 0.
    pub counted_throw_error_nanos: f64,
    /// Nanoseconds per exception that passes through a timed call. Without the probes the compiler
    /// might have made a jump of it.
    pub thrown_nanos: f64,
    /// Error bar of `thrown_nanos`.
    pub thrown_error_nanos: f64,
    /// Nanoseconds per exception that leaves a timed call and is caught further up.
    pub caught_nanos: f64,
    /// Error bar of `caught_nanos`.
    pub caught_error_nanos: f64,
    /// Error bar for work that the compiler moves across the clock reads of a call, between the
    /// method and its caller, in nanoseconds per call.
    pub moved_error_nanos: f64,
    /// Error bar for late compilation, because probes enlarge methods: ns per thread, on JVMs up to
    /// 17.
    pub late_to_17_nanos: f64,
    /// The same on later JVMs. Their compilers fold loops that run ten times as long until then.
    pub late_after_17_nanos: f64,
    /// Error bar for the machine's pace, as a share of the time. Processors change their speed.
    pub pace_share: f64,
    /// Error bar for what runs of one program differ by, as a share of the time. It holds for the
    /// recording of one run; several runs show what they differ by.
    pub between_runs_share: f64,
    /// What a thread's first record costs it, in nanoseconds: it needs a ring. A wait for the
    /// thread is longer by as much. The error bar is as large.
    pub thread_start_nanos: f64,
}

/// Assumption on a method's calls before C2 has compiled it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmUpResidual {
    /// Number of such calls.
    pub calls: f64,
    /// Nanoseconds per call.
    pub nanos: f64,
    /// Error bar of `nanos`.
    pub error_nanos: f64,
}

/// Assumption on calls before compilation in programs that keep the compilers busy.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompileQueueResidual {
    /// The residual is half of `nanos` with so many methods that have more calls than
    /// `Residual::warm_up` counts.
    pub methods: f64,
    /// The largest residual, in nanoseconds per call.
    pub nanos: f64,
    /// Error bar of `nanos`.
    pub error_nanos: f64,
}

/// Assumption on a method's own work that the compiler no longer optimises together with its
/// callees, because there are probes in them.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InliningResidual {
    /// What is lost at most, as a share of the method's self time.
    pub share: f64,
    /// Error bar of `share`.
    pub error_share: f64,
    /// Self time per call that the method makes, timed or counted, at which half as much is lost,
    /// in nanoseconds.
    pub call_nanos: f64,
}

impl InliningResidual {
    /// What is lost of so many nanoseconds of self time in which so many calls were made, and its
    /// error bar.
    pub(crate) fn lost(&self, self_nanos: f64, calls: f64) -> Cost {
        let self_nanos = self_nanos.max(0.0);
        let dense = calls * self.call_nanos;
        let full = if dense > 0.0 { self_nanos * dense / (dense + self_nanos) } else { 0.0 };
        Cost { nanos: self.share * full, error_nanos: self.error_share * full }
    }
}

/// Assumption on timed calls with one clock, in ns per call.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedResidual {
    /// Optimisation that is lost, in a call of an empty method.
    pub lost_nanos: f64,
    /// Error bar of `lost_nanos`.
    pub lost_error_nanos: f64,
    /// Clock reading that is hidden behind the work of a method that has enough of it.
    pub hidden_nanos: f64,
    /// Error bar of `hidden_nanos`.
    pub hidden_error_nanos: f64,
    /// The hidden part that is charged to the caller. A method's first work overlaps with the end
    /// of its entry probe, which the loops count as probe cost.
    pub shifted_nanos: f64,
    /// Self time per call, before any residual, at which a method counts as half empty.
    pub scale_nanos: f64,
}
