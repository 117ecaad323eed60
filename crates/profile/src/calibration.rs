//! What the probes cost, as the recorded JVM measured it on itself.

use serde::{Deserialize, Serialize};

/// When in the JVM's life a calibration was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Before the first root ran.
    Start,
    /// At the JVM's end.
    End,
}

/// Which kind of call was calibrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CallKind {
    /// A timed call that returns.
    Return,
    /// A timed call that ends by an exception, which its caller catches.
    Throw,
    /// A timed call that makes one timed call and returns.
    Nested,
    /// A counted call.
    Count,
    /// A counted call, and a timed one after it.
    Mixed,
    /// A call of a method that is off.
    Off,
}

/// The calibration of one kind of call: batches of calls of an empty method in a loop.
///
/// For the timed kinds `inner` is what lies between the two clock reads of a call: the time that an
/// empty method seems to take. `outer` is what the pair of probes costs the caller beyond
/// `inner` and `reference`. So a call of an instrumented empty method takes reference + inner +
/// outer. For kinds that read no clock `inner` is zero, and `outer` is the whole cost beyond
/// `reference`. For [`CallKind::Nested`] `inner` is the self time that the outer method seems to
/// have, and the call inside is in `outer`. For [`CallKind::Mixed`] what `outer` has beyond a timed
/// and a counted call is the cost of a COUNTED record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// When.
    pub phase: Phase,
    /// Which kind of call.
    pub kind: CallKind,
    /// Calls in each batch.
    pub calls: u64,
    /// Nanoseconds per call between the clock reads.
    pub inner: BatchStatistics,
    /// Nanoseconds per call beyond those and beyond the reference loop.
    pub outer: BatchStatistics,
    /// Nanoseconds per call of the reference loop: the same loop without probes.
    pub reference: BatchStatistics,
}

/// Several measurements of one quantity, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchStatistics {
    /// How many.
    pub count: u32,
    /// The smallest.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation of one measurement; 0 where there are fewer than two.
    pub deviation: f64,
}

impl BatchStatistics {
    /// The summary of measurements; those that are no finite numbers are passed over.
    pub fn of(nanos: &[f64]) -> Self {
        let mut sorted: Vec<f64> =
            nanos.iter().copied().filter(|nanos| nanos.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(min), count) = (sorted.first().copied(), sorted.len()) else {
            return Self::default();
        };
        let middle = [sorted.get((count - 1) / 2), sorted.get(count / 2)];
        let median = middle.into_iter().flatten().sum::<f64>() / 2.0;
        let mean = sorted.iter().sum::<f64>() / count as f64;
        let squares: f64 = sorted.iter().map(|nanos| (nanos - mean).powi(2)).sum();
        let deviation = if count < 2 { 0.0 } else { (squares / (count - 1) as f64).sqrt() };
        Self { count: u32::try_from(count).unwrap_or(u32::MAX), min, median, mean, deviation }
    }

    /// Whether there is no measurement.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn is_valid(&self) -> bool {
        let numbers = [self.min, self.median, self.mean, self.deviation];
        numbers.iter().all(|number| number.abs() < LARGEST) && self.deviation >= 0.0
    }
}

/// No cost of a call is as large, in nanoseconds. A larger one comes from a damaged file.
const LARGEST: f64 = 1e12;

impl Calibration {
    /// A calibration of measured batches, in nanoseconds a call.
    pub fn of(
        phase: Phase,
        kind: CallKind,
        calls: u64,
        inner: &[f64],
        outer: &[f64],
        reference: &[f64],
    ) -> Self {
        let [inner, outer, reference] = [inner, outer, reference].map(BatchStatistics::of);
        Self { phase, kind, calls, inner, outer, reference }
    }

    /// Parses an entry of a session file (`INFO_CALIBRATION`). None if a field is missing or is no
    /// number.
    pub fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.split_whitespace().find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        let numbers = |name| -> Option<Vec<f64>> {
            field(name)?.split(',').map(|number| number.parse().ok()).collect()
        };
        let phase = match field("phase")? {
            "start" => Phase::Start,
            "end" => Phase::End,
            _ => return None,
        };
        let kind = match field("kind")? {
            "return" => CallKind::Return,
            "throw" => CallKind::Throw,
            "nested" => CallKind::Nested,
            "count" => CallKind::Count,
            "mixed" => CallKind::Mixed,
            "off" => CallKind::Off,
            _ => return None,
        };
        let calls = field("calls")?.parse().ok()?;
        let calibration =
            Self::of(phase, kind, calls, &numbers("inner")?, &numbers("outer")?, &numbers("twin")?);
        calibration.is_valid().then_some(calibration)
    }

    /// Whether its numbers are such as can be measured.
    pub(crate) fn is_valid(&self) -> bool {
        [self.inner, self.outer, self.reference].iter().all(BatchStatistics::is_valid)
    }
}
