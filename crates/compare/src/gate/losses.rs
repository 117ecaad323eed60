//! Losses of a recording that make its counts too low.

use jfathom_profile::{Loss, Quality};

/// The first loss that makes a recording's counts too low, in words. None if there is none.
pub(crate) fn lost_counts(quality: &Quality) -> Option<String> {
    let found = quality
        .losses()
        .find_map(|(loss, count)| Some(format!("{count} {}", lowers_counts(loss)?)));
    found.or_else(|| quality.other_losses.first().cloned())
}

/// The words for a loss that makes counts too low. None for one that leaves them right, or lowers
/// them in all recordings of a program alike.
const fn lowers_counts(loss: Loss) -> Option<&'static str> {
    match loss {
        Loss::UnknownRecords => Some("records were of unknown kinds"),
        Loss::LostRecords => Some("records were lost"),
        Loss::LostWaiting => Some("records were lost while the collector made no room"),
        Loss::LostWithCollector => Some("records were lost with the collector"),
        Loss::KilledCollectors => Some("collectors were killed"),
        Loss::SilentEnds => Some("live sessions ended while their collector was silent"),
        Loss::LostJvms => Some("JVMs could not be read"),
        Loss::LostRings => Some("threads were not recorded"),
        Loss::LostThreads => Some("threads were too many to be recorded"),
        Loss::LostRingless => Some("records were lost with the threads not recorded"),
        Loss::DamagedRings => Some("rings could not be read"),
        Loss::LostCounts => Some("counted calls were lost"),
        Loss::OutsideSpan => Some("calls had no room in the session"),
        Loss::UncleanEnds => Some("JVMs were killed"),
        Loss::LateCalls => Some("first calls went on before their callees were live"),
        // The exits are inferred, and the entries are there.
        Loss::LostOverflow
        | Loss::InferredExits
        | Loss::UnmatchedExits
        | Loss::UnmatchedCatches
        | Loss::RepairedTasks
        | Loss::BackwardTimes
        | Loss::GapTicks
        | Loss::VirtualCalls
        | Loss::UnfollowedHandOffs
        | Loss::DuplicateRuntimes
        | Loss::InfoDropped
        | Loss::UnnamedMethods
        | Loss::BrokenLines
        | Loss::FailedClasses => None,
    }
}
