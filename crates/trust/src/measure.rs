//! All steps from a profile and samples to what is shown.

use crate::{
    combined::{Bias, combine},
    contexts::Contexts,
    counts::Counts,
    place::method_table,
    sampled::{self, Estimate, HALF_WIDTH, RunCounts, Scatter},
    verdict::{Difference, judge},
    waits::Waits,
};
use jfathom_calibration::CorrectedTimes;
use jfathom_jfr::Samples;
use jfathom_profile::{ComparedShare, ContextTrust, MethodTrust, Profile, Trust};
use jfathom_statistics::student_quantile;

/// Shares from which on methods and paths are judged.
const JUDGED: f64 = 0.005;

/// Shares from which on methods are kept.
const KEPT: f64 = 0.001;

/// Why nothing can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrustError {
    /// No sample is below a root.
    #[error(
        "no sample of the uninstrumented runs is in a recorded root: {outside} are outside, and \
         {truncated} have no complete stack"
    )]
    NoSample {
        /// Samples outside.
        outside: u64,
        /// Samples of which nobody knows.
        truncated: u64,
    },
    /// The recording has no time beyond waits.
    #[error("the recording has no running time in its roots")]
    NoTime,
}

/// Compares a profile, whose corrected times are given, with the samples of uninstrumented runs.
///
/// # Errors
/// Fails if one side has nothing to compare.
pub fn measure(
    profile: &Profile,
    corrected: &CorrectedTimes,
    runs: &[Samples],
) -> Result<Trust, TrustError> {
    let waits = Waits::of(profile, corrected);
    let contexts = Contexts::of(profile, corrected, &waits);
    let table = method_table(&profile.methods);
    let counts = Counts::of(&contexts, &table, profile.methods.len(), runs);
    let samples = counts.samples;
    if samples.inside == 0 {
        let (outside, truncated) = (samples.outside, samples.truncated);
        return Err(TrustError::NoSample { outside, truncated });
    }
    let all: f64 = contexts.all().iter().map(|context| context.self_nanos).sum();
    if all <= 0.0 {
        return Err(TrustError::NoTime);
    }
    let scatter = counts.methods.scatter();
    let period_nanos = runs.iter().filter_map(|run| run.period_nanos).min().unwrap_or(0);
    let series = Series { profile, all, scatter, period_nanos };
    let (methods, bias) = series.methods(&contexts, &counts.methods);
    Ok(Trust {
        runs: runs.len() as u32,
        period_nanos,
        samples,
        scatter: scatter.common,
        bias: bias.factor.sqrt(),
        waited_nanos: waits.taken_nanos,
        waited_error_nanos: waits.error_nanos(),
        unexplained_wait_nanos: waits.unexplained_nanos,
        methods,
        contexts: series.contexts(&contexts, &counts.contexts),
    })
}

/// What all rows have in common.
struct Series<'a> {
    profile: &'a Profile,
    /// Recorded running time, in ns.
    all: f64,
    scatter: Scatter,
    period_nanos: u64,
}

/// Two estimates of one share.
struct Row {
    samples: u64,
    sampled: Estimate,
    recorded: Estimate,
    factor: f64,
}

impl Row {
    fn is_at_least(&self, share: f64) -> bool {
        self.sampled.share >= share || self.recorded.share >= share
    }
}

impl Series<'_> {
    /// The rows of all methods that are kept, and the bias that all methods show.
    fn methods(&self, contexts: &Contexts, counts: &RunCounts) -> (Vec<MethodTrust>, Bias) {
        let count = self.profile.methods.len();
        let (mut nanos, mut errors) = (vec![0.0; count], vec![0.0; count]);
        for context in contexts.all() {
            let at = context.method.0 as usize;
            nanos[at] += context.self_nanos;
            errors[at] += context.self_error;
        }
        let all_error = errors.iter().map(|error| error * error).sum::<f64>().sqrt();
        let row = |at: usize| self.row(at, counts, nanos[at], errors[at], all_error);
        let rows: Vec<Row> = (0..count).map(row).collect();
        let pairs: Vec<(Estimate, Estimate)> =
            rows.iter().map(|row| (row.sampled, row.recorded)).collect();
        let judged: Vec<(Estimate, Estimate)> = rows
            .iter()
            .filter(|row| row.is_at_least(JUDGED))
            .map(|row| (row.sampled, row.recorded))
            .collect();
        let bias = Bias::from_shares(&judged);
        let combined = combine(&pairs, bias);
        let shares = self.shares(&rows, counts);
        let mut kept: Vec<MethodTrust> = (0..count)
            .filter(|at| rows[*at].is_at_least(KEPT))
            .map(|at| MethodTrust {
                method: at as u32,
                share: shares[at],
                combined: combined[at].share,
                combined_error: combined[at].variance.sqrt() * HALF_WIDTH,
                nanos_per_call: self.nanos_per_call(at, combined[at].share, counts),
            })
            .collect();
        kept.sort_by(|a, b| {
            b.share.sampled.total_cmp(&a.share.sampled).then(a.method.cmp(&b.method))
        });
        (kept, bias)
    }

    /// The rows of the paths that are judged, in preorder.
    fn contexts(&self, contexts: &Contexts, counts: &RunCounts) -> Vec<ContextTrust> {
        let tops = contexts.all().iter().filter(|context| context.caller.is_none());
        let squares = tops.map(|context| context.total_error * context.total_error);
        let all_error = squares.sum::<f64>().sqrt();
        let all = contexts.all();
        let row =
            |at: usize| self.row(at, counts, all[at].total_nanos, all[at].total_error, all_error);
        let rows: Vec<Row> = (0..all.len()).map(row).collect();
        let shares = self.shares(&rows, counts);
        let mut depths = vec![0; all.len()];
        let mut kept = Vec::new();
        for at in contexts.preorder().into_iter().map(|context| context.0 as usize) {
            let context = &all[at];
            let above = context.caller.map(|caller| caller.0 as usize);
            depths[at] =
                above.map_or(0, |above| depths[above] + u32::from(shares[above].verdict.is_some()));
            if shares[at].verdict.is_some() {
                kept.push(ContextTrust {
                    nodes: context.nodes.clone(),
                    depth: depths[at],
                    method: context.method.0,
                    share: shares[at],
                });
            }
        }
        kept
    }

    fn row(&self, at: usize, counts: &RunCounts, nanos: f64, error: f64, all_error: f64) -> Row {
        let mut recorded = sampled::share(nanos, error, self.all, all_error.max(error));
        if self.profile.runs.len() < 2 {
            // The bars of a single run do not know what runs differ by.
            recorded.variance += counts.between_runs(at, self.scatter);
        }
        Row {
            samples: counts.count(at),
            sampled: counts.estimate(at, self.scatter),
            recorded,
            factor: counts.item_factor(at, self.scatter),
        }
    }

    /// The rows as shown; those that are large enough are judged, as one family.
    fn shares(&self, rows: &[Row], counts: &RunCounts) -> Vec<ComparedShare> {
        let judged: Vec<usize> =
            (0..rows.len()).filter(|at| rows[*at].is_at_least(JUDGED)).collect();
        let difference = |at: &usize| Difference {
            sampled: rows[*at].sampled,
            samples: counts.samples(),
            factor: rows[*at].factor,
            recorded: rows[*at].recorded,
        };
        let family: Vec<Difference> = judged.iter().map(difference).collect();
        let degrees = self.scatter.degrees;
        let quantile = degrees.map_or(HALF_WIDTH, |degrees| student_quantile(0.975, degrees));
        let share = |row: &Row| ComparedShare {
            samples: row.samples,
            sampled: row.sampled.share,
            sampled_error: row.sampled.variance.sqrt() * quantile,
            recorded: row.recorded.share,
            recorded_error: row.recorded.variance.sqrt() * HALF_WIDTH,
            verdict: None,
        };
        let mut shares: Vec<ComparedShare> = rows.iter().map(share).collect();
        for (at, verdict) in judged.iter().zip(judge(&family, degrees)) {
            shares[*at].verdict = Some(verdict);
        }
        shares
    }

    /// The combined time of one run over the calls of one run.
    fn nanos_per_call(&self, at: usize, share: f64, counts: &RunCounts) -> Option<f64> {
        let recorded_runs = self.profile.runs.len().max(1) as f64;
        let calls = self.profile.methods[at].calls() as f64 / recorded_runs;
        let sampled_runs = (counts.runs() as f64).max(1.0);
        let nanos = counts.samples() as f64 * self.period_nanos as f64 / sampled_runs;
        (calls > 0.0 && nanos > 0.0).then(|| share * nanos / calls)
    }
}
