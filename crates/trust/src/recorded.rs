//! Shares of recorded time, and their errors.

use crate::sampled::Estimate;

/// Standard deviations in the half width of a 95 % interval.
pub(crate) const HALF_WIDTH: f64 = 1.959_963_984_540_054;

/// The share of a time in the whole. `error` and `all_error` are half widths of 95 % intervals;
/// `all_error` is the root of the sum of all parts' squares. All in ns.
pub(crate) fn share(nanos: f64, error: f64, all_nanos: f64, all_error: f64) -> Estimate {
    if all_nanos <= 0.0 {
        return Estimate { share: 0.0, variance: 1.0 };
    }
    let share = nanos / all_nanos;
    // An error of the part moves part and whole; an error of the others moves the whole alone.
    let others = (all_error * all_error - error * error).max(0.0);
    let own = (1.0 - share) * error;
    let squares = own * own + share * share * others;
    let deviation = squares.sqrt() / (all_nanos * HALF_WIDTH);
    Estimate { share, variance: deviation * deviation }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_has_no_error_of_its_share() {
        let whole = share(10.0, 3.0, 10.0, 3.0);
        assert_eq!((whole.share, whole.variance), (1.0, 0.0));
        let half = share(5.0, 1.0, 10.0, 2.0_f64.sqrt());
        let deviation = half.variance.sqrt() * HALF_WIDTH;
        assert!((deviation - 0.05 * 2.0_f64.sqrt()).abs() < 1e-12, "{deviation}");
        assert_eq!(share(1.0, 1.0, 0.0, 1.0).variance, 1.0);
    }
}
