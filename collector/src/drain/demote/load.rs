//! Cost of a part of a recording, and each method's share in it.

use jfathom_calibration::Costs;
use jfathom_plan::MethodId;
use jfathom_profile::CallSums;

/// Costs of calls and records, in ns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    pub costs: Costs,
    /// The collector's CPU time per record.
    pub record_nanos: f64,
    pub nanos_per_tick: f64,
    /// Share of the wall time in which a thread that could run did run.
    pub running_share: f64,
}

impl Prices {
    /// A timed call: its probes, and its two records in the collector.
    fn timed_call(&self) -> f64 {
        self.costs.pair_nanos() + 2.0 * self.record_nanos
    }

    /// A COUNTED record: in the program and in the collector.
    fn count_record(&self) -> f64 {
        self.costs.count_record.nanos + self.record_nanos
    }

    /// Time that the program itself ran in these calls, by the clock. Negative if the correction
    /// exceeds the measured time.
    pub fn self_nanos(&self, sums: &CallSums) -> f64 {
        let Costs { inner, outer, .. } = self.costs;
        let measured = sums.self_time.0 as f64 * self.nanos_per_tick * self.running_share;
        measured
            - sums.calls as f64 * inner.nanos
            - sums.timed_below as f64 * outer.nanos
            - self.counting_nanos(sums)
    }

    /// Time of the probes of timed and counted calls.
    pub fn probe_nanos(&self, sums: &CallSums) -> f64 {
        sums.calls as f64 * self.costs.pair_nanos() + self.counting_nanos(sums)
    }

    /// What it takes to time these calls, and to flush what they counted: the time of
    /// probes and collector beyond that of counting.
    pub fn cost_nanos(&self, sums: &CallSums) -> f64 {
        self.timing_nanos(sums) + self.flush_nanos(sums)
    }

    /// What it takes to time these calls.
    pub fn timing_nanos(&self, sums: &CallSums) -> f64 {
        sums.calls as f64 * self.timed_call()
    }

    /// What it takes to flush what they counted.
    pub fn flush_nanos(&self, sums: &CallSums) -> f64 {
        sums.flush_records as f64 * self.count_record()
    }

    /// Time of counting the calls below.
    pub fn counting_nanos(&self, sums: &CallSums) -> f64 {
        sums.counted_below as f64 * self.costs.count.nanos
            + sums.count_records as f64 * self.costs.count_record.nanos
    }

    /// How many times what timing it costs a timed call took.
    pub fn worth(&self, sums: &CallSums) -> f64 {
        sums.call_time.0 as f64 * self.nanos_per_tick / self.timing_nanos(sums).max(1.0)
    }

    /// What each of these timed calls costs more than a counted one.
    pub fn saved_nanos(&self, sums: &CallSums) -> f64 {
        let records = sums.flush_records as f64 / sums.calls.max(1) as f64;
        self.timed_call() + records * self.count_record() - self.costs.count.nanos
    }
}

/// The calls of one method in its own window. The window ends when the method is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MethodLoad {
    pub method: MethodId,
    pub sums: CallSums,
    /// The program's time in the window.
    pub program_nanos: f64,
}

impl MethodLoad {
    /// A number of this load per timed call.
    pub fn per_call(&self, sum: f64) -> f64 {
        sum / self.sums.calls.max(1) as f64
    }

    /// A time as a share of the program's.
    pub fn share(&self, nanos: f64) -> f64 {
        nanos / self.program_nanos.max(1.0)
    }
}
