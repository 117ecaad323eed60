//! Lines by least squares.

/// A line through points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineFit {
    /// Its slope.
    pub slope: f64,
    /// The coefficient of determination R², from 0 to 1: the part of the variance of the ordinates
    /// that the line explains. 1 if all ordinates are equal.
    pub r_squared: f64,
}

/// The line with the least squared deviations of the ordinates from it. None with fewer than two
/// different abscissas, or with a number that is not finite.
pub fn fit_line(points: &[(f64, f64)]) -> Option<LineFit> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in points {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if points.iter().all(|point| point.1 == points[0].1) {
        (xy, yy) = (0.0, 0.0);
    }
    let fit = LineFit {
        slope: xy / xx,
        r_squared: if yy == 0.0 { 1.0 } else { (xy * xy / (xx * yy)).clamp(0.0, 1.0) },
    };
    (xx > 0.0 && fit.slope.is_finite() && fit.r_squared.is_finite()).then_some(fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line_fit_it() {
        let fit = fit_line(&[(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]).unwrap();
        assert!((fit.slope - 2.0).abs() < 1e-12 && fit.r_squared > 1.0 - 1e-12, "{fit:?}");
        let flat = fit_line(&[(1.0, 0.1), (2.0, 0.1), (4.0, 0.1)]).unwrap();
        assert_eq!(flat, LineFit { slope: 0.0, r_squared: 1.0 });
    }

    /// By hand: means 2 and 3, Sxx 2, Sxy 4, Syy 14.
    #[test]
    fn deviations_lower_the_fit() {
        let fit = fit_line(&[(1.0, 2.0), (2.0, 1.0), (3.0, 6.0)]).unwrap();
        assert!((fit.slope - 2.0).abs() < 1e-12, "{fit:?}");
        assert!((fit.r_squared - 4.0 / 7.0).abs() < 1e-12, "{fit:?}");
    }

    #[test]
    fn no_line_goes_through_one_abscissa() {
        for points in [
            &[][..],
            &[(1.0, 2.0)],
            &[(1.0, 2.0), (1.0, 3.0)],
            &[(0.0, f64::NEG_INFINITY), (1.0, 0.0)],
            &[(f64::NAN, 1.0), (1.0, 0.0)],
        ] {
            assert_eq!(fit_line(points), None, "{points:?}");
        }
    }
}
