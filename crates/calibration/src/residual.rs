//! The residual pass: probe cost in a program that calibration loops do not see.
//!
//! It is positive if probes prevent optimisation, and negative if the processor continues to work
//! while it reads the clock. A single run cannot show it, so each part is assumed. `constants` has
//! the values. Roots-only runs ([`jfathom_profile::Anchor`]) measure the sum instead.

use crate::{
    assumptions::{Residual, TimedResidual, WarmUpResidual},
    fitted,
};

/// The residual of a method's timed calls, in nanoseconds per call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AssumedCost {
    /// Optimisation that is lost.
    pub lost_nanos: f64,
    /// Clock reading that is hidden.
    pub hidden_nanos: f64,
    /// The method's time that is charged to the caller.
    pub shifted_nanos: f64,
    /// Error bar of their sum.
    pub error_nanos: f64,
}

/// The residual of a method's timed calls as it is subtracted, in nanoseconds per call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct MethodResidual {
    /// Residual overhead. Half of it is charged to the method, half to its caller.
    pub nanos: f64,
    /// Error bar of `nanos`.
    pub error_nanos: f64,
    /// Error bar for work that the compiler moves between method and caller.
    pub moved_error_nanos: f64,
    /// The method's time that is charged to the caller: work that overlaps with the end of its
    /// entry probe.
    pub from_caller_nanos: f64,
}

/// A cost with its error, both in nanoseconds per call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PerCall {
    pub nanos: f64,
    pub error_nanos: f64,
}

impl WarmUpResidual {
    /// The mean over so many calls of one method in so many JVMs.
    fn mean(&self, calls: f64, jvms: f64) -> PerCall {
        let share = (self.calls * jvms / calls.max(1.0)).min(1.0);
        PerCall { nanos: self.nanos * share, error_nanos: self.error_nanos * share }
    }
}

impl Residual {
    /// The residual of timed calls with this kind of clock.
    pub(crate) fn timed(&self, has_unordered_clock: bool) -> &TimedResidual {
        if has_unordered_clock { &self.unordered_clock } else { &self.ordered_clock }
    }

    /// The error bar for late compilation, in nanoseconds per thread.
    pub(crate) fn late_nanos(&self, is_after_17: bool) -> f64 {
        if is_after_17 { self.late_after_17_nanos } else { self.late_to_17_nanos }
    }

    /// The residual of a counted call, as a mean over all `counted` calls. `methods` has for each
    /// method its counted calls, and how many of them ended by an exception.
    pub(crate) fn counted(
        &self,
        counted: f64,
        methods: impl Iterator<Item = (f64, f64)>,
    ) -> PerCall {
        let first = &self.early_counted;
        let (mut early, mut thrown, mut hot) = (0.0, 0.0, 0.0);
        for (calls, throws) in methods {
            hot += f64::from(u8::from(calls > fitted::HOT_CALLS));
            early += calls.min(first.calls) / counted.max(1.0);
            thrown += throws / counted.max(1.0);
        }
        early *= self.queue_share(hot);
        let errors = [
            self.counted_error_nanos,
            early * first.error_nanos,
            thrown * self.counted_throw_error_nanos,
        ];
        PerCall {
            nanos: self.counted_nanos + early * first.nanos,
            error_nanos: errors.into_iter().fold(0.0, f64::hypot),
        }
    }

    /// How full the compilers' queues are with so many methods that have many calls.
    fn queue_share(&self, hot: f64) -> f64 {
        if hot > 0.0 { hot / (hot + self.compile_queue.methods) } else { 0.0 }
    }

    /// The residual of calls that are not compiled yet, as a mean over all `calls` of one method in
    /// `jvms` JVMs. `hot_methods` is the number of the program's methods that have more calls than
    /// a warm-up takes.
    pub(crate) fn warm_up(&self, calls: f64, jvms: f64, hot_methods: usize) -> PerCall {
        let queue = self.queue_share(hot_methods as f64);
        let warm_up = WarmUpResidual {
            nanos: self.warm_up.nanos + queue * self.compile_queue.nanos,
            error_nanos: self.warm_up.error_nanos + queue * self.compile_queue.error_nanos,
            ..self.warm_up
        };
        let interpreted = self.interpreted.mean(calls, jvms);
        let warm_up = warm_up.mean(calls, jvms);
        PerCall {
            nanos: interpreted.nanos + warm_up.nanos,
            error_nanos: interpreted.error_nanos.hypot(warm_up.error_nanos),
        }
    }
}

impl TimedResidual {
    /// The residual of a method with this self time per call.
    pub(crate) fn per_call(&self, self_nanos: f64) -> AssumedCost {
        let nanos = self_nanos.max(0.0);
        let full = match self.scale_nanos > 0.0 {
            true => nanos * nanos / (nanos * nanos + self.scale_nanos * self.scale_nanos),
            false => 1.0,
        };
        let lost_nanos = self.lost_nanos * (1.0 - full);
        let long = 1.0 + nanos / fitted::LONG_METHOD_NANOS;
        AssumedCost {
            lost_nanos,
            hidden_nanos: self.hidden_nanos * full / long,
            shifted_nanos: self.shifted_nanos * full / long,
            error_nanos: self.lost_error_nanos * (1.0 - full) + self.hidden_error_nanos * full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_methods_wait_for_compilers_and_only_at_first() {
        let residual = Residual::shipped();
        let warm_up = |calls, jvms, hot| residual.warm_up(calls, jvms, hot).nanos;
        let all = residual.warm_up.nanos + residual.compile_queue.nanos;
        assert_eq!(warm_up(10_000.0, 1.0, 0), residual.warm_up.nanos);
        assert!(warm_up(10_000.0, 1.0, 6) < residual.warm_up.nanos + 10.0);
        assert!((0.85 * all..all).contains(&warm_up(10_000.0, 1.0, 1_000)));
        // Half of the calls are early ones; each of ten JVMs has its own.
        assert_eq!(warm_up(20_000.0, 1.0, 50) * 2.0, warm_up(10_000.0, 1.0, 50));
        assert_eq!(warm_up(100_000.0, 10.0, 50), warm_up(10_000.0, 1.0, 50));
    }

    #[test]
    fn an_empty_method_loses_and_a_long_one_hides() {
        let timed = Residual::shipped().ordered_clock;
        let empty = timed.per_call(0.0);
        assert_eq!((empty.lost_nanos, empty.hidden_nanos), (timed.lost_nanos, 0.0));
        let full = timed.per_call(60.0);
        assert!(full.lost_nanos < 0.1 && full.hidden_nanos > 0.8 * timed.hidden_nanos);
    }
}
