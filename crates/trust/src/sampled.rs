//! Shares of samples and of recorded time, and their errors.

/// Counts of several runs: of the samples of each run, how many were in each of the same items.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunCounts {
    /// By run: all samples.
    all: Vec<u64>,
    /// By run, by item.
    counts: Vec<Vec<u64>>,
}

/// A share, with the variance of its estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// From 0 to 1; a recorded one may be below.
    pub share: f64,
    /// Variance of the estimate.
    pub variance: f64,
}

/// By how much the shares of runs differ, beyond what samples of one unchanging share would.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// The factor of the variance that all items together show, at least 1.
    pub common: f64,
    /// Degrees of freedom of the factor of one item; none if there is one run, which shows nothing.
    pub degrees: Option<f64>,
}

/// Expected samples of an item in a run from which on its scatter can be told.
const EXPECTED: f64 = 5.0;

/// What all items together weigh against the runs of one item, in degrees of freedom. Two or three
/// runs of one item say little about its scatter.
const PRIOR_DEGREES: f64 = 10.0;

impl RunCounts {
    /// Adds a run with so many samples in all.
    pub fn push(&mut self, all: u64, counts: Vec<u64>) {
        self.all.push(all);
        self.counts.push(counts);
    }

    /// Runs.
    pub fn runs(&self) -> usize {
        self.all.len()
    }

    /// Samples of all runs.
    pub fn samples(&self) -> u64 {
        self.all.iter().sum()
    }

    /// Samples of an item in all runs.
    pub fn count(&self, item: usize) -> u64 {
        self.counts.iter().filter_map(|run| run.get(item)).sum()
    }

    /// The items' number.
    pub fn items(&self) -> usize {
        self.counts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The share of an item in the samples of all runs, as they are.
    pub fn share(&self, item: usize) -> f64 {
        self.count(item) as f64 / (self.samples() as f64).max(1.0)
    }

    /// The scatter of all items together.
    pub fn scatter(&self) -> Scatter {
        if self.runs() < 2 {
            return Scatter { common: 1.0, degrees: None };
        }
        let (mut sum, mut degrees) = (0.0, 0.0);
        for item in 0..self.items() {
            if let Some(factor) = self.factor(item) {
                sum += factor * self.freedom();
                degrees += self.freedom();
            }
        }
        let common = if degrees > 0.0 { sum / degrees } else { 1.0 };
        let own = self.freedom();
        Scatter { common: common.max(1.0), degrees: Some(own + PRIOR_DEGREES) }
    }

    fn freedom(&self) -> f64 {
        self.runs().saturating_sub(1) as f64
    }

    /// The variance of an item between runs over that of samples of one share (Pearson's χ² per
    /// degree of freedom). None if it has too few samples.
    fn factor(&self, item: usize) -> Option<f64> {
        let share = self.share(item);
        let cell = |(all, counts): (&u64, &Vec<u64>)| {
            let (all, count) = (*all as f64, counts.get(item).copied().unwrap_or(0) as f64);
            let difference = count - all * share;
            (all * share, difference * difference / (all * share * (1.0 - share)))
        };
        let cells: Vec<(f64, f64)> = self.all.iter().zip(&self.counts).map(cell).collect();
        let is_known =
            cells.iter().all(|(expected, part)| *expected >= EXPECTED && part.is_finite());
        (is_known && self.runs() > 1)
            .then(|| cells.iter().map(|(_, part)| part).sum::<f64>() / self.freedom())
    }

    /// The factor of an item's variance: its own and the common one, by their degrees of freedom.
    pub fn item_factor(&self, item: usize, scatter: Scatter) -> f64 {
        let common = scatter.common;
        let Some(own) = self.factor(item) else { return common };
        let freedom = self.freedom();
        ((freedom * own + PRIOR_DEGREES * common) / (freedom + PRIOR_DEGREES)).max(1.0)
    }

    /// The estimate of an item's share. The variance is that of a share of at least half a sample,
    /// so that none at all is no certainty.
    pub fn estimate(&self, item: usize, scatter: Scatter) -> Estimate {
        let samples = (self.samples() as f64).max(1.0);
        let smoothed = (self.count(item) as f64 + 0.5) / (samples + 1.0);
        let variance = smoothed * (1.0 - smoothed) / samples * self.item_factor(item, scatter);
        Estimate { share: self.share(item), variance }
    }

    /// What one run of the program differs by from the mean of all runs, as a variance of the
    /// item's share: a recorded run is one, too.
    pub fn between_runs(&self, item: usize, scatter: Scatter) -> f64 {
        let share = self.share(item).clamp(0.0, 1.0);
        let per_run = self.samples() as f64 / (self.runs() as f64).max(1.0);
        let beyond = self.item_factor(item, scatter) - 1.0;
        beyond * share * (1.0 - share) / per_run.max(1.0)
    }
}

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
