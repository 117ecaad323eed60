//! What a part of a recording cost, and what each method had in it.

use jfathom_calibration::Costs;
use jfathom_plan::MethodId;
use jfathom_profile::{MethodCost, Ticks};

/// What calls and records cost, in ns.
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
}

/// Sums over timed calls: those of one method or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub calls: u64,
    /// Measured self time.
    pub self_time: Ticks,
    /// Timed calls that they made directly.
    pub timed_below: u64,
    /// Counted calls that they made directly.
    pub counted_below: u64,
    /// COUNTED records of these.
    pub count_records: u64,
    /// Exceptions that they caught.
    pub caught: u64,
}

impl Sums {
    pub fn of(cost: &MethodCost) -> Self {
        Self {
            calls: cost.calls,
            self_time: cost.self_time,
            timed_below: cost.timed_below,
            counted_below: cost.counted_below,
            count_records: cost.count_records,
            caught: cost.caught,
        }
    }

    pub fn plus(self, other: Self) -> Self {
        self.with(other, u64::wrapping_add)
    }

    /// What came since `before`.
    pub fn since(self, before: Self) -> Self {
        self.with(before, u64::wrapping_sub)
    }

    fn with(self, other: Self, f: fn(u64, u64) -> u64) -> Self {
        Self {
            calls: f(self.calls, other.calls),
            self_time: Ticks(f(self.self_time.0, other.self_time.0)),
            timed_below: f(self.timed_below, other.timed_below),
            counted_below: f(self.counted_below, other.counted_below),
            count_records: f(self.count_records, other.count_records),
            caught: f(self.caught, other.caught),
        }
    }

    /// Time that the program itself ran, by the clock. Negative if the correction exceeds the
    /// measured time.
    pub fn self_nanos(&self, prices: &Prices) -> f64 {
        let Costs { inner, outer, .. } = prices.costs;
        let measured = self.self_time.0 as f64 * prices.nanos_per_tick * prices.running_share;
        measured
            - self.calls as f64 * inner.nanos
            - self.timed_below as f64 * outer.nanos
            - self.counting_nanos(prices)
    }

    /// Time of the probes.
    pub fn probe_nanos(&self, prices: &Prices) -> f64 {
        self.calls as f64 * prices.costs.pair_nanos() + self.counting_nanos(prices)
    }

    /// Time of probes and collector.
    pub fn cost_nanos(&self, prices: &Prices) -> f64 {
        let records = 2.0 * self.calls as f64 + self.count_records as f64;
        self.probe_nanos(prices) + records * prices.record_nanos
    }

    /// Time of counting the calls below.
    pub fn counting_nanos(&self, prices: &Prices) -> f64 {
        self.counted_below as f64 * prices.costs.count.nanos
            + self.count_records as f64 * prices.costs.count_record.nanos
    }

    /// What a timed call costs more than a counted one, if counted calls have as many records as
    /// these.
    pub fn saved_nanos(&self, prices: &Prices) -> f64 {
        let records = self.count_records as f64 / self.counted_below.max(1) as f64;
        prices.timed_call() - prices.costs.count.nanos - records * prices.count_record()
    }
}

/// The part of one method in a window of its own, which is as long as it takes to judge it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MethodLoad {
    pub method: MethodId,
    pub sums: Sums,
    /// The program's time in the window.
    pub program_nanos: f64,
    /// Share of the program's time since the beginning.
    pub whole_share: f64,
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
