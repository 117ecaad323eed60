//! How far a recording's shares agree with samples of uninstrumented runs.

use jfathom_plan::Problem;
use serde::{Deserialize, Serialize};

/// Shares of time as samples of uninstrumented runs have them, beside the recording's.
///
/// All shares are of the time below the roots, from 0 to 1. Errors are half widths of 95 %
/// intervals.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// Uninstrumented runs that were sampled.
    pub runs: u32,
    /// Nanoseconds between two looks at a running thread; zero if that is not known.
    pub period_nanos: u64,
    /// Where the samples were.
    pub samples: TrustSamples,
    /// By how much runs of the program differ beyond what so few samples would: the factor of the
    /// variance, at least 1.
    pub scatter: f64,
    /// Standard deviation of the recording's shares beyond their error bars, as a part of what one
    /// sample has.
    pub bias: f64,
    /// What was taken out of the recorded times because threads waited then, in ns.
    pub waited_nanos: f64,
    /// What is uncertain in that, in ns.
    pub waited_error_nanos: f64,
    /// What threads waited in methods of which that is not known, in ns: it is in their times.
    pub unexplained_wait_nanos: f64,
    /// The methods with at least a tenth of a percent on one side, the largest sampled share first.
    pub methods: Vec<MethodTrust>,
    /// The call paths with at least half a percent on one side, in preorder.
    pub contexts: Vec<ContextTrust>,
}

/// Where samples were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustSamples {
    /// Below the roots: these are compared.
    pub inside: u64,
    /// Of these, in native methods.
    pub native: u64,
    /// Of these, on call paths that the recording does not have; they count for the part of the
    /// path that it has.
    pub off_path: u64,
    /// Outside the roots.
    pub outside: u64,
    /// Of stacks whose outer frames are missing, or that have no frame: nobody knows where.
    pub truncated: u64,
}

/// One share on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedShare {
    /// Samples.
    pub samples: u64,
    /// Share of the samples.
    pub sampled: f64,
    /// Its error.
    pub sampled_error: f64,
    /// Share of the recorded, corrected time without waits; below zero where the correction is
    /// larger than the time.
    pub recorded: f64,
    /// Its error.
    pub recorded_error: f64,
    /// None below half a percent on both sides: such shares are not judged.
    pub verdict: Option<TrustVerdict>,
}

/// Whether samples agree with the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TrustVerdict {
    /// They agree, within bounds that mean something.
    Confirmed,
    /// Too few samples, or bars too wide to say.
    Doubtful,
    /// They differ, by more than chance and by two points at least.
    Distorted,
}

impl TrustVerdict {
    /// As in a table: `confirmed`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Doubtful => "doubtful",
            Self::Distorted => "distorted",
        }
    }
}

/// A method's self time on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MethodTrust {
    /// Index in the profile's method table.
    pub method: u32,
    /// Its self time.
    pub share: ComparedShare,
    /// The combined estimate of its share.
    pub combined: f64,
    /// Its error.
    pub combined_error: f64,
    /// The combined self time of one run over the calls of one run, in ns. None without calls, or
    /// if the period of the samples is not known.
    pub nanos_per_call: Option<f64>,
}

/// A call path's total time on both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextTrust {
    /// The tree's nodes with this path: one for each thread that has it.
    pub nodes: Vec<u32>,
    /// Ancestors that are among the contexts; a top one has none.
    pub depth: u32,
    /// Index of its method in the profile's method table.
    pub method: u32,
    /// Its total time.
    pub share: ComparedShare,
}

impl ComparedShare {
    fn numbers(&self) -> [f64; 4] {
        [self.sampled, self.sampled_error, self.recorded, self.recorded_error]
    }
}

impl Trust {
    /// The sampled self shares of the methods with each verdict: confirmed, doubtful, distorted;
    /// and the rest, which is not judged.
    pub fn by_verdict(&self) -> [f64; 4] {
        let mut sums = [0.0, 0.0, 0.0, 1.0];
        for method in &self.methods {
            let Some(verdict) = method.share.verdict else { continue };
            sums[verdict as usize] += method.share.sampled;
            sums[3] -= method.share.sampled;
        }
        sums[3] = sums[3].max(0.0);
        sums
    }

    /// Checks it against a profile with so many methods and nodes. An error names a contradiction.
    pub(crate) fn check(&self, methods: usize, nodes: usize) -> Result<(), Problem> {
        let named = self.methods.iter().map(|row| row.method);
        let mut named = named.chain(self.contexts.iter().map(|row| row.method));
        if let Some(method) = named.find(|method| *method as usize >= methods) {
            return Err(format!("trust in method {method}, which is not there").into());
        }
        let mut placed = self.contexts.iter().flat_map(|row| &row.nodes);
        if let Some(node) = placed.find(|node| **node as usize >= nodes) {
            return Err(format!("trust in node {node}, which is not there").into());
        }
        let shares = self.methods.iter().map(|row| &row.share);
        let shares = shares.chain(self.contexts.iter().map(|row| &row.share));
        let combined = self.methods.iter().flat_map(|row| {
            [row.combined, row.combined_error, row.nanos_per_call.unwrap_or_default()]
        });
        let own = [
            self.scatter,
            self.bias,
            self.waited_nanos,
            self.waited_error_nanos,
            self.unexplained_wait_nanos,
        ];
        let mut numbers = shares.flat_map(ComparedShare::numbers).chain(combined).chain(own);
        match numbers.all(f64::is_finite) {
            true => Ok(()),
            false => Err("a share that is no number".into()),
        }
    }
}
