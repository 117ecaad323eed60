//! The recording, its JVMs and their threads.

use jfathom_calibration::call_nanos;
use jfathom_profile::{
    BatchStatistics, BudgetOutcome, Calibration as Measured, KnownCalibration as Known,
    LiveRootInfo, LiveSessionInfo, Profile, Provenance as From,
};
use std::{collections::BTreeMap, num::NonZeroU64};

object! {
    /// The recording.
    Meta<'a>(meta: &'a jfathom_profile::Meta) {
        arch: &'a str = &meta.machine.arch,
        command: &'a [String] = &meta.command,
        /// empty if unknown
        cpu: &'a str = &meta.machine.cpu,
        /// usable by the JVM
        cpus: u32 = meta.machine.cpus,
        /// 0 if unknown
        duration_millis: u64 = meta.duration_millis,
        labels: BTreeMap<&'a str, &'a str> = meta.labels.iter().collect(),
        notices: &'a [String] = &meta.notices,
        os: &'a str = &meta.machine.os,
        /// of the input
        size: Option<NonZeroU64> = meta.size,
        started_millis: u64 = meta.started_millis,
        /// recording jfathom
        tool: &'a str = &meta.tool,
    }
}

object! {
    Jvm<'a>(jvm: &'a jfathom_profile::Jvm) {
        /// null with `none`, or nothing recorded
        budget: Option<Budget> = jvm.budget.map(Budget::of),
        calibrations: Vec<Calibration<'a>> = jvm.calibrations.iter().map(Calibration::of).collect(),
        /// shutdown hooks ran
        clean_end: bool = jvm.clean_end,
        /// `nanoTime` or `tsc`
        clock: &'a str = &jvm.clock.name,
        /// null without processor's counter
        clock_drift: Option<ClockDrift> = jvm.clock.drift.map(ClockDrift::of),
        clock_hz: u64 = jvm.clock.rate.hz(),
        clock_reason: &'a str = &jvm.clock.reason,
        command: &'a str = &jvm.command,
        flags: &'a [String] = &jvm.flags,
        java_version: &'a str = &jvm.java_version,
        /// last good one of machine, JVM and clock
        known_calibration: Option<KnownCalibration> =
            jvm.known_calibration.as_ref().map(KnownCalibration::of),
        limits: Limits = Limits::of(jvm.limits),
        /// null for rewritten classes
        live: Option<Live<'a>> = jvm.live.as_ref().map(Live::of),
        pid: u64 = jvm.pid,
        /// rewritten inputs
        provenance: Vec<Provenance<'a>> = jvm.provenance.iter().map(Provenance::of).collect(),
        /// only inside roots
        roots: bool = jvm.has_roots,
        roots_only: bool = jvm.roots_only,
        start_millis: u64 = jvm.start_millis,
        vendor: &'a str = &jvm.vendor,
        vm_name: &'a str = &jvm.vm_name,
        vm_version: &'a str = &jvm.vm_version,
    }
}

object! {
    Budget(budget: BudgetOutcome) {
        /// probes and collector, estimated
        cost_nanos: f64 = budget.cost_nanos,
        /// share
        limit: Option<f64> = budget.limit,
        /// CPU, at most five times what was recorded; estimated
        program_nanos: f64 = budget.program_nanos,
    }
}

object! {
    Calibration<'a>(calibration: &Measured) {
        /// per batch
        calls: u64 = calibration.calls,
        /// between clock reads
        inner: Batches = Batches::of(calibration.inner),
        /// `return`, `throw`, `nested`, `count`, `mixed`, `off`, `pace` (without probes: only
        /// `reference` valid)
        kind: &'a str = calibration.kind.key(),
        /// beyond those and reference
        outer: Batches = Batches::of(calibration.outer),
        /// `start`, `end`
        phase: &'a str = calibration.phase.key(),
        /// [loop](../glossary.md)
        reference: Batches = Batches::of(calibration.reference),
    }
}

object! {
    /// Per call.
    Batches(batches: BatchStatistics) {
        count: u32 = batches.count,
        /// of one batch
        deviation_nanos: f64 = batches.deviation,
        mean_nanos: f64 = batches.mean,
        median_nanos: f64 = batches.median,
        min_nanos: f64 = batches.min,
    }
}

object! {
    ClockDrift(drift: jfathom_profile::ClockDrift) {
        /// largest, from an even run
        deviation_nanos: u64 = drift.deviation_nanos,
        /// rate above `clockHz`
        parts_per_billion: i64 = drift.parts_per_billion,
        /// machine
        suspended_nanos: u64 = drift.suspended_nanos,
    }
}

object! {
    KnownCalibration(known: &Known) {
        /// inner plus outer
        call_nanos: Option<f64> = call_nanos(&known.calibrations),
        taken_millis: u64 = known.taken_millis,
        /// the JVM's own is inconsistent
        used: bool = known.is_used,
    }
}

object! {
    /// Smallest visible control-group limits.
    Limits(limits: jfathom_profile::Limits) {
        /// `cpu.max`
        cpus: Option<f64> = limits.milli_cpus.map(|milli| milli as f64 / 1e3),
        /// `memory.max`
        memory_bytes: Option<u64> = limits.memory_bytes,
    }
}

object! {
    Provenance<'a>(from: &'a From) {
        /// path
        container: &'a str = &from.container,
        first_id: u32 = from.first_id,
        ids: u32 = from.ids,
        /// id
        plan: &'a str = &from.plan,
        tool: &'a str = &from.tool,
    }
}

object! {
    /// A live session.
    Live<'a>(live: &'a LiveSessionInfo) {
        /// classes
        at_load: u64 = live.at_load,
        batches: u64 = live.batches,
        classes_loaded: u64 = live.classes_loaded,
        /// that waited
        first_calls: u64 = live.first_calls,
        /// class load hooks
        hook_nanos: u64 = live.hook_nanos,
        jdk_methods: bool = live.include_jdk,
        /// with probes
        methods: u64 = live.methods,
        /// times, one class
        most_retransformed: u64 = live.most_retransformed,
        /// in retransformations
        pause_nanos: u64 = live.pause_nanos,
        /// classes
        restored: u64 = live.restored,
        /// classes over all batches
        retransformations: u64 = live.retransformations,
        /// different ones
        retransformed_classes: u64 = live.retransformed_classes,
        roots: Vec<LiveRoot<'a>> = live.roots.iter().map(LiveRoot::of).collect(),
        /// `lazy`, `eager`, `total`
        scheme: &'a str = &live.scheme,
        /// classes and methods
        skipped: u64 = live.skipped,
    }
}

object! {
    LiveRoot<'a>(root: &'a LiveRootInfo) {
        /// ns of the session
        live_at: Option<u64> = root.live_at,
        method: Option<&'a str> = root.method.as_deref(),
        selector: &'a str = &root.selector,
    }
}

object! {
    Thread<'a>(profile: &Profile, thread: &'a jfathom_profile::Thread) {
        /// excluded
        adjusted_nanos: u64 = profile.rate.nanos(thread.excluded).0,
        /// end seen
        ended: bool = thread.ended,
        /// place in `jvms`
        jvm: u32 = thread.jvm,
        /// at first record
        name: &'a str = &thread.name,
        /// while observed
        scheduling: Option<Scheduling> = thread.scheduling.map(Scheduling::of),
        /// in its JVM, by first record, from 1; 0: all virtual threads
        sequence: u64 = thread.sequence,
        /// Java's
        thread_id: u64 = thread.thread_id,
        /// in no recorded method
        unattributed_nanos: u64 = profile.rate.nanos(thread.unattributed).0,
    }
}

object! {
    Scheduling(found: jfathom_profile::Scheduling) {
        involuntary_switches: u64 = found.involuntary_switches,
        observed_nanos: u64 = found.observed_nanos,
        /// run-queue delay
        queued_nanos: u64 = found.queued_nanos,
        ran_nanos: u64 = found.ran_nanos,
    }
}
