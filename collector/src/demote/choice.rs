//! Choice of the methods to demote when a recording exceeds its budget.

use super::load::{MethodLoad, Prices};
use jfathom_calibration::Residual;
use jfathom_profile::DemotionReason;

/// The error of a self time per call, as a share of the probes' cost of the call and of the calls
/// that it makes.
const ERROR_SHARE: f64 = 0.5;
/// A method with more timed callees per call stays timed: it shapes the tree, and has few probes
/// compared with its callees.
const MAX_TIMED_CALLEES: f64 = 1.5;
/// The largest small share of the program's time. A sampling profiler's report still shows methods
/// with a little more.
const SMALL_SHARE: f64 = 0.01;
/// A method that saves a smaller share of the program's time stays timed: it may matter in a later
/// phase, and a demotion is never undone.
const LEAST_SAVED: f64 = 1e-3;
/// A method whose self time is this many times its cost stays timed: its share may grow later.
const MUCH_FOR_COST: f64 = 2.0;

/// A method to demote.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    pub load: MethodLoad,
    pub reason: DemotionReason,
    /// Cost that counting saves, in ns per call.
    pub saved_nanos: f64,
    /// Cost that its demotion saves, as a share of the program's time.
    saved_share: f64,
    /// Its self time, as a share of the program's time.
    self_share: f64,
}

/// The methods whose demotion would have saved `excess`, a share of the program's time, or as much
/// as possible. First come methods with an uncertain self time, the most expensive first. Then come
/// methods with a small share of both their window and the recording, those with the least time for
/// their cost first. `saved_nanos` is the cost that counting a call saves.
pub(super) fn choose(
    loads: impl IntoIterator<Item = MethodLoad>,
    prices: &Prices,
    saved_nanos: f64,
    excess: f64,
    take_small: bool,
) -> Vec<Choice> {
    let mut uncertain: Vec<Choice> = Vec::new();
    let mut small: Vec<Choice> = Vec::new();
    for load in loads {
        let saved_share = load.share(saved_nanos * load.sums.calls as f64);
        let timed_callees = load.per_call(load.sums.timed_below as f64);
        if saved_share < LEAST_SAVED || timed_callees > MAX_TIMED_CALLEES {
            continue;
        }
        let self_nanos = prices.self_nanos(&load.sums);
        let self_share = load.share(self_nanos);
        let choice = |reason| Choice { load, reason, saved_nanos, saved_share, self_share };
        if self_nanos <= error_nanos(&load, prices) {
            uncertain.push(choice(DemotionReason::Uncertain));
        } else if take_small
            && self_share.max(load.whole_share) < SMALL_SHARE
            && self_share < MUCH_FOR_COST * saved_share
        {
            small.push(choice(DemotionReason::SmallShare));
        }
    }
    uncertain.sort_by(|a, b| b.saved_share.total_cmp(&a.saved_share));
    let time_for_cost = |choice: &Choice| choice.self_share / choice.saved_share;
    small.sort_by(|a, b| time_for_cost(a).total_cmp(&time_for_cost(b)));
    let mut left = excess;
    let is_needed = |choice: &Choice| {
        let needed = left > 0.0;
        left -= choice.saved_share;
        needed
    };
    uncertain.into_iter().chain(small).take_while(is_needed).collect()
}

/// Possible error of a method's self time, in ns.
fn error_nanos(load: &MethodLoad, prices: &Prices) -> f64 {
    let Residual { caught_nanos, caught_error_nanos, .. } = Residual::shipped();
    let calls = load.sums.calls as f64 + load.sums.timed_below as f64;
    let probes = prices.costs.pair_nanos() * calls + prices.counting_nanos(&load.sums);
    ERROR_SHARE * probes + (caught_nanos + caught_error_nanos) * load.sums.caught as f64
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

    /// A method with 10,000 calls of this self time, in a window of 100 ms.
    fn method(value: u32, self_nanos: u64) -> MethodLoad {
        let sums = CallSums {
            calls: 10_000,
            self_time: Ticks(10_000 * (self_nanos + 20)),
            ..CallSums::default()
        };
        let method = MethodId::new(value).unwrap();
        MethodLoad { method, sums, program_nanos: 100e6, whole_share: 0.0 }
    }

    /// The methods chosen to save this share. Each saves 0.005.
    fn chosen(methods: &[MethodLoad], excess: f64, take_small: bool) -> Vec<u32> {
        let chosen = choose(methods.iter().copied(), &prices(), 50.0, excess, take_small);
        chosen.iter().map(|choice| choice.load.method.get()).collect()
    }

    #[test]
    fn uncertain_ones_come_first_and_no_more_is_taken_than_needed() {
        let methods = [method(1, 90), method(2, 10), method(3, 50), method(4, 20)];
        assert_eq!(chosen(&methods, 0.004, true), [2]);
        assert_eq!(chosen(&methods, 0.009, true), [2, 4]);
        assert_eq!(chosen(&methods, 0.014, true), [2, 4, 3]);
        assert_eq!(chosen(&methods, 1.0, true), [2, 4, 3, 1]);
        assert_eq!(chosen(&methods, 1.0, false), [2, 4]);
    }

    #[test]
    fn what_takes_a_share_of_the_time_stays_timed() {
        // 1 % of the window is 100 ns per call, and so is twice of what a call costs.
        let long = MethodLoad { whole_share: 0.011, ..method(3, 90) };
        assert_eq!(chosen(&[method(1, 99), method(2, 101), long], 1.0, true), [1]);
        let wider = |load| MethodLoad { program_nanos: 200e6, ..load };
        assert_eq!(chosen(&[wider(method(1, 99)), wider(method(2, 101))], 1.0, true), [1]);
    }

    #[test]
    fn what_saves_next_to_nothing_stays_timed() {
        let rare = |program_nanos| MethodLoad { program_nanos, ..method(1, 5) };
        assert_eq!(chosen(&[rare(400e6)], 1.0, true), [1]);
        assert_eq!(chosen(&[rare(600e6)], 1.0, true), [0; 0]);
    }

    #[test]
    fn what_shapes_the_tree_stays_timed() {
        let mut caller = method(1, 30);
        caller.sums.timed_below = 15_001;
        assert!(chosen(&[caller], 1.0, true).is_empty());
        // Most of the time was that of other threads.
        let prices = Prices { running_share: 0.25, ..prices() };
        let busy = choose([method(2, 100)], &prices, 50.0, 1.0, false);
        assert_eq!(busy.len(), 1);
    }
}
