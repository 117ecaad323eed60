//! How a recording kept its budget, in sentences.

use crate::number::{counted, duration, signed};
use jfathom_profile::{BudgetOutcome, DemotionReason, Nanos, Profile};
use std::io::{self, Write};

/// A reason for a demotion as text.
pub(crate) const fn reason(reason: DemotionReason) -> &'static str {
    match reason {
        DemotionReason::Unknown => "unknown",
        DemotionReason::Selected => "selected",
        DemotionReason::Budget => "budget",
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
    let demoted = profile
        .methods
        .iter()
        .filter_map(|method| Some((method, method.demotion?)))
        .filter(|(_, demotion)| demotion.reason == DemotionReason::Budget);
    let (mut methods, mut saved_nanos) = (0, 0.0);
    for (method, demotion) in demoted {
        methods += 1;
        saved_nanos += method.counted as f64 * demotion.saved_nanos;
    }
    if methods > 0 {
        write_line!(
            out,
            "          {} counted to keep it; timing them would have cost {} more",
            counted(methods, "method", "methods"),
            signed(saved_nanos).trim_end()
        )?;
    }
    Ok(())
}
