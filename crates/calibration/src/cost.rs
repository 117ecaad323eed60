//! A cost with its error bar.

/// A cost in nanoseconds. `nanos` ± `error_nanos` contains the truth in 95 of 100 cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The estimate.
    pub nanos: f64,
    /// Its error bar.
    pub error_nanos: f64,
}
