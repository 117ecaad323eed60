//! Modes of methods, and which ones the collector has changed from timed to counted, and why.

use serde::{Deserialize, Serialize};

/// The demotion of a method while the program ran.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Demotion {
    /// Timed calls that the collector had seen by then.
    pub calls: u64,
    /// Milliseconds since the JVM's start.
    pub millis: u64,
    /// Why this method was chosen.
    pub reason: DemotionReason,
    /// Corrected self time in ns per call in the window that decided. Negative if the correction
    /// exceeds the measured time. Zero if the reason is not the budget.
    pub self_nanos: f64,
    /// What a timed call costs more than a counted one: ns of probes and collector. Zero if the
    /// reason is not the budget.
    pub saved_nanos: f64,
    /// What its timed calls cost in the window that decided, as a share of the program's time.
    /// Zero if the reason is not the budget.
    pub cost_share: f64,
}

impl Demotion {
    /// A demotion of which nothing is known.
    pub const UNKNOWN: Self = Self {
        calls: 0,
        millis: 0,
        reason: DemotionReason::Unknown,
        self_nanos: 0.0,
        saved_nanos: 0.0,
        cost_share: 0.0,
    };

    /// Whether all its numbers are.
    pub(crate) fn is_finite(&self) -> bool {
        [self.self_nanos, self.saved_nanos, self.cost_share].into_iter().all(f64::is_finite)
    }
}

/// Why a method was demoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum DemotionReason {
    /// Nobody knows: the collector was killed before it could say.
    Unknown,
    /// The user has selected it.
    Selected,
    /// Its probes cost more than the budget's share of its self time, when the budget was exceeded.
    Budget,
}

impl DemotionReason {
    /// The reason's name in outputs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Selected => "selected",
            Self::Budget => "budget",
        }
    }
}

/// How a JVM's recording kept its budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BudgetOutcome {
    /// The largest share of the program's time that probes and collector were to take; none
    /// without a limit.
    pub limit: Option<f64>,
    /// Estimated time of probes and collector, ns.
    pub cost_nanos: f64,
    /// Estimated time of the program itself in recorded methods, ns: without probes, and without
    /// waits where the methods' mark says that they wait.
    pub program_nanos: f64,
}

impl BudgetOutcome {
    /// Whether all its numbers are.
    pub(crate) fn is_finite(&self) -> bool {
        let numbers = [self.limit.unwrap_or_default(), self.cost_nanos, self.program_nanos];
        numbers.into_iter().all(f64::is_finite)
    }

    /// The share of the program's time that probes and collector took; none if the program's
    /// time is not known.
    pub fn share(&self) -> Option<f64> {
        (self.program_nanos > 0.0).then(|| self.cost_nanos / self.program_nanos)
    }
}

/// How the calls of a method are recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Mode {
    /// Each call is timed.
    #[default]
    Time,
    /// Calls are only counted.
    Count,
    /// Calls are not recorded.
    Off,
}

impl Mode {
    /// The mode for a byte of the session file's mode table (`trace::layout::MODE_*`). An unknown
    /// byte means [`Mode::Off`].
    pub fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Time,
            1 => Self::Count,
            _ => Self::Off,
        }
    }
}
