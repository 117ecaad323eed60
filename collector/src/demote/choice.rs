//! Choice of the methods to demote when a recording exceeds its budget.

use super::load::{MethodLoad, Prices};

/// A method to demote.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    pub load: MethodLoad,
    /// Cost of its calls, as a share of the program's time.
    cost_share: f64,
}

/// The methods whose demotion would have saved `excess`, a share of the program's time, or as much
/// as possible: the most expensive first, so that as many as can be stay timed. A method whose cost
/// is within the budget's `limit` of its own self time stays timed. If all others are counted, the
/// budget is kept, for the self times are the program's time.
pub(super) fn choose(
    loads: impl IntoIterator<Item = MethodLoad>,
    prices: &Prices,
    limit: f64,
    excess: f64,
) -> Vec<Choice> {
    let pays = |load: &MethodLoad| {
        prices.cost_nanos(&load.sums) <= limit * prices.self_nanos(&load.sums).max(0.0)
    };
    let mut choices: Vec<Choice> = loads
        .into_iter()
        .filter(|load| !pays(load))
        .map(|load| Choice { load, cost_share: load.share(prices.cost_nanos(&load.sums)) })
        .collect();
    choices.sort_by(|a, b| b.cost_share.total_cmp(&a.cost_share));
    let mut left = excess;
    let is_needed = |choice: &Choice| {
        let needed = left > 0.0;
        left -= choice.cost_share;
        needed
    };
    choices.into_iter().take_while(is_needed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_calibration::{Cost, Costs};
    use jfathom_plan::MethodId;
    use jfathom_profile::{CallSums, Ticks};

    /// A timed call costs 50 ns, 40 of them in its probes.
    fn prices() -> Prices {
        let cost = |nanos| Cost { nanos, error_nanos: 0.0 };
        let costs = Costs { inner: cost(20.0), outer: cost(20.0), ..Costs::default() };
        Prices { costs, record_nanos: 5.0, nanos_per_tick: 1.0, running_share: 1.0 }
    }

    /// A method with so many calls of this self time, in a window of 100 ms.
    fn method(value: u32, calls: u64, self_nanos: u64) -> MethodLoad {
        let self_time = Ticks(calls * (self_nanos + 20));
        let sums = CallSums { calls, self_time, ..CallSums::default() };
        MethodLoad { method: MethodId::new(value).unwrap(), sums, program_nanos: 100e6 }
    }

    fn chosen(methods: &[MethodLoad], limit: f64, excess: f64) -> Vec<u32> {
        let chosen = choose(methods.iter().copied(), &prices(), limit, excess);
        chosen.iter().map(|choice| choice.load.method.get()).collect()
    }

    /// 10,000 calls cost 0.005 of the window.
    #[test]
    fn the_most_expensive_come_first_and_no_more_is_taken_than_needed() {
        let methods = [method(1, 5_000, 90), method(2, 40_000, 10), method(3, 10_000, 50)];
        assert_eq!(chosen(&methods, 0.1, 0.0), [0; 0]);
        assert_eq!(chosen(&methods, 0.1, 0.019), [2]);
        assert_eq!(chosen(&methods, 0.1, 0.021), [2, 3]);
        assert_eq!(chosen(&methods, 0.1, 1.0), [2, 3, 1]);
    }

    #[test]
    fn what_pays_for_itself_stays_timed() {
        let methods = [method(1, 10_000, 499), method(2, 10_000, 500), method(3, 9, 5)];
        assert_eq!(chosen(&methods, 0.1, 1.0), [1, 3]);
        assert_eq!(chosen(&methods, 0.2, 1.0), [3]);
    }

    /// What is told of counted calls belongs to the method that made them.
    #[test]
    fn records_of_counted_calls_cost_too() {
        let mut caller = method(1, 1_000, 400);
        assert_eq!(chosen(&[caller], 0.125, 1.0), [0; 0]);
        caller.sums.count_records = 1_000;
        assert_eq!(chosen(&[caller], 0.125, 1.0), [1]);
        // Another thread had the processor most of the time.
        let prices = Prices { running_share: 0.25, ..prices() };
        assert_eq!(choose([method(2, 1_000, 500)], &prices, 0.1, 1.0).len(), 1);
    }
}
