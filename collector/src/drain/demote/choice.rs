//! Choice of the methods to demote when timing takes more than the budget, and of those to time
//! again when it takes less.

use super::load::{MethodLoad, Prices};
use jfathom_plan::MethodId;
use jfathom_profile::CallSums;

/// The methods whose demotion would have saved `excess`, a share of the program's time, or as much
/// as possible: those of the least worth first. Long calls are few and tell most. And a call is
/// longer than the calls in it, so what is timed seldom lies below what is counted.
///
/// A method whose cost is within the budget's `limit` of its own self time stays timed. If all
/// others are counted, the budget is kept, for the self times are the program's time.
pub(super) fn choose(
    loads: impl IntoIterator<Item = MethodLoad>,
    prices: &Prices,
    limit: f64,
    excess: f64,
) -> Vec<MethodLoad> {
    let cost = |load: &MethodLoad| prices.timing_nanos(&load.sums);
    let pays = |load: &MethodLoad| cost(load) <= limit * prices.self_nanos(&load.sums).max(0.0);
    let mut loads: Vec<MethodLoad> = loads.into_iter().filter(|load| !pays(load)).collect();
    let worth = |load: &MethodLoad| prices.worth(&load.sums);
    loads.sort_by(|a, b| worth(a).total_cmp(&worth(b)));
    let mut left = excess;
    loads.retain(|load| {
        let is_needed = left > 0.0;
        left -= load.share(cost(load));
        is_needed
    });
    loads
}

/// What a timed call of a method is worth, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    /// [`Prices::worth`].
    pub worth: f64,
    /// What it costs more than a counted one, ns.
    pub nanos: f64,
}

impl Value {
    /// That of these calls.
    pub fn of(sums: &CallSums, prices: &Prices) -> Self {
        Self { worth: prices.worth(sums), nanos: prices.saved_nanos(sums) }
    }
}

/// A method that may be timed again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Again {
    pub method: MethodId,
    /// Its counted calls in the window.
    pub calls: u64,
    /// What that would have cost in the window, as a share of the program's time.
    pub cost_share: f64,
    pub value: Value,
}

/// The methods that fit in `room`, a share of the program's time: those of the most worth first.
pub(super) fn choose_again(mut candidates: Vec<Again>, room: f64) -> Vec<Again> {
    candidates.sort_by(|a, b| b.value.worth.total_cmp(&a.value.worth));
    let mut left = room;
    candidates.retain(|again| {
        let fits = left > 0.0 && again.cost_share <= left;
        left -= if fits { again.cost_share } else { 0.0 };
        fits
    });
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_calibration::{Cost, Costs};
    use jfathom_plan::MethodId;
    use jfathom_profile::Ticks;

    /// A timed call costs 50 ns, 40 of them in its probes.
    fn prices() -> Prices {
        let cost = |nanos| Cost { nanos, error_nanos: 0.0 };
        let costs = Costs { inner: cost(20.0), outer: cost(20.0), ..Costs::default() };
        Prices { costs, record_nanos: 5.0, nanos_per_tick: 1.0, running_share: 1.0 }
    }

    /// A method with so many calls of this self time, in a window of 100 ms.
    fn method(value: u32, calls: u64, self_nanos: u64) -> MethodLoad {
        let self_time = Ticks(calls * (self_nanos + 20));
        let sums = CallSums { calls, self_time, call_time: self_time, ..CallSums::default() };
        MethodLoad { method: MethodId::new(value).unwrap(), sums, program_nanos: 100e6 }
    }

    fn chosen(methods: &[MethodLoad], limit: f64, excess: f64) -> Vec<u32> {
        let chosen = choose(methods.iter().copied(), &prices(), limit, excess);
        chosen.iter().map(|load| load.method.get()).collect()
    }

    /// 10,000 calls cost 0.005 of the window.
    #[test]
    fn those_of_least_worth_come_first_and_no_more_is_taken_than_needed() {
        let methods = [method(1, 5_000, 90), method(2, 40_000, 10), method(3, 10_000, 50)];
        assert_eq!(chosen(&methods, 0.1, 0.0), [0; 0]);
        assert_eq!(chosen(&methods, 0.1, 0.019), [2]);
        assert_eq!(chosen(&methods, 0.1, 0.021), [2, 3]);
        assert_eq!(chosen(&methods, 0.1, 1.0), [2, 3, 1]);
        // Its self time is short, but its calls are not.
        let mut long = methods;
        long[1].sums.call_time = Ticks(40_000 * 500);
        assert_eq!(chosen(&long, 0.1, 0.001), [3]);
    }

    #[test]
    fn what_pays_for_itself_stays_timed() {
        let methods = [method(1, 10_000, 499), method(2, 10_000, 500), method(3, 9, 5)];
        assert_eq!(chosen(&methods, 0.1, 1.0), [3, 1]);
        assert_eq!(chosen(&methods, 0.2, 1.0), [3]);
    }

    /// Flushes are limited apart. Another thread may have had the processor
    /// most of the time.
    #[test]
    fn flushes_cost_no_method_its_times() {
        let mut caller = method(1, 1_000, 400);
        caller.sums.flush_records = 100_000;
        assert_eq!(chosen(&[caller], 0.125, 1.0), [0; 0]);
        let prices = Prices { running_share: 0.25, ..prices() };
        assert_eq!(choose([method(2, 1_000, 500)], &prices, 0.1, 1.0).len(), 1);
    }

    #[test]
    fn what_is_worth_most_is_timed_again_while_there_is_room() {
        let again = |value, cost_share, worth| {
            let method = MethodId::new(value).unwrap();
            Again { method, calls: 1, cost_share, value: Value { worth, nanos: 50.0 } }
        };
        let all = vec![again(1, 0.03, 9.0), again(2, 0.001, 2.0), again(3, 0.01, 5.0)];
        let chosen = |room| {
            let chosen = choose_again(all.clone(), room);
            chosen.into_iter().map(|again| again.method.get()).collect::<Vec<_>>()
        };
        assert_eq!(chosen(0.0), [0; 0]);
        // What does not fit is left out.
        assert_eq!(chosen(0.012), [3, 2]);
        assert_eq!(chosen(0.035), [1, 2]);
        assert_eq!(chosen(1.0), [1, 3, 2]);
    }
}
