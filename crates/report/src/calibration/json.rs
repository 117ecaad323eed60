//! The probe costs that calibration measured, as JSON; `docs/reference/json.md` describes it.

use jfathom_calibration::{CalibrationSummary, CallCost, CostSpread};
use jfathom_profile::{ClockInfo, Jvm, Machine as Measured, Profile};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
const JSON_VERSION: u32 = 1;

/// Writes the probe costs as JSON.
pub fn calibration_json(
    profile: &Profile,
    summary: &CalibrationSummary,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &CalibrationDocument::of(profile, summary))?;
    writeln!(out)
}

object! {
    CalibrationDocument<'a>(profile: &'a Profile, summary: &'a CalibrationSummary) {
        calls: Vec<Call<'a>> = summary.calls.iter().map(Call::of).collect(),
        #[cfg_attr(test, schemars(extend("const" = "jfathom-calibration")))]
        format: &'a str = "jfathom-calibration",
        java: Option<Java<'a>> = profile.meta.jvms.first().map(Java::of),
        /// that were measured
        jvms: usize = profile.meta.jvms.len(),
        machine: Machine<'a> = Machine::of(&profile.meta.machine),
        tool: &'a str = &profile.meta.tool,
        #[cfg_attr(test, schemars(extend("const" = JSON_VERSION)))]
        version: u32 = JSON_VERSION,
    }
}

object! {
    /// Cost of one kind of call.
    Call<'a>(call: &CallCost) {
        /// at the JVMs' ends
        end_nanos: Option<f64> = call.end_nanos,
        /// charged to the method
        inner: Spread = Spread::of(&call.inner),
        /// as in the report's calibrations
        kind: &'a str = call.kind.key(),
        /// charged to its caller
        outer: Spread = Spread::of(&call.outer),
        start_nanos: Option<f64> = call.start_nanos,
    }
}

object! {
    Spread(spread: &CostSpread) {
        /// of the batches in a JVM
        batch_deviation_nanos: f64 = spread.batch_deviation_nanos,
        /// of the JVMs
        jvm_deviation_nanos: f64 = spread.jvm_deviation_nanos,
        /// per call
        nanos: f64 = spread.mean_nanos,
    }
}

object! {
    Java<'a>(jvm: &'a Jvm) {
        clock: Clock<'a> = Clock::of(&jvm.clock),
        flags: &'a [String] = &jvm.flags,
        vendor: &'a str = &jvm.vendor,
        version: &'a str = &jvm.java_version,
        vm: &'a str = &jvm.vm_name,
        vm_version: &'a str = &jvm.vm_version,
    }
}

object! {
    Clock<'a>(clock: &'a ClockInfo) {
        hz: u64 = clock.rate.hz(),
        name: &'a str = &clock.name,
        reason: &'a str = &clock.reason,
    }
}

object! {
    Machine<'a>(machine: &'a Measured) {
        arch: &'a str = &machine.arch,
        cpu: &'a str = &machine.cpu,
        cpus: u32 = machine.cpus,
        os: &'a str = &machine.os,
    }
}
