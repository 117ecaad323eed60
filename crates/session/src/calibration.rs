//! When a JVM measures the cost of its probes.

/// The phases of a JVM's life in which it measures the cost of its probes; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalibrationPhases {
    /// Before its first thread records: takes up to 150 ms.
    pub start: bool,
    /// After its last record, in the shutdown hook: takes up to 60 ms.
    pub end: bool,
}

impl CalibrationPhases {
    /// At start and end.
    pub const BOTH: Self = Self { start: true, end: true };

    /// `start`, `end` or both, with a separator between them; empty for none.
    pub fn join(self, separator: &str) -> String {
        let phases = [self.start.then_some("start"), self.end.then_some("end")];
        phases.into_iter().flatten().collect::<Vec<_>>().join(separator)
    }
}
