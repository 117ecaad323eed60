//! What a JVM has measured of its own probes, from the texts in which it says so.

use crate::info::InfoEntry;
use crate::layout as l;

/// Batches of calls of one kind, from an entry of kind `INFO_CALIBRATION`. Times are in nanoseconds a call; a batch whose
/// records were not all there has none in `inner` and `outer`, so the columns may differ in length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SeenCalibration {
    /// `start` or `end`.
    pub phase: String,
    /// `nano` or `tsc`.
    pub clock: String,
    /// `return`, `throw`, `nested`, `count`, `mixed`, `off`.
    pub kind: String,
    /// Calls in each batch.
    pub calls: u64,
    /// The same loop without probes.
    pub twin: Vec<f64>,
    /// Between the two clock readings of a method with an empty body.
    pub inner: Vec<f64>,
    /// Beyond those.
    pub outer: Vec<f64>,
}

impl InfoEntry {
    /// The calibration that this entry holds, or nothing if it is of another kind or has no phase, kind or calls. Fields that
    /// are not known are passed over, and so are numbers that are none.
    pub fn calibration(&self) -> Option<SeenCalibration> {
        if self.kind != l::INFO_CALIBRATION {
            return None;
        }
        let mut it = SeenCalibration::default();
        for (key, value) in self.text.split(' ').filter_map(|field| field.split_once('=')) {
            let column = || value.split(',').filter_map(|nanos| nanos.parse().ok().filter(|nanos: &f64| nanos.is_finite()));
            match key {
                "phase" => it.phase = value.to_owned(),
                "clock" => it.clock = value.to_owned(),
                "kind" => it.kind = value.to_owned(),
                "calls" => it.calls = value.parse().ok()?,
                "twin" => it.twin = column().collect(),
                "inner" => it.inner = column().collect(),
                "outer" => it.outer = column().collect(),
                _ => {}
            }
        }
        (!it.phase.is_empty() && !it.kind.is_empty() && it.calls != 0).then_some(it)
    }
}
