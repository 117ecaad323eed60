//! Corrected times of a node.

/// Corrected times of a node, in nanoseconds. Each interval of value ± error contains the true time
/// in about 95 of 100 cases. Times are multiples of 1/64 ns, so that they add up exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Self time.
    pub self_nanos: f64,
    /// Total time: exactly the sum of the self time and the children's total times.
    pub total_nanos: f64,
    /// Error bar of the self time.
    pub self_error_nanos: f64,
    /// Error bar of the total time.
    pub total_error_nanos: f64,
}

/// Where the interval of a corrected time lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeStatus {
    /// Above zero.
    AboveResolution,
    /// Around zero: below resolution.
    BelowResolution,
    /// Below zero: more was subtracted than was measured.
    Negative,
}

impl TimeStatus {
    /// The status of `nanos` ± `error_nanos`.
    pub fn from_interval(nanos: f64, error_nanos: f64) -> Self {
        match nanos {
            _ if nanos > error_nanos => Self::AboveResolution,
            _ if nanos < -error_nanos => Self::Negative,
            _ => Self::BelowResolution,
        }
    }
}

impl Times {
    /// The status of the self time.
    pub fn self_status(&self) -> TimeStatus {
        TimeStatus::from_interval(self.self_nanos, self.self_error_nanos)
    }

    /// The status of the total time.
    pub fn total_status(&self) -> TimeStatus {
        TimeStatus::from_interval(self.total_nanos, self.total_error_nanos)
    }

    /// The sum of both. Errors add up as well, because most of each is common to both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            self_nanos: self.self_nanos + other.self_nanos,
            total_nanos: self.total_nanos + other.total_nanos,
            self_error_nanos: self.self_error_nanos + other.self_error_nanos,
            total_error_nanos: self.total_error_nanos + other.total_error_nanos,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_says_where_zero_lies() {
        let status = |nanos| TimeStatus::from_interval(nanos, 2.0);
        assert_eq!(status(2.5), TimeStatus::AboveResolution);
        assert_eq!(status(2.0), TimeStatus::BelowResolution);
        assert_eq!(status(-2.0), TimeStatus::BelowResolution);
        assert_eq!(status(-2.5), TimeStatus::Negative);
    }
}
