//! What a probe pair costs in a JVM, for decisions while it runs.

use jfathom_profile::{Calibration, CallKind, Phase};
use jfathom_trace::{ClockKind, SessionFile, layout};

/// Nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Costs {
    /// Between the clock readings of an empty body.
    pub inner: f64,
    /// A timed call beyond those, in its caller.
    pub outer: f64,
    /// A counted call, in its caller.
    pub count: f64,
}

impl Costs {
    /// Where the JVM has not measured: what was measured on one machine of 2.6 GHz.
    fn usual(clock: ClockKind) -> Self {
        match clock {
            ClockKind::NanoTime => Self { inner: 21.0, outer: 22.0, count: 2.0 },
            ClockKind::Tsc => Self { inner: 10.0, outer: 9.5, count: 2.0 },
        }
    }

    /// What the JVM has measured at its start. The smallest batch of each kind: on a loaded machine the others hold more
    /// than the probes.
    pub fn of(file: &SessionFile) -> Self {
        let mut costs = Self::usual(file.header().clock.kind);
        let texts = file.info().into_iter().filter(|entry| entry.kind == layout::INFO_CALIBRATION);
        let measured: Vec<Calibration> = texts.filter_map(|entry| Calibration::parse(&entry.text)).collect();
        let of = |kind| measured.iter().find(|it| it.phase == Phase::Start && it.kind == kind);
        if let Some(calibration) = of(CallKind::Return)
            && calibration.inner.min > 0.0
        {
            costs.inner = calibration.inner.min;
            costs.outer = calibration.outer.min.max(0.0);
        }
        if let Some(calibration) = of(CallKind::Count) {
            costs.count = calibration.outer.min.max(0.0);
        }
        costs
    }
}
