//! What a part of a recording cost, and what each method had in it.

use jfathom_calibration::Costs;
use jfathom_plan::MethodId;
use jfathom_profile::{MethodCost, Ticks};
use std::collections::HashMap;

/// What calls and records cost, in ns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    pub costs: Costs,
    /// The collector's CPU time per record.
    pub record_nanos: f64,
    pub nanos_per_tick: f64,
}

impl Prices {
    /// A timed call: its probes, and its two records in the collector.
    pub fn timed_call(&self) -> f64 {
        self.costs.pair_nanos() + 2.0 * self.record_nanos
    }

    /// A COUNTED record: in the program and in the collector.
    fn count_record(&self) -> f64 {
        self.costs.count_record.nanos + self.record_nanos
    }
}

/// The part of one method; all numbers are sums over its timed calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MethodLoad {
    pub method: MethodId,
    pub calls: u64,
    /// Corrected self time. Negative if the correction exceeds the measured time.
    pub self_nanos: f64,
    /// Timed calls that it made directly.
    pub timed_below: u64,
    /// Exceptions that it caught.
    pub caught: u64,
    /// Probes and collector.
    pub cost_nanos: f64,
    /// The method of a task that was handed to another thread.
    pub is_task_entry: bool,
}

impl MethodLoad {
    /// A number of this load per timed call.
    pub fn per_call(&self, sum: f64) -> f64 {
        sum / self.calls.max(1) as f64
    }
}

/// A part of a recording.
#[derive(Clone, Debug)]
pub(super) struct Load {
    /// Time of the program itself, without methods that wait.
    pub program_nanos: f64,
    /// Time of probes and collector.
    pub cost_nanos: f64,
    /// Of that, time of the probes.
    pub probe_nanos: f64,
    /// COUNTED records per counted call.
    pub records_per_count: f64,
    /// Methods with timed calls.
    pub methods: Vec<MethodLoad>,
}

impl Load {
    /// The load between two sums. `waits` says of a method whether its time may be that of waits.
    pub fn between(
        before: &HashMap<MethodId, MethodCost>,
        now: &[MethodCost],
        prices: &Prices,
        waits: impl Fn(MethodId) -> bool,
    ) -> Self {
        let Costs { inner, outer, count, .. } = prices.costs;
        let mut load = Self {
            program_nanos: 0.0,
            cost_nanos: 0.0,
            probe_nanos: 0.0,
            records_per_count: 0.0,
            methods: Vec::new(),
        };
        let (mut counted, mut count_records) = (0.0, 0.0);
        for now in now {
            let part = difference(now, before.get(&now.method));
            let (calls, below) = (part.calls as f64, part.timed_below as f64);
            let below_counted = part.counted_below as f64;
            let records = part.count_records as f64;
            let counting = below_counted * count.nanos + records * prices.costs.count_record.nanos;
            let probes = calls * inner.nanos + below * outer.nanos + counting;
            let self_nanos = part.self_time.0 as f64 * prices.nanos_per_tick - probes;
            let cost_nanos = calls * prices.timed_call();
            counted += below_counted;
            count_records += records;
            load.cost_nanos += cost_nanos + counting + records * prices.record_nanos;
            load.probe_nanos += calls * prices.costs.pair_nanos() + counting;
            if !waits(now.method) {
                load.program_nanos += self_nanos;
            }
            if part.calls != 0 {
                load.methods.push(MethodLoad {
                    method: now.method,
                    calls: part.calls,
                    self_nanos,
                    timed_below: part.timed_below,
                    caught: part.caught,
                    cost_nanos,
                    is_task_entry: now.is_task_entry,
                });
            }
        }
        load.program_nanos = load.program_nanos.max(0.0);
        load.records_per_count = if counted > 0.0 { count_records / counted } else { 0.0 };
        load
    }

    /// What timed calls of a method would cost if they were counted.
    pub fn if_counted(&self, calls: u64, prices: &Prices) -> f64 {
        let call = prices.costs.count.nanos + self.records_per_count * prices.count_record();
        calls as f64 * call
    }
}

fn difference(now: &MethodCost, before: Option<&MethodCost>) -> MethodCost {
    let Some(before) = before else { return *now };
    MethodCost {
        calls: now.calls.wrapping_sub(before.calls),
        throws: now.throws.wrapping_sub(before.throws),
        self_time: Ticks(now.self_time.0.wrapping_sub(before.self_time.0)),
        timed_below: now.timed_below.wrapping_sub(before.timed_below),
        throws_below: now.throws_below.wrapping_sub(before.throws_below),
        counted_below: now.counted_below.wrapping_sub(before.counted_below),
        count_records: now.count_records.wrapping_sub(before.count_records),
        caught: now.caught.wrapping_sub(before.caught),
        ..*now
    }
}
