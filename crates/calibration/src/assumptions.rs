//! Assumptions on residual overhead. `fitted` has the values.

/// Assumptions on residual overhead.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// A method's first counted calls after its demotion. The demotion discards its compiled code
    /// and its callers'.
    pub demoted: WarmUpResidual,
    /// The same on JVMs after 17, whose compilers take longer.
    pub demoted_after_17: WarmUpResidual,
    /// Nanoseconds per counted call, without the counter itself.
    pub counted_nanos: f64,
    /// Error bar of `counted_nanos`.
    pub counted_error_nanos: f64,
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
    /// Error bar for the difference of two runs of the same code, as a share of the time.
    /// Compilations differ, and processors change their speed.
    pub pace_share: f64,
}

/// Assumption on a method's calls before C2 has compiled it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarmUpResidual {
    /// Number of such calls.
    pub calls: f64,
    /// Nanoseconds per call.
    pub nanos: f64,
    /// Error bar of `nanos`.
    pub error_nanos: f64,
}

/// Assumption on calls before compilation in programs that keep the compilers busy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompileQueueResidual {
    /// The residual is half of `nanos` with so many methods that have more calls than
    /// `Residual::warm_up` counts.
    pub methods: f64,
    /// The largest residual, in nanoseconds per call.
    pub nanos: f64,
    /// Error bar of `nanos`.
    pub error_nanos: f64,
}

/// Assumption on timed calls with one clock, in ns per call.
#[derive(Clone, Copy, Debug, PartialEq)]
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
