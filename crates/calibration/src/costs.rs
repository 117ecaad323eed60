//! What one call's probes cost, with its doubt: from the calibration loops, or from the sequences
//! of the recording itself.

use jfathom_profile::{
    BatchStatistics, Calibration, CallKind, Jvm, Phase, RecordIntervals, RecordKind, TickRate,
};

/// How the probes' cost is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Estimator {
    /// From calibration: loops over empty methods, in the recorded JVM.
    #[default]
    Loops,
    /// From the times between neighbouring records of the program, where many of them held next to
    /// no work; calibration says where to look, and stands in where there are too few.
    Intervals,
}

impl Estimator {
    /// The one that is not this one.
    pub fn other(self) -> Self {
        match self {
            Self::Loops => Self::Intervals,
            Self::Intervals => Self::Loops,
        }
    }
}

/// A cost in nanoseconds. The truth lies within `nanos` ± `bar` in 95 of 100 cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The estimate.
    pub nanos: f64,
    /// Half width of the interval.
    pub bar: f64,
}

/// What the probes cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Within the measured time of a timed call that returns: between its two clock reads.
    pub inner: Cost,
    /// The same of one that ends by an exception.
    pub inner_throw: Cost,
    /// Of a timed call that returns, in the time of its caller.
    pub outer: Cost,
    /// The same of one that ends by an exception.
    pub outer_throw: Cost,
    /// Of a counted call, in the time of the method that is on top of the stack.
    pub count: Cost,
    /// Of telling that calls were counted, once for each time that it was told.
    pub count_record: Cost,
}

/// Standard normal quantile of the middle 95 %.
const TWO_SIDED: f64 = 1.96;
/// A calibration that was made once has this part of its value as its doubt, at least: what a
/// second one would differ by.
const ONCE: f64 = 0.05;
/// What a counted call may cost where nobody measured it.
const UNMEASURED: Cost = Cost { nanos: 0.0, bar: 3.0 };

impl Costs {
    /// The costs as this estimator has them; none where the JVM did not calibrate itself.
    pub fn from_jvm(jvm: &Jvm, estimator: Estimator) -> Option<Self> {
        let loops = Self::loops(&jvm.calibrations)?;
        Some(match estimator {
            Estimator::Loops => loops,
            Estimator::Intervals => loops.in_place(&jvm.sequences, jvm.clock.rate),
        })
    }

    /// The costs that calibrations tell; none without one of timed calls.
    pub fn loops(calibrations: &[Calibration]) -> Option<Self> {
        let both = |kind, batches: fn(&Calibration) -> BatchStatistics| {
            let of = |phase| {
                calibrations.iter().rfind(|it| it.kind == kind && it.phase == phase).map(batches)
            };
            measured(of(Phase::Start), of(Phase::End))
        };
        let (inner, outer) =
            (both(CallKind::Return, |it| it.inner)?, both(CallKind::Return, |it| it.outer)?);
        let inner_throw = both(CallKind::Throw, |it| it.inner).unwrap_or(inner);
        // How much of an exception's cost is the probes', and how much the program would have paid
        // without them, depends on what the compiler makes of the place.
        let outer_throw = both(CallKind::Throw, |it| it.outer).map_or(outer, |cost| {
            let doubt = 0.25 * (cost.nanos - outer.nanos).abs();
            Cost { bar: cost.bar.hypot(doubt), ..cost }
        });
        let count = both(CallKind::Count, |it| it.outer).unwrap_or(UNMEASURED);
        let note =
            match (both(CallKind::Mixed, |it| it.inner), both(CallKind::Mixed, |it| it.outer)) {
                (Some(mixed_inner), Some(mixed)) => {
                    let nanos =
                        mixed_inner.nanos + mixed.nanos - count.nanos - inner.nanos - outer.nanos;
                    Cost { nanos, bar: mixed.bar.hypot(count.bar) }
                }
                _ => Cost { nanos: 0.0, bar: UNMEASURED.bar },
            };
        Some(Self { inner, inner_throw, outer, outer_throw, count, count_record: note })
    }

    /// A timed call and its return, in all.
    pub fn pair(&self) -> f64 {
        self.inner.nanos + self.outer.nanos
    }

    /// These costs of calibration loops, looked up in the program's own sequences.
    fn in_place(self, sequences: &[RecordIntervals], rate: TickRate) -> Self {
        let low = |from, to, loops: f64| {
            let sequence = sequences.iter().find(|it| (it.from, it.to) == (from, to))?;
            low_part(sequence, loops, rate)
        };
        let inner = low(RecordKind::Entry, RecordKind::Return, self.inner.nanos);
        let half = self.pair() / 2.0;
        // Down and up again in two steps, where few calls follow one another within their caller.
        let down_and_up = || {
            Some(
                low(RecordKind::Entry, RecordKind::Entry, half)?
                    + low(RecordKind::Return, RecordKind::Return, half)?,
            )
        };
        let outer = low(RecordKind::Return, RecordKind::Entry, self.outer.nanos)
            .or_else(|| Some(down_and_up()? - inner.unwrap_or(self.inner.nanos)));
        let shifted =
            |cost: Cost, by: f64| Cost { nanos: cost.nanos + by, bar: cost.bar.hypot(by / 2.0) };
        let inner = inner.map_or(0.0, |inner| inner - self.inner.nanos);
        let outer = outer.map_or(0.0, |outer| outer - self.outer.nanos);
        Self {
            inner: shifted(self.inner, inner),
            inner_throw: shifted(self.inner_throw, inner),
            outer: shifted(self.outer, outer),
            outer_throw: shifted(self.outer_throw, outer),
            ..self
        }
    }
}

/// A transition that took this much longer than the calibration loop's, in nanoseconds, held real
/// work.
const WORK: f64 = 12.0;
/// So much of a sample must lie near the calibration to tell something.
const LOW_SHARE: f64 = 0.02;
const LOW_COUNT: f64 = 200.0;

/// The mean of the times around `loops` nanoseconds: of the transitions with next to no work in
/// them. Not their minimum: that is as far below their cost in the program as the longest are
/// above. Not their median: there are processors whose clock goes on in steps of 10 ns, and then a
/// single time says little where many say a lot.
fn low_part(sequence: &RecordIntervals, loops: f64, rate: TickRate) -> Option<f64> {
    let (from, to) = (loops * 0.7, loops + WORK);
    let share = sequence.share_between(from, to, rate);
    let enough = share >= LOW_SHARE && share * sequence.count() as f64 >= LOW_COUNT;
    enough.then(|| sequence.mean_between(from, to, rate))
}

/// The standard deviation of batches without those in which the machine did something else: twenty
/// draws of a normal distribution reach 1.87 standard deviations below their median, and nothing
/// makes a batch too short.
fn scatter(batches: BatchStatistics) -> f64 {
    batches.deviation.min((batches.median - batches.min) / 1.87)
}

/// A cost from what was measured before and after.
fn measured(start: Option<BatchStatistics>, end: Option<BatchStatistics>) -> Option<Cost> {
    let there = |batches: Option<BatchStatistics>| batches.filter(|it| !it.is_empty());
    let error = |it: BatchStatistics| TWO_SIDED * scatter(it) / f64::from(it.count).sqrt();
    Some(match (there(start), there(end)) {
        (Some(start), Some(end)) => Cost {
            nanos: (start.median + end.median) / 2.0,
            bar: ((end.median - start.median).abs() / 2.0).hypot(error(start).max(error(end))),
        },
        (Some(it), None) | (None, Some(it)) => {
            Cost { nanos: it.median, bar: error(it).hypot(it.median.abs() * ONCE) }
        }
        (None, None) => return None,
    })
}
