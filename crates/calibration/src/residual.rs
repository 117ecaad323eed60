//! What probes cost within a program beyond what they cost in calibration loops: more, where the
//! compiler leaves out optimisation because of them; less, where the processor works on while it
//! reads the clock.
//!
//! No single run can see it. Measured against plain programs, one thread of a quiet machine, JDK 17
//! with `nanoTime` and 25 with the TSC, nanoseconds a timed call of a leaf with so much work in one
//! dependent chain:
//!
//! | work | 0 | 2 | 5 | 10 | 18 | 38 | 77 | 300 |
//! |---|---|---|---|---|---|---|---|---|
//! | 17 | +2.6 | +1.0 | −0.3 | −4.6 | −7.0 | −8.6 | −7.8 | −3.3 |
//! | 25 | +7.1 | +6.6 | +1.3 | −2.9 | −8.6 | −15.5 | −16.4 | −16.4 |
//!
//! Programs are not like that leaf. What whole programs of such methods cost beyond calibration,
//! all of their methods timed, nanoseconds a call:
//!
//! | | Layer | Strs | Exc | Fib | Visit | Words | Micro |
//! |---|---|---|---|---|---|---|---|
//! | 17 | −7 | +1 to +2 | +1 to +2 | +2 to +5 | +4 | +2 to +10 | +1 to +6 |
//! | 25 | 0 to +4 | 0 to +4 | +3 to +9 | 0 | 0 | −2 | −5 to +1 |
//!
//! Hidden reading is what one chain through all methods makes of it (Layer on 17); where strings
//! and objects are made in inlined callees, more is lost than can be hidden (Words with demotion:
//! +11 a timed call). So little is assumed to be hidden, and much is left open.
//!
//! Counted calls cost up to a nanosecond beyond the counter as calibrated (Fib +0.3 to +0.6, Strs
//! +0.2 to +0.5, Visit +0.7 to +1.1, Exc +0.1 to +0.4 on 17, and with what is late +0.8 to +1.4 on
//! 25); the code around is larger, and its compilation later: some milliseconds in all for a
//! program of ten methods on 17, be its calls timed or counted; on 25, whose compiler folds chains
//! of multiplications, 37 ms in Layer and 25 in a program of two threads of such.
//!
//! An exception that is caught cost 20 to 170 ns beyond (Exc, Fails), where without probes it may
//! be a jump.
//!
//! First calls cost less than one would think, because calibration has the probes compiled before
//! the program calls them: in a program of 2,000 methods 10 to 29 ns a call, in which compilers of
//! the methods, which the probes make larger, are late.
//!
//! Large programs lose more while they are cold: their methods wait in the compilers' queues, the
//! longer the larger they are, and run profiled code with probes meanwhile. Beside runs without any
//! other probe, on two processors: ECJ 80 to 110 ns for each of a method's first 10,000 timed calls
//! (120 to 430 of its 4,000 methods have more), Lucene 110 to 150 on 17 and 110 on 25 (160 of
//! 1,800), SAT4J more than can be seen (155 of 309); a program of 2,000 short methods that have no
//! more than 8,000 calls does not. Over twelve rounds in one JVM ECJ loses nothing: −1 to +4 % of
//! the root. What its main thread loses is the wait for the thread that compiles
//! (`waits.rs`). Where runs with probes on the roots alone are there
//! ([`jfathom_profile::Anchor`]), they say it instead.

/// What is assumed of the residual; nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Of a timed call, with a clock that waits for what came before: `nanoTime`.
    pub ordered_clock: TimedResidual,
    /// With one that does not: the TSC.
    pub unordered_clock: TimedResidual,
    /// Of a method's first calls, which are interpreted and call compiled probes.
    pub interpreted: WarmUpResidual,
    /// Of those until its optimising compilation, the former included.
    pub warming: WarmUpResidual,
    /// What is added to `warming` in programs of many methods, which wait in the compilers'
    /// queues.
    pub queued: CompileQueueResidual,
    /// Of a method's first counted calls after its demotion, which throws its compiled code and
    /// its callers' away.
    pub demoted: WarmUpResidual,
    /// The same on JVMs whose clock does not wait for what came before, whose compilers take
    /// longer.
    pub demoted_free: WarmUpResidual,
    /// Of a counted call, the counter itself not included.
    pub counted: f64,
    /// Half width of that.
    pub counted_bar: f64,
    /// Half width of what an exception costs on its way through a counted call.
    pub counted_thrown_bar: f64,
    /// Of an exception on its way through a timed call: without the probes the compiler might have
    /// made a jump of it.
    pub thrown: f64,
    /// Half width of that.
    pub thrown_bar: f64,
    /// Of an exception that leaves a timed call and is caught further up.
    pub caught: f64,
    /// Half width of that.
    pub caught_bar: f64,
    /// Half width of the work that the compiler moves across the clock reads of a call, between
    /// the method and its caller.
    pub moved: f64,
    /// Half width of what a thread loses because its methods, which the probes make larger, are
    /// compiled late; in all, with a clock that waits for what came before: on JVMs up to 21.
    pub late_fenced: f64,
    /// With one that does not. Compilers of later JVMs fold loops that take ten times as long
    /// until then.
    pub late_free: f64,
    /// Half width of what two runs of the same code differ by anyhow, as a part of the time:
    /// compilations fall out differently, and processors do not keep their pace.
    pub pace: f64,
}

/// What is assumed of a method's calls before it is compiled as the calibration loops are;
/// nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarmUpResidual {
    /// How many calls.
    pub calls: f64,
    /// Of each of them.
    pub nanos: f64,
    /// Half width of that.
    pub bar: f64,
}

/// What is assumed of calls before compilation where compilers have much to do; nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompileQueueResidual {
    /// With so many methods that have more calls than are early ones ([`Residual::warming`]) it is
    /// half of what it can be.
    pub methods: f64,
    /// The most that it can be.
    pub nanos: f64,
    /// Half width of that.
    pub bar: f64,
}

/// What is assumed of timed calls with one clock; nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedResidual {
    /// Of a call of an empty method.
    pub lost: f64,
    /// Half width of that.
    pub lost_bar: f64,
    /// How much of the clock's reading is hidden behind the work of a method that has enough of
    /// it.
    pub hidden: f64,
    /// Half width of that.
    pub hidden_bar: f64,
    /// Of what is hidden, how much stands in the caller's time: the work at a method's beginning
    /// overlaps with the end of its entry probe, which the loops take for the probe's own.
    pub shifted: f64,
    /// Self time a call, in nanoseconds and before any residual, of a method that is half empty.
    pub scale: f64,
}

impl Default for Residual {
    fn default() -> Self {
        Self {
            ordered_clock: TimedResidual {
                lost: 2.0,
                lost_bar: 4.0,
                hidden: 5.0,
                hidden_bar: 9.0,
                shifted: 4.0,
                scale: 6.0,
            },
            unordered_clock: TimedResidual {
                lost: 1.5,
                lost_bar: 4.5,
                hidden: 1.5,
                hidden_bar: 12.0,
                shifted: 0.0,
                scale: 12.0,
            },
            interpreted: WarmUpResidual { calls: 300.0, nanos: 0.0, bar: 30.0 },
            warming: WarmUpResidual { calls: 10_000.0, nanos: 35.0, bar: 60.0 },
            queued: CompileQueueResidual { methods: 60.0, nanos: 95.0, bar: 30.0 },
            demoted: WarmUpResidual { calls: 200_000.0, nanos: 0.0, bar: 4.0 },
            demoted_free: WarmUpResidual { calls: 200_000.0, nanos: 6.0, bar: 6.0 },
            counted: 0.6,
            counted_bar: 0.7,
            counted_thrown_bar: 7.0,
            thrown: 5.0,
            thrown_bar: 20.0,
            caught: 110.0,
            caught_bar: 150.0,
            moved: 3.0,
            late_fenced: 15e6,
            late_free: 45e6,
            pace: 0.015,
        }
    }
}

/// What tying a method to its entry probe costs it, in nanoseconds a call
/// (`docs/pinned-probes.md`).
const PIN: f64 = 1.1;
/// Half of what may be hidden is, in methods of this length: loops that end cut the processor's
/// foresight short.
const LONG: f64 = 400.0;

/// What is assumed of a method's timed calls; nanoseconds a call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AssumedCost {
    /// Optimisation that is lost.
    pub lost: f64,
    /// Clock reading that is hidden.
    pub hidden: f64,
    /// Time of the caller that is the method's.
    pub shifted: f64,
    /// Half width of both together.
    pub bar: f64,
}

impl WarmUpResidual {
    /// The mean over so many calls of one method in so many JVMs, and its half width.
    fn mean(&self, calls: f64, jvms: f64) -> [f64; 2] {
        let part = (self.calls * jvms / calls.max(1.0)).min(1.0);
        [self.nanos * part, self.bar * part]
    }
}

impl Residual {
    /// Of a counted call and its half width, where so many calls were counted; of each demoted
    /// method how many, and how many of them ended by an exception.
    pub(crate) fn counted(
        &self,
        counted: f64,
        demoted: impl Iterator<Item = (f64, f64)>,
        free: bool,
    ) -> [f64; 2] {
        let of_demoted = if free { &self.demoted_free } else { &self.demoted };
        let (mut early, mut thrown) = (0.0, 0.0);
        for (calls, throws) in demoted {
            early += calls.min(of_demoted.calls) / counted.max(1.0);
            thrown += throws / counted.max(1.0);
        }
        let bars = [self.counted_bar, early * of_demoted.bar, thrown * self.counted_thrown_bar];
        [self.counted + early * of_demoted.nanos, bars.into_iter().fold(0.0, f64::hypot)]
    }

    /// What is added to the residual by calls that are not compiled yet, and its half width, as a
    /// mean over all calls of one method in so many JVMs. `often` is how many methods of the
    /// program have more calls than are early ones.
    pub(crate) fn early(&self, calls: f64, jvms: f64, often: usize) -> [f64; 2] {
        let often = often as f64;
        let queue = if often > 0.0 { often / (often + self.queued.methods) } else { 0.0 };
        let warming = WarmUpResidual {
            nanos: self.warming.nanos + queue * self.queued.nanos,
            bar: self.warming.bar + queue * self.queued.bar,
            ..self.warming
        };
        let [cold, cold_bar] = self.interpreted.mean(calls, jvms);
        let [warming, warming_bar] = warming.mean(calls, jvms);
        [cold + warming, cold_bar.hypot(warming_bar)]
    }
}

impl TimedResidual {
    /// For a method with this self time a call. The work of a `pinned` one begins behind its entry
    /// probe: nothing of it is hidden.
    pub(crate) fn of(&self, self_nanos: f64, pinned: bool) -> AssumedCost {
        let nanos = self_nanos.max(0.0);
        let full = match self.scale > 0.0 {
            true => nanos * nanos / (nanos * nanos + self.scale * self.scale),
            false => 1.0,
        };
        let lost = self.lost * (1.0 - full);
        if pinned {
            // All of the tie's own cost is within the method; what is lost goes by halves.
            return AssumedCost {
                lost: lost + PIN,
                shifted: -PIN / 2.0,
                bar: self.lost_bar,
                ..AssumedCost::default()
            };
        }
        AssumedCost {
            lost,
            hidden: self.hidden * full / (1.0 + nanos / LONG),
            shifted: self.shifted * full / (1.0 + nanos / LONG),
            bar: self.lost_bar * (1.0 - full) + self.hidden_bar * full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_methods_wait_for_compilers_and_only_at_first() {
        let residual = Residual::default();
        let early = |calls: f64, jvms: f64, often: usize| residual.early(calls, jvms, often)[0];
        let all = residual.warming.nanos + residual.queued.nanos;
        assert_eq!(early(10_000.0, 1.0, 0), residual.warming.nanos);
        assert!(early(10_000.0, 1.0, 6) < residual.warming.nanos + 10.0);
        assert!((0.85 * all..all).contains(&early(10_000.0, 1.0, 1_000)));
        // Half of the calls are early ones; of ten JVMs each has its own.
        assert_eq!(early(20_000.0, 1.0, 50) * 2.0, early(10_000.0, 1.0, 50));
        assert_eq!(early(100_000.0, 10.0, 50), early(10_000.0, 1.0, 50));
    }
}
