//! The growth of calls with the size of the input.

mod limit;

pub use limit::{GrowthGate, GrowthLimit, GrowthVerdict, gate_growth};

use crate::gate::losses::lost_counts;
use jfathom_plan::MethodKey;
use jfathom_profile::{Method, Profile};
use jfathom_statistics::fit_line;
use std::collections::{BTreeMap, BTreeSet};

/// Sizes that a fit needs: through two points there is always a line.
const LEAST_SIZES: usize = 3;

/// The calls of methods at several sizes.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The sizes, ascending.
    pub sizes: Vec<u64>,
    /// The methods of all profiles, ordered by class, name and descriptor. Their counts are those
    /// of one profile.
    pub table: Vec<Method>,
    /// By method of the table, how its calls grow.
    pub methods: Vec<MethodGrowth>,
}

/// The calls of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodGrowth {
    /// By size, timed and counted calls, also those on virtual threads.
    pub calls: Vec<u64>,
    /// How they depend on the size.
    pub trend: Trend,
}

/// How calls depend on the size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trend {
    /// As a power of it.
    Power(PowerFit),
    /// The method is called at some sizes only, so that no power fits.
    Partial,
}

/// Calls as `c · size^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerFit {
    /// The slope of the line by least squares through the logarithms of calls against those of
    /// sizes. 0 if the calls do not change.
    pub exponent: f64,
    /// The coefficient of determination R² of that line; 1 if the calls do not change.
    pub r_squared: f64,
    /// The least slope between neighbouring sizes.
    pub lowest: f64,
    /// The largest slope between neighbouring sizes.
    pub highest: f64,
}

/// Why profiles have no growth. The numbers are places in the list of profiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GrowthError {
    /// Fewer than three profiles.
    #[error("growth needs profiles of {LEAST_SIZES} sizes or more, and here are {0}")]
    TooFew(usize),
    /// A profile does not know the size of its input.
    #[error("does not know the size of its input (record --sizes)")]
    NoSize(usize),
    /// Two profiles have one size.
    #[error("has size {2}, as another profile")]
    SameSize(usize, usize, u64),
    /// A profile is a run series.
    #[error("has several runs; record one per size")]
    Series(usize),
    /// The counts of a profile are too low.
    #[error("{1}, so its counts are too low; record again")]
    Lost(usize, String),
    /// A profile and the first one have no method in common.
    #[error("has no method in common with the first profile")]
    Unrelated(usize),
}

impl GrowthError {
    /// The profile that it is about.
    pub fn profile(&self) -> Option<usize> {
        match self {
            Self::TooFew(_) => None,
            Self::NoSize(at)
            | Self::SameSize(_, at, _)
            | Self::Series(at)
            | Self::Lost(at, _)
            | Self::Unrelated(at) => Some(*at),
        }
    }
}

/// The growth of calls over profiles of different sizes, in any order. Methods are the same if
/// class, name and descriptor are equal: all sizes are to be recorded with one build.
///
/// # Errors
/// See [`GrowthError`].
pub fn growth(profiles: &[&Profile]) -> Result<Growth, GrowthError> {
    let sized = by_size(profiles)?;
    let mut calls: BTreeMap<&MethodKey, (&Method, Vec<u64>)> = BTreeMap::new();
    for (at, (_, profile)) in sized.iter().enumerate() {
        for method in &profile.methods {
            let (_, of_sizes) =
                calls.entry(&method.info.key).or_insert_with(|| (method, vec![0; sized.len()]));
            let own = method.calls().saturating_add(method.virtual_calls);
            of_sizes[at] = of_sizes[at].saturating_add(own);
        }
    }
    calls.retain(|_, (_, calls)| calls.iter().any(|calls| *calls > 0));
    let sizes: Vec<u64> = sized.iter().map(|(size, _)| *size).collect();
    let (mut table, mut methods) = (Vec::new(), Vec::new());
    for (method, calls) in calls.into_values() {
        let trend = trend(&sizes, &calls);
        table.push(method.clone());
        methods.push(MethodGrowth { calls, trend });
    }
    Ok(Growth { sizes, table, methods })
}

/// The profiles with their sizes, ascending.
fn by_size<'a>(profiles: &[&'a Profile]) -> Result<Vec<(u64, &'a Profile)>, GrowthError> {
    if profiles.len() < LEAST_SIZES {
        return Err(GrowthError::TooFew(profiles.len()));
    }
    let mut sizes: BTreeMap<u64, (usize, &Profile)> = BTreeMap::new();
    let methods = profiles[0].methods.iter().filter(|method| !method.info.is_sign());
    let first: BTreeSet<&MethodKey> = methods.map(|method| &method.info.key).collect();
    for (at, profile) in profiles.iter().copied().enumerate() {
        let size = profile.meta.size.ok_or(GrowthError::NoSize(at))?.get();
        if !profile.runs.is_empty() {
            return Err(GrowthError::Series(at));
        }
        if let Some(loss) = lost_counts(&profile.quality) {
            return Err(GrowthError::Lost(at, loss));
        }
        if let Some((other, _)) = sizes.insert(size, (at, profile)) {
            return Err(GrowthError::SameSize(other, at, size));
        }
        if !profile.methods.iter().any(|method| first.contains(&method.info.key)) {
            return Err(GrowthError::Unrelated(at));
        }
    }
    Ok(sizes.into_iter().map(|(size, (_, profile))| (size, profile)).collect())
}

fn trend(sizes: &[u64], calls: &[u64]) -> Trend {
    if calls.contains(&0) {
        return Trend::Partial;
    }
    let points: Vec<(f64, f64)> = sizes
        .iter()
        .zip(calls)
        .map(|(size, calls)| ((*size as f64).ln(), (*calls as f64).ln()))
        .collect();
    let Some(line) = fit_line(&points) else { return Trend::Partial };
    let slopes = points.windows(2).map(|pair| (pair[1].1 - pair[0].1) / (pair[1].0 - pair[0].0));
    let (lowest, highest) = slopes
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), slope| {
            (low.min(slope), high.max(slope))
        });
    Trend::Power(PowerFit { exponent: line.slope, r_squared: line.r_squared, lowest, highest })
}

#[cfg(test)]
mod tests;
