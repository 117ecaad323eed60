//! How a recording kept its budget, in sentences.

use crate::number::{counted, duration, signed};
use jfathom_profile::{BudgetOutcome, DemotionReason, Nanos, Profile};
use std::io::{self, Write};

/// A reason for a demotion as text.
pub(crate) const fn reason(reason: DemotionReason) -> &'static str {
    match reason {
        DemotionReason::Unknown => "unknown",
        DemotionReason::Selected => "selected",
        DemotionReason::Uncertain => "uncertain",
        DemotionReason::SmallShare => "small share",
    }
}

/// Writes the budget, what was taken of it, and what was demoted to keep it. Nothing for a profile
/// without a limit.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let outcomes = || profile.meta.jvms.iter().filter_map(|jvm| jvm.budget);
    let limits = outcomes().filter_map(|outcome| outcome.limit);
    let Some(limit) = limits.reduce(f64::max) else { return Ok(()) };
    let sum = |of: fn(&BudgetOutcome) -> f64| outcomes().map(|outcome| of(&outcome)).sum::<f64>();
    let whole = BudgetOutcome {
        limit: Some(limit),
        cost_nanos: sum(|outcome| outcome.cost_nanos),
        program_nanos: sum(|outcome| outcome.program_nanos),
    };
    let time = |nanos: f64| duration(Nanos(nanos.max(0.0) as u64)).trim_end().to_owned();
    let taken = match whole.share() {
        Some(share) => format!(
            "; probes and collector took {}, {share:.2} of {}{}",
            time(whole.cost_nanos),
            time(whole.program_nanos),
            if share > limit { ", more than the budget" } else { "" }
        ),
        None => String::new(),
    };
    write_line!(out, "budget    {limit} of the program's time{taken}")?;
    let Demoted { uncertain, small_share, saved_nanos } = Demoted::of(profile);
    if uncertain + small_share > 0 {
        write_line!(
            out,
            "          {} counted to keep it: {uncertain} uncertain, {small_share} of a small share; \
             timing them would have cost {} more",
            counted(uncertain + small_share, "method", "methods"),
            signed(saved_nanos).trim_end()
        )?;
    }
    Ok(())
}

/// What was demoted for the budget.
#[derive(Default)]
struct Demoted {
    uncertain: u64,
    small_share: u64,
    /// What the counted calls would have cost more if they had been timed, ns.
    saved_nanos: f64,
}

impl Demoted {
    fn of(profile: &Profile) -> Self {
        let mut sum = Self::default();
        for method in &profile.methods {
            let Some(demotion) = method.demotion else { continue };
            match demotion.reason {
                DemotionReason::Uncertain => sum.uncertain += 1,
                DemotionReason::SmallShare => sum.small_share += 1,
                DemotionReason::Unknown | DemotionReason::Selected => {}
            }
            sum.saved_nanos += method.counted as f64 * demotion.saved_nanos;
        }
        sum
    }
}
