//! What is demoted, and how often calls are flushed, by what timing costs in the present window.

use super::choice::{Again, choose};
use super::flushing::{FLUSH_SHARE, Flushing, more_often, more_seldom};
use super::load::{MethodLoad, Prices};
use super::{Demoter, WINDOW_NANOS, demote};
use jfathom_profile::Builder;
use jfathom_trace::{Allowance, SessionFile, layout};

/// Calls in a window after which a method is judged.
const LEAST_CALLS: u64 = 20;
/// If the budget is exceeded, a sweep demotes until this share of it is used.
const TARGET: f64 = 0.9;
/// The same while the whole recording exceeds the budget by [`GRACE_NANOS`].
const DEBT_TARGET: f64 = 0.5;
const GRACE_NANOS: f64 = 20e6;
/// Flushes take at most this share of their part of the budget, or none are added.
const ROOM_SHARE: f64 = 0.6;
/// After each demotion of a method it takes twice as many windows until it may be timed again, up
/// to two to the power of this.
const MOST_DEMOTIONS: u32 = 10;

impl Demoter {
    /// Compares the cost in the present window with the budget. Ends the window if it is long
    /// enough.
    pub(super) fn judge(&mut self, prices: &Prices, file: &SessionFile, builder: &mut Builder) {
        let limit = self.budget.share().unwrap_or(f64::INFINITY);
        let debt = self.outcome.cost_nanos - self.fixed_nanos - limit * self.outcome.program_nanos;
        let target = if debt > GRACE_NANOS { DEBT_TARGET } else { TARGET } * limit;
        let loads = self.loads(file, builder);
        let flushes = self.judge_flushes(&loads, target * FLUSH_SHARE, prices, file);
        let timing = |load: &MethodLoad| load.share(prices.timing_nanos(&load.sums));
        let taken: f64 = flushes + loads.iter().map(timing).sum::<f64>();
        if taken > limit || debt > GRACE_NANOS && taken > target {
            let may_change = |load: &MethodLoad| {
                load.sums.calls >= LEAST_CALLS && self.may_change(load.method, file)
            };
            let loads = loads.into_iter().filter(may_change);
            for load in choose(loads, prices, limit, taken - target) {
                if self.time_outermost(load.method, load.sums.calls, file, builder) {
                    continue;
                }
                let demotion = self.note(&load, prices, file);
                let state = self.methods.entry(load.method).or_default();
                state.again_from = self.windows + (1 << state.demotions.min(MOST_DEMOTIONS));
                state.demotions += 1;
                demote(file, builder, load.method, demotion);
            }
        }
        if self.window_nanos() >= WINDOW_NANOS {
            self.time_exhausted_outermost(file, builder);
            self.note_exhausted(prices, file, builder);
            let counted = builder.counted_calls();
            let again = self.again(&counted, target - taken);
            self.begin_window(file, builder, &counted, prices);
            for Again { method, calls, value, .. } in again {
                builder.promote(method);
                self.allow(method, self.allowance(calls, value), file);
                file.set_mode(method, layout::MODE_TIME as u8);
            }
        }
    }

    /// Has fewer calls flushed, if flushes take more than `most`, a share of the program's time; at
    /// a window's end more, if they take much less. Returns what they take then. Those of methods
    /// that stay timed are left out: nothing makes them fewer.
    pub(super) fn judge_flushes(
        &mut self,
        loads: &[MethodLoad],
        most: f64,
        prices: &Prices,
        file: &SessionFile,
    ) -> f64 {
        let cost = |load: &MethodLoad| load.share(prices.flush_nanos(&load.sums));
        let of = |load: &MethodLoad| Flushing {
            method: load.method,
            cost_share: cost(load),
            shift: self.flush_shift(load.method),
        };
        let may_change = |load: &&MethodLoad| self.may_change(load.method, file);
        let all: Vec<Flushing> = loads.iter().filter(may_change).map(of).collect();
        // A few calls that count a lot are long, and their counts tell most.
        let is_judged = |load: &&MethodLoad| load.sums.calls >= LEAST_CALLS;
        let judged = loads.iter().filter(may_change).filter(is_judged);
        let judged: Vec<Flushing> = judged.map(of).collect();
        let taken: f64 = judged.iter().map(|of| of.cost_share).sum();
        // A thread of the program may have put the old number back.
        for of in &all {
            let known = file.allowance(of.method).filter(|left| left.flush_shift != of.shift);
            if let Some(left) = known.filter(|left| left.calls > 1) {
                file.set_allowance(of.method, Allowance { flush_shift: of.shift, ..left });
            }
        }
        if taken > most {
            let changed = more_seldom(&judged, most);
            let mut left = taken;
            for now in changed {
                let before = self.flush_shift(now.method);
                let state = self.methods.entry(now.method).or_default();
                // What the window's calls so far would have cost.
                let part = 0.5_f64.powi(i32::from(now.shift.saturating_sub(before)));
                if let Some(load) = loads.iter().find(|load| load.method == now.method) {
                    state.sums.flush_records +=
                        (load.sums.flush_records as f64 * (1.0 - part)) as u64;
                    left -= cost(load) - now.cost_share;
                }
                state.flush_shift = Some(now.shift);
                self.set_flush_shift(now.method, file);
            }
            return left;
        }
        if self.window_nanos() >= WINDOW_NANOS {
            for now in more_often(all, most * ROOM_SHARE - taken) {
                self.methods.entry(now.method).or_default().flush_shift = Some(now.shift);
                self.set_flush_shift(now.method, file);
            }
        }
        taken
    }
}
