//! Calibrations: probe costs that a JVM measured on itself.

use serde::{Deserialize, Serialize};

/// When in the JVM's life a calibration loop ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Phase {
    /// Before the first root ran.
    Start,
    /// At the JVM's end.
    End,
}

impl Phase {
    /// Its name in session files and JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

/// Kind of call that a calibration loop makes.
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
    /// No call: a step of a loop without probes that no compiler can shorten. Its `reference` shows
    /// the state of the machine; its costs are zero.
    Pace,
}

impl CallKind {
    const ALL: [Self; 7] =
        [Self::Return, Self::Throw, Self::Nested, Self::Count, Self::Mixed, Self::Off, Self::Pace];

    /// Its name in session files and JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Return => "return",
            Self::Throw => "throw",
            Self::Nested => "nested",
            Self::Count => "count",
            Self::Mixed => "mixed",
            Self::Off => "off",
            Self::Pace => "pace",
        }
    }
}

/// The calibration of one kind of call: batches of calls of an empty method in a loop.
///
/// A call of an instrumented empty method takes `reference + inner + outer`.
///
/// - Timed kinds: `inner` is the time between the two clock reads of a call, which an empty method
///   seems to take. `outer` is the rest of the probe cost, which the caller seems to take.
/// - Kinds without a clock: `inner` is zero, and `outer` is the whole probe cost.
/// - [`CallKind::Nested`]: `inner` is the self time that the outer method seems to have. The call
///   inside is in `outer`.
/// - [`CallKind::Mixed`]: `outer` minus that of a timed and of a counted call is the cost of a
///   COUNTED record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// When the loop ran.
    pub phase: Phase,
    /// What the loop called.
    pub kind: CallKind,
    /// Calls in each batch.
    pub calls: u64,
    /// Inner cost in ns per call.
    pub inner: BatchStatistics,
    /// Outer cost in ns per call.
    pub outer: BatchStatistics,
    /// Time of the reference loop in ns per call.
    pub reference: BatchStatistics,
}

/// An earlier calibration of the same machine, JVM and clock that agreed with itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnownCalibration {
    /// When it was taken, in ms since the Unix epoch.
    pub taken_millis: u64,
    /// What it measured.
    pub calibrations: Vec<Calibration>,
    /// Whether it is used in place of the JVM's own, which does not agree with itself or with this
    /// one.
    pub is_used: bool,
}

impl KnownCalibration {
    pub(crate) fn is_valid(&self) -> bool {
        self.calibrations.iter().all(Calibration::is_valid)
    }
}

/// Statistics of several measurements of one quantity, in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchStatistics {
    /// Number of measurements.
    pub count: u32,
    /// The smallest one.
    pub min: f64,
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation of one measurement; 0 with fewer than two.
    pub deviation: f64,
}

impl BatchStatistics {
    /// The statistics of measurements, without those that are not finite.
    pub fn from_nanos(nanos: &[f64]) -> Self {
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

/// Bound on a cost in ns per call. A larger one comes from a damaged file.
const LARGEST: f64 = 1e12;

impl Calibration {
    /// A calibration from measured batches, in ns per call.
    pub fn from_batches(
        phase: Phase,
        kind: CallKind,
        calls: u64,
        inner: &[f64],
        outer: &[f64],
        reference: &[f64],
    ) -> Self {
        let [inner, outer, reference] = [inner, outer, reference].map(BatchStatistics::from_nanos);
        Self { phase, kind, calls, inner, outer, reference }
    }

    /// Parses an info entry `INFO_CALIBRATION`. None if a field is missing or malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.split_whitespace().find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        let numbers = |name| -> Option<Vec<f64>> {
            field(name)?.split(',').map(|number| number.parse().ok()).collect()
        };
        let (phase, kind) = (field("phase")?, field("kind")?);
        let phase = [Phase::Start, Phase::End].into_iter().find(|known| known.key() == phase)?;
        let kind = CallKind::ALL.into_iter().find(|known| known.key() == kind)?;
        let calls = field("calls")?.parse().ok()?;
        let calibration = Self::from_batches(
            phase,
            kind,
            calls,
            &numbers("inner")?,
            &numbers("outer")?,
            &numbers("reference")?,
        );
        calibration.is_valid().then_some(calibration)
    }

    pub(crate) fn is_valid(&self) -> bool {
        [self.inner, self.outer, self.reference].iter().all(BatchStatistics::is_valid)
    }
}
