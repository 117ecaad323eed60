//! What was repaired or is missing, in sentences.

use crate::number::{counted, duration, grouped};
use jfathom_plan::printable;
use jfathom_profile::{Loss, Profile, Quality, Ticks};

/// One sentence for each kind of repair or loss; empty where the recording is clean.
pub fn sentences(profile: &Profile) -> Vec<String> {
    let quality = &profile.quality;
    let counts = quality.losses().map(|(loss, count)| sentence(profile, loss, count));
    let others = quality.other_losses.iter().map(|loss| printable(loss).into_owned());
    counts.chain(others).collect()
}

/// What a count of repairs or losses means, in a sentence.
pub fn sentence(profile: &Profile, loss: Loss, n: u64) -> String {
    match loss {
        Loss::InferredExits => {
            format!("{} inferred from later events", counted(n, "exit was", "exits were"))
        }
        Loss::UnmatchedExits => {
            format!("{} without an entry (recording began inside)", counted(n, "exit", "exits"))
        }
        Loss::UnmatchedCatches => {
            format!("{} in no recorded frame", counted(n, "catch", "catches"))
        }
        Loss::RepairedTasks => {
            format!("{} closed by later events", counted(n, "task was", "tasks were"))
        }
        Loss::UnknownRecords => format!("{} of unknown kinds", counted(n, "record", "records")),
        Loss::BackwardTimes => {
            format!(
                "{} earlier than the record before, and count as no time",
                counted(n, "time is", "times are")
            )
        }
        Loss::LostRecords => {
            format!(
                "{} not taken: the collector had left",
                counted(n, "record was", "records were")
            )
        }
        Loss::LostWaiting => {
            format!(
                "{} not taken: the collector was stopped or made no room",
                counted(n, "record was", "records were")
            )
        }
        Loss::LostRingless => {
            format!(
                "{} with the threads not recorded",
                counted(n, "record is missing", "records are missing")
            )
        }
        Loss::LostOverflow => format!(
            "{} on a full stack (StackOverflowError) and inferred",
            counted(n, "exit was not taken", "exits were not taken")
        ),
        Loss::LostWithCollector => {
            format!("{} lost with the killed collector", counted(n, "record was", "records were"))
        }
        Loss::KilledCollectors => format!(
            "{} killed: what was taken and not saved is missing",
            counted(n, "collector was", "collectors were")
        ),
        Loss::SilentEnds => format!(
            "{} because the collector was silent for 2 s or more: what the program called from then on is missing",
            counted(n, "live session ended", "live sessions ended")
        ),
        Loss::LostJvms => {
            format!(
                "the records of {} could not be read and are missing",
                counted(n, "JVM", "JVMs")
            )
        }
        Loss::GapTicks => {
            let time = duration(profile.rate.nanos(Ticks(n)));
            format!("{} lie in gaps of the record and in no node", time.trim_end())
        }
        Loss::LostRings => {
            format!(
                "{} not recorded: there was no space for a ring",
                counted(n, "thread was", "threads were")
            )
        }
        Loss::LostThreads => {
            format!(
                "{} not recorded: too many lived at once",
                counted(n, "thread was", "threads were")
            )
        }
        Loss::DamagedRings => format!("{} could not be read", counted(n, "ring", "rings")),
        Loss::VirtualCalls => {
            format!(
                "{} on virtual threads, counted per method and in no tree",
                counted(n, "call", "calls")
            )
        }
        Loss::LostCounts => {
            format!(
                "{} not counted: there was no space for counters",
                counted(n, "call was", "calls were")
            )
        }
        Loss::UnfollowedHandOffs => {
            let all = profile.quality.handed_off;
            let tasks = match all < n {
                true => counted(n, "task", "tasks"),
                false => format!("{} of {}", grouped(n), counted(all, "task", "tasks")),
            };
            format!(
                "{tasks} handed to other threads could not be followed: what they called there is \
                 missing"
            )
        }
        Loss::DuplicateRuntimes => {
            format!("{} of the runtime in one JVM", counted(n, "further copy", "further copies"))
        }
        Loss::OutsideSpan => {
            format!("{} of methods beyond the ids of the session", counted(n, "call", "calls"))
        }
        Loss::InfoDropped => format!("{} about a JVM did not fit", counted(n, "text", "texts")),
        Loss::UnnamedMethods => {
            format!(
                "{} without a name (`?id`): their manifest was not found",
                counted(n, "method", "methods")
            )
        }
        Loss::BrokenLines => format!(
            "{} of the methods file could not be read, so that methods may have no name",
            counted(n, "line", "lines")
        ),
        Loss::UncleanEnds => {
            format!(
                "{} without running shutdown hooks (killed or halted)",
                counted(n, "JVM ended", "JVMs ended")
            )
        }
        Loss::LateCalls => format!(
            "{} before the probes of their callees were in place, some of whose calls are missing",
            counted(n, "first call went on", "first calls went on")
        ),
        Loss::FailedClasses => {
            format!(
                "{} not be instrumented and are not in the tree",
                counted(n, "class could", "classes could")
            )
        }
    }
}

/// What happened in a sound recording and is worth a word.
pub fn remarks(profile: &Profile) -> Vec<String> {
    let Quality {
        open_frames, constructor_exits, restored_differently, ring_waits, excluded, ..
    } = &profile.quality;
    let mut remarks = Vec::new();
    if *open_frames > 0 {
        remarks.push(format!(
            "{} still open at the end",
            counted(*open_frames, "call was", "calls were")
        ));
    }
    if *constructor_exits > 0 {
        remarks.push(format!(
            "{} by an exception out of super() or this()",
            counted(*constructor_exits, "constructor was left", "constructors were left")
        ));
    }
    if *restored_differently > 0 {
        remarks.push(format!(
            "{} back with other bytes than before the session; no number depends on that",
            counted(*restored_differently, "class came", "classes came")
        ));
    }
    if *ring_waits > 0 || excluded.0 > 0 {
        remarks.push(format!(
            "{} of waiting for {} excluded ({})",
            duration(profile.rate.nanos(*excluded)).trim_end(),
            match profile.meta.jvms.iter().any(|jvm| jvm.live.is_some()) {
                true => "the collector and the agent",
                false => "the collector",
            },
            counted(*ring_waits, "wait", "waits")
        ));
    }
    remarks
}
