//! Which methods are demoted when a recording costs more than its budget.

use super::load::{Load, MethodLoad, Prices};
use jfathom_calibration::Residual;
use jfathom_plan::MethodId;
use jfathom_profile::DemotionReason;
use std::collections::HashMap;

/// A method with fewer calls in a window is not judged by it.
const MIN_CALLS: u64 = 500;
/// The doubt of a self time per call, as a share of the probes' cost of the call and of each timed
/// call that it makes.
const DOUBT_SHARE: f64 = 0.5;
/// A method with more timed callees per call gives the tree its shape, and its own probes are few
/// beside those of its callees.
const MAX_TIMED_CALLEES: f64 = 1.5;
/// The largest share of the program's time that is small. The report of a sampling profiler
/// still shows what has some more.
const SMALL_SHARE: f64 = 0.02;
/// A demotion makes HotSpot compile the method and its callers anew. It must save such a share of
/// what is to be saved.
const LEAST_SAVING: f64 = 1e-3;

/// A method to demote.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Choice {
    pub load: MethodLoad,
    pub reason: DemotionReason,
    /// What counting its calls saves per call, ns.
    pub saved_nanos: f64,
}

/// The methods whose demotion would have saved `excess_nanos` in this window, or as much as may
/// be: first those whose self time is in doubt, the dearest first; then those with a small share of
/// both the window and the recording, the least time for the cost first. Without `whole`, the load
/// of the recording so far, none for its small share.
pub(super) fn choose(
    window: &Load,
    whole: Option<&Load>,
    prices: &Prices,
    excess_nanos: f64,
    may_change: impl Fn(MethodId) -> bool,
) -> Vec<Choice> {
    let shares = whole.map(Shares::of);
    let mut in_doubt: Vec<Choice> = Vec::new();
    let mut small: Vec<Choice> = Vec::new();
    for load in &window.methods {
        let saved = load.cost_nanos - window.if_counted(load.calls, prices);
        let is_candidate = load.calls >= MIN_CALLS
            && saved > excess_nanos * LEAST_SAVING
            && load.per_call(load.timed_below as f64) <= MAX_TIMED_CALLEES
            && !load.is_task_entry
            && may_change(load.method);
        if !is_candidate {
            continue;
        }
        let choice = |reason| Choice { load: *load, reason, saved_nanos: load.per_call(saved) };
        if load.self_nanos <= doubt(load, prices) {
            in_doubt.push(choice(DemotionReason::InDoubt));
        } else if load.self_nanos < SMALL_SHARE * window.program_nanos
            && shares.as_ref().is_some_and(|shares| shares.of_method(load.method) < SMALL_SHARE)
        {
            small.push(choice(DemotionReason::SmallShare));
        }
    }
    let saved = |choice: &Choice| choice.saved_nanos * choice.load.calls as f64;
    in_doubt.sort_by(|a, b| saved(b).total_cmp(&saved(a)));
    let time_for_cost = |choice: &Choice| choice.load.self_nanos / saved(choice);
    small.sort_by(|a, b| time_for_cost(a).total_cmp(&time_for_cost(b)));
    let mut left = excess_nanos;
    let mut chosen = Vec::new();
    for choice in in_doubt.into_iter().chain(small) {
        if left <= 0.0 {
            break;
        }
        left -= saved(&choice);
        chosen.push(choice);
    }
    chosen
}

/// By how much a method's self time in a window may be wrong.
fn doubt(load: &MethodLoad, prices: &Prices) -> f64 {
    let Residual { caught_nanos, caught_error_nanos, .. } = Residual::default();
    let calls = load.calls as f64 + load.timed_below as f64;
    DOUBT_SHARE * prices.costs.pair_nanos() * calls
        + (caught_nanos + caught_error_nanos) * load.caught as f64
}

/// Each method's share of the program's time.
struct Shares(HashMap<MethodId, f64>);

impl Shares {
    fn of(whole: &Load) -> Self {
        let all = whole.program_nanos.max(1.0);
        Self(whole.methods.iter().map(|load| (load.method, load.self_nanos / all)).collect())
    }

    fn of_method(&self, method: MethodId) -> f64 {
        self.0.get(&method).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_calibration::{Cost, Costs};

    fn id(value: u32) -> MethodId {
        MethodId::new(value).unwrap()
    }

    /// A timed call costs 50 ns, a counted one 1.
    fn prices() -> Prices {
        let cost = |nanos| Cost { nanos, error_nanos: 0.0 };
        let costs =
            Costs { inner: cost(20.0), outer: cost(20.0), count: cost(1.0), ..Costs::default() };
        Prices { costs, record_nanos: 5.0, nanos_per_tick: 1.0 }
    }

    /// A method with 10,000 calls of this self time.
    fn method(value: u32, self_nanos: f64) -> MethodLoad {
        MethodLoad {
            method: id(value),
            calls: 10_000,
            self_nanos: 10_000.0 * self_nanos,
            timed_below: 0,
            caught: 0,
            cost_nanos: 10_000.0 * 50.0,
            is_task_entry: false,
        }
    }

    /// The methods in a window of 100 ms.
    fn window(methods: &[MethodLoad]) -> Load {
        Load {
            program_nanos: 100e6,
            cost_nanos: methods.iter().map(|method| method.cost_nanos).sum(),
            probe_nanos: 0.0,
            records_per_count: 0.0,
            methods: methods.to_vec(),
        }
    }

    fn chosen(methods: &[MethodLoad], excess_nanos: f64, with_small: bool) -> Vec<u32> {
        let window = window(methods);
        let whole = with_small.then_some(&window);
        let chosen = choose(&window, whole, &prices(), excess_nanos, |_| true);
        chosen.iter().map(|choice| choice.load.method.get()).collect()
    }

    #[test]
    fn doubt_comes_first_and_no_more_is_taken_than_needed() {
        let methods = [method(1, 100.0), method(2, 10.0), method(3, 50.0), method(4, 20.0)];
        // Each saves 490,000 ns.
        assert_eq!(chosen(&methods, 400_000.0, true), [2]);
        assert_eq!(chosen(&methods, 900_000.0, true), [2, 4]);
        assert_eq!(chosen(&methods, 1_400_000.0, true), [2, 4, 3]);
        assert_eq!(chosen(&methods, 9_900_000.0, true), [2, 4, 3, 1]);
        assert_eq!(chosen(&methods, 9_900_000.0, false), [2, 4]);
    }

    #[test]
    fn what_takes_a_share_of_the_time_stays_timed() {
        // 2 % of the window are 200 ns per call.
        assert_eq!(chosen(&[method(1, 199.0), method(2, 201.0)], 9_900_000.0, true), [1]);
    }

    #[test]
    fn what_shapes_the_tree_stays_timed() {
        let caller = MethodLoad { timed_below: 15_001, ..method(1, 0.0) };
        let task = MethodLoad { is_task_entry: true, ..method(2, 0.0) };
        let rare = MethodLoad { calls: 499, ..method(3, 0.0) };
        assert!(chosen(&[caller, task, rare], 9_900_000.0, true).is_empty());
        let window = window(&[method(4, 0.0)]);
        assert!(choose(&window, None, &prices(), 9_900_000.0, |_| false).is_empty());
    }
}
