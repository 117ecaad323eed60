//! How many calls of a method are timed before the collector looks again.

use super::choice::Value;
use super::load::Prices;
use super::{Demoter, FIRST, LEAST_NANOS, WINDOW_NANOS};
use jfathom_plan::MethodId;
use jfathom_profile::Builder;
use jfathom_trace::{Allowance, SessionFile, layout};

/// The least and the most calls of later ones.
const LEAST_ALLOWANCE: u32 = 100;
pub(super) const MOST_ALLOWANCE: u32 = 20_000;
/// What an allowance may cost, as a share of the budget in a window: that of a method of
/// [`FULL_WORTH`] or more. Those of less worth are the first that are demoted, and get less.
const ALLOWANCE_SHARE: f64 = 0.5;
const FULL_WORTH: f64 = 100.0;
/// Methods whose calls take so many times what timing them costs need no allowance: they cannot
/// come so often that it would matter, unless they are called in their own calls. So they must also
/// take at most [`FREE_SHARE`] of the budget in the present window.
const FREE_WORTH: f64 = 200.0;
const FREE_SHARE: f64 = 0.05;
/// See [`Demoter::allow`].
const JITTER_STEP: u32 = 0x9e37;

impl Demoter {
    /// The allowance of a method that had so many calls of this value in a window.
    pub(super) fn allowance(&self, calls: u64, value: Value) -> u32 {
        let calls = u32::try_from(calls.saturating_mul(2)).unwrap_or(u32::MAX);
        let budget = WINDOW_NANOS * self.budget.share().unwrap_or(1.0).min(1.0);
        let share = ALLOWANCE_SHARE * (value.worth / FULL_WORTH).min(1.0);
        let affordable = (share * budget / value.nanos.max(1.0)) as u32;
        calls.clamp(LEAST_ALLOWANCE, MOST_ALLOWANCE).min(affordable).max(FIRST[0])
    }

    /// Gives a method so many calls, of which as many are flushed as its state says.
    pub(super) fn allow(&self, method: MethodId, calls: u32, file: &SessionFile) {
        let flush_shift = self.flush_shift(method);
        let outermost = self.methods.get(&method).is_some_and(|state| state.outermost);
        // The JVM chooses by how many are left: with the same number in each window it might always
        // choose the same ones.
        let more = (self.windows as u32).wrapping_mul(JITTER_STEP) % (calls / 8).max(1);
        file.set_allowance(method, Allowance { calls: calls + more, flush_shift, outermost });
    }

    pub(super) fn flush_shift(&self, method: MethodId) -> u8 {
        let known = self.methods.get(&method).and_then(|state| state.flush_shift);
        known.unwrap_or(self.first_flush_shift)
    }

    /// Tells the JVM how many calls of a method are flushed.
    pub(super) fn set_flush_shift(&self, method: MethodId, file: &SessionFile) {
        let flush_shift = self.flush_shift(method);
        if let Some(left) = file.allowance(method).filter(|left| left.calls > 0) {
            file.set_allowance(method, Allowance { flush_shift, ..left });
        }
    }

    /// Has only the outermost calls of a recursive method timed. False if they are already, or if
    /// it is not recursive.
    pub(super) fn time_outermost(
        &mut self,
        method: MethodId,
        calls: u64,
        file: &SessionFile,
        builder: &Builder,
    ) -> bool {
        if !builder.is_recursive(method) {
            return false;
        }
        let state = self.methods.entry(method).or_default();
        if std::mem::replace(&mut state.outermost, true) {
            return false;
        }
        // What its calls have cost so far says nothing of the outermost ones.
        state.sums = builder.costs_of(method).plus(state.in_slices);
        let calls = u32::try_from(calls).unwrap_or(u32::MAX).clamp(LEAST_ALLOWANCE, MOST_ALLOWANCE);
        self.allow(method, calls, file);
        true
    }

    /// The same for those that the JVM counts since they have used up their allowance.
    pub(super) fn time_exhausted_outermost(&mut self, file: &SessionFile, builder: &Builder) {
        let is_exhausted = |method: &MethodId| {
            builder.is_recursive(*method)
                && file.allowance(*method).is_some_and(Allowance::is_used_up)
                && file.mode(*method) == Some(layout::MODE_COUNT as u8)
        };
        let methods = builder.method_costs().map(|(method, _)| method);
        let exhausted: Vec<MethodId> = methods.filter(is_exhausted).collect();
        for method in exhausted {
            let is_demoted = self.methods.get(&method).is_some_and(|state| state.demoted.is_some());
            if !is_demoted && self.time_outermost(method, 0, file, builder) {
                file.set_mode(method, layout::MODE_TIME as u8);
            }
        }
    }

    /// What a method that needs no allowance may cost in the present window, ns.
    pub(super) fn free_nanos(&self) -> f64 {
        self.window_nanos().max(LEAST_NANOS) * self.budget.share().unwrap_or(1.0) * FREE_SHARE
    }

    /// Gives methods that need no allowance the most calls, also if the JVM counts them by now.
    pub(super) fn renew_free(&mut self, prices: &Prices, file: &SessionFile, builder: &Builder) {
        let free_nanos = self.free_nanos();
        for (method, sums) in builder.method_costs() {
            let left = file.allowance(method);
            let Some(left) = left.filter(|left| (1..MOST_ALLOWANCE / 2).contains(&left.calls))
            else {
                continue;
            };
            let state = self.methods.get(&method).copied().unwrap_or_default();
            let sums = sums.plus(state.in_slices).since(state.sums);
            let is_free =
                prices.worth(&sums) >= FREE_WORTH && prices.timing_nanos(&sums) <= free_nanos;
            if state.demoted.is_none() && sums.calls > 0 && is_free {
                let flush_shift = self.flush_shift(method);
                let outermost = state.outermost;
                let allowance = Allowance { calls: MOST_ALLOWANCE, flush_shift, outermost };
                file.set_allowance(method, allowance);
                if left.is_used_up() {
                    file.set_mode(method, layout::MODE_TIME as u8);
                }
            }
        }
    }
}
