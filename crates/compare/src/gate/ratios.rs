//! The gate for calls per call of another method, within the candidate.

use jfathom_plan::{Problem, Selector};
use jfathom_profile::{MethodCounts, Profile};

use super::losses::lost_counts;
use super::ratio_limit::RatioLimit;
use super::verdict::{RatioVerdict, Verdict};
use crate::MethodSet;

/// Checks the limits on ratios: verdicts, and one sentence for each limit that cannot be checked.
/// The baseline only shows that a method without calls in the candidate exists.
pub(super) fn check(
    base: &Profile,
    new: &Profile,
    limits: &[RatioLimit],
) -> (Vec<RatioVerdict>, Vec<String>) {
    if limits.is_empty() {
        return Default::default();
    }
    if let Some(why) = uncountable(new) {
        return (Vec::new(), vec![format!("ratios: {why}")]);
    }
    let (mut verdicts, mut refused) = (Vec::new(), Vec::new());
    for (at, limit) in limits.iter().enumerate() {
        match verdict(at, limit, base, new) {
            Ok(verdict) => verdicts.push(verdict),
            Err(why) => refused.push(format!("ratio {} per {}: {why}", limit.of, limit.per)),
        }
    }
    (verdicts, refused)
}

/// Why the calls of a profile give no ratio.
fn uncountable(new: &Profile) -> Option<String> {
    if let Some(loss) = lost_counts(&new.quality) {
        return Some(format!("{loss} in the new profile, so its counts are too low; record again"));
    }
    new.meta.jvms.iter().any(|jvm| jvm.roots_only).then(|| {
        "the new profile has calls of roots only (--probe '**=off'); record all methods".to_owned()
    })
}

/// Holds each run of the candidate against a limit.
fn verdict(
    at: usize,
    limit: &RatioLimit,
    base: &Profile,
    new: &Profile,
) -> Result<RatioVerdict, Problem> {
    let of = calls(&limit.of, base, new)?;
    let per = calls(&limit.per, base, new)?;
    if per.contains(&0) {
        let some = if per.iter().all(|calls| *calls == 0) { "" } else { " in some runs" };
        return Err(format!("{} was not called{some}", limit.per).into());
    }
    let runs: Vec<(u64, u64)> = of.into_iter().zip(per).collect();
    // Whole numbers below 2⁵³ are exact.
    let is_beyond = |(of, per): &(u64, u64)| *of as f64 > limit.max * *per as f64;
    let beyond = runs.iter().filter(|run| is_beyond(run)).count();
    let verdict = match beyond {
        0 => Verdict::Within,
        all if all == runs.len() => Verdict::Exceeded,
        _ => Verdict::Inconclusive,
    };
    let ratio = |(of, per): &(u64, u64)| *of as f64 / *per as f64;
    let largest = runs.into_iter().max_by(|one, other| ratio(one).total_cmp(&ratio(other)));
    let (of, per) = largest.ok_or_else(|| "the new profile has no run".to_owned())?;
    Ok(RatioVerdict { limit: at, of, per, verdict })
}

/// The calls of the selected methods in each run of the candidate.
fn calls(selector: &Selector, base: &Profile, new: &Profile) -> Result<Vec<u64>, Problem> {
    let selected =
        |profile: &Profile| MethodSet::new(&profile.methods, std::slice::from_ref(selector));
    let Ok(set) = selected(new) else {
        return match selected(base) {
            Ok(_) => Ok(vec![0; new.run_count()]),
            Err(_) => Err(format!("{selector} matches no method of the profiles").into()),
        };
    };
    let sum = |counts: &dyn Fn(usize) -> Option<MethodCounts>| {
        let of = |counts: MethodCounts| {
            counts.entries.saturating_add(counts.counted).saturating_add(counts.virtual_calls)
        };
        let calls = set.methods().filter_map(|method| counts(method.0 as usize)).map(of);
        calls.fold(0, u64::saturating_add)
    };
    Ok(match new.runs.is_empty() {
        true => vec![sum(&|at| new.methods.get(at).map(|method| method.counts()))],
        false => new.runs.iter().map(|run| sum(&|at| run.methods.get(at).copied())).collect(),
    })
}
