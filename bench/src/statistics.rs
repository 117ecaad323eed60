//! Numbers out of several runs.

use jfathom_statistics::Moments;

/// The middle one of an odd number of values; NaN for none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The least value.
pub fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The greatest value.
pub fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Ratios of pairs: moments of their logarithms.
pub struct Ratios {
    ratios: Vec<f64>,
    logarithms: Moments,
}

impl Ratios {
    /// Of ratios, all above 0.
    pub fn new(ratios: impl IntoIterator<Item = f64>) -> Self {
        let ratios: Vec<f64> = ratios.into_iter().collect();
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        Self { ratios, logarithms: Moments::from_values(&logarithms) }
    }

    /// The geometric mean.
    pub fn mean(&self) -> f64 {
        self.logarithms.mean().exp()
    }

    /// The geometric mean with its 95 % interval, as text.
    pub fn with_interval(&self) -> String {
        let (mean, half) = (self.logarithms.mean(), self.logarithms.half_width());
        let end = |half: f64| (mean + half).exp();
        match half {
            None => format!("{:.3}", mean.exp()),
            Some(half) => format!("{:.3} ({:.3} to {:.3})", mean.exp(), end(-half), end(half)),
        }
    }

    /// The geometric mean ± its standard error, and the least and the greatest ratio, as text.
    pub fn with_error(&self) -> String {
        let count = f64::from(self.logarithms.count());
        let error = match self.logarithms.deviation() {
            None => "unknown".to_owned(),
            Some(deviation) => format!("{:.3}", self.mean() * deviation / count.sqrt()),
        };
        let (least, most) = (least(&self.ratios), most(&self.ratios));
        format!("{:.3} ± {error} ({least:.3}–{most:.3})", self.mean())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_mean_and_scatter() {
        assert_eq!(Ratios::new([1.1, 1.1]).with_error(), "1.100 ± 0.000 (1.100–1.100)");
        assert_eq!(Ratios::new([0.5, 2.0]).with_error(), "1.000 ± 0.693 (0.500–2.000)");
        assert_eq!(Ratios::new([0.5]).with_error(), "0.500 ± unknown (0.500–0.500)");
        assert_eq!(Ratios::new([2.0, 2.0]).with_interval(), "2.000 (2.000 to 2.000)");
    }
}
