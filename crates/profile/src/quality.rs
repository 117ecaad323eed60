//! What had to be repaired or is missing: the reader's measure of how far a profile can be trusted.

use serde::{Deserialize, Serialize};

use crate::Ticks;

macro_rules! quality {
    (
        info { $($(#[$info_doc:meta])* $info:ident: $info_type:ty,)* }
        loss { $($(#[$doc:meta])* $loss:ident $name:ident: $type:ty,)* }
    ) => {
        /// Counts of repairs and losses. A recording without any is clean: see [`Quality::is_clean`].
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Quality {
            $($(#[$info_doc])* pub $info: $info_type,)*
            $($(#[$doc])* pub $name: $type,)*
            /// Losses that have no count, one sentence each.
            pub other_losses: Vec<String>,
        }

        /// A kind of repair or loss that has a count. A recording that has one of them is not clean.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Loss {
            $($(#[$doc])* $loss,)*
        }

        impl Loss {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$loss,)*];
        }

        impl Quality {
            /// Takes in another recording's counts.
            pub fn add(&mut self, other: &Self) {
                $(add(&mut self.$info, other.$info);)*
                $(add(&mut self.$name, other.$name);)*
                for loss in &other.other_losses {
                    if !self.other_losses.contains(loss) {
                        self.other_losses.push(loss.clone());
                    }
                }
            }

            /// The count of one kind of loss; for times, in ticks.
            pub fn count(&self, loss: Loss) -> u64 {
                match loss {
                    $(Loss::$loss => self.$name.number(),)*
                }
            }

            /// The largest of all counts.
            pub(crate) fn largest(&self) -> u64 {
                let info = [$(self.$info.number(),)*];
                let losses = Loss::ALL.iter().map(|loss| self.count(*loss));
                info.into_iter().chain(losses).max().unwrap_or_default()
            }
        }
    };
}

// A count stands in one of two blocks. Those under `loss` make a recording unclean: the profile
// lacks something, or a number of it may be wrong. Those under `info` happen in sound recordings.
quality! {
    info {
        /// Records taken from rings.
        records: u64,
        /// Frames that were still open when the recording ended: `System.exit` leaves `main` open.
        open_frames: u64,
        /// Exits of constructors by an exception out of `super()` or `this()`. No handler can cover these calls, so the exit
        /// is inferred from the record of the frame that the exception came to.
        constructor_exits: u64,
        /// Classes of live sessions that came back different from what they were before the session.
        restored_unlike: u64,
        /// Waits of threads for the collector; their time is taken out.
        waits: u64,
        /// The time taken out.
        adjusted: Ticks,
    }
    loss {
        /// Exits without a record: a later event of a frame below, or the end of the thread, closed the frame. Those in
        /// `constructor_exits` are not among them.
        InferredExits inferred_exits: u64,
        /// Exits whose entry is not in the recording: it began in the middle of the call.
        UnmatchedExits unmatched_exits: u64,
        /// Catches in a frame that is not in the recording.
        UnmatchedCatches unmatched_catches: u64,
        /// Ends of tasks that were closed by a later event, or whose beginning is not in the recording.
        RepairedTasks repaired_tasks: u64,
        /// Records that this version does not know, and passed over.
        UnknownRecords unknown_records: u64,
        /// Records with a time before that of the record before them (or before the pause taken out); taken as no time.
        BackwardTimes backward_times: u64,
        /// Records that were not taken because the collector had left.
        LostRecords lost_records: u64,
        /// Records that were not taken because the collector was stopped, or made no room in time.
        LostWaiting lost_waiting: u64,
        /// Records of the threads of `lost_rings` and `lost_threads`.
        LostRingless lost_ringless: u64,
        /// Exits that were not taken because the thread's stack was full; they are inferred.
        LostOverflow lost_overflow: u64,
        /// Records that were taken and lost with a killed collector.
        LostWithCollector lost_with_collector: u64,
        /// Sessions whose collector was killed: what the JVM did from then on may be missing without a count.
        KilledCollectors killed_collectors: u64,
        /// Live sessions that ended because their collector gave no sign of life: what the program did from then on is in no
        /// count.
        SilentEnds silent_ends: u64,
        /// JVMs whose records could not be read; nothing of them is in the profile.
        LostJvms lost_jvms: u64,
        /// Times within threads in which records are missing; in no node.
        GapTicks gap_ticks: Ticks,
        /// Threads that got no ring for want of space, and are not in the profile.
        LostRings lost_rings: u64,
        /// Threads that got no ring because there were too many, and are not in the profile.
        LostThreads lost_threads: u64,
        /// Rings that could not be read.
        DamagedRings damaged_rings: u64,
        /// Calls on virtual threads, in no tree.
        VirtualCalls virtual_calls: u64,
        /// Calls that were to be counted and were not, for want of space; in no method and no node.
        LostCounts lost_counts: u64,
        /// Hand-offs to other threads that could not be followed.
        NotFollowed not_followed: u64,
        /// Further copies of the runtime in one JVM.
        SecondRuntimes second_runtimes: u64,
        /// Calls of methods that the session had no room for.
        OutsideSpan outside_span: u64,
        /// Texts about the JVM that did not fit.
        InfoDropped info_dropped: u64,
        /// Methods with records and without a name, for want of their manifest.
        UnnamedMethods unnamed_methods: u64,
        /// Lines of methods files that could not be read: some methods may have no names.
        BrokenLines broken_lines: u64,
        /// JVMs that ended without running their shutdown hooks.
        UncleanEnds unclean_ends: u64,
        /// First calls in live sessions that went on before the probes of their callees were in place: calls of those may be
        /// missing.
        LateCalls late_calls: u64,
        /// Classes of live sessions that did not verify or could not be redefined, and were left as they are.
        FailedClasses failed_classes: u64,
    }
}

trait Count {
    fn add(&mut self, other: Self);

    fn number(&self) -> u64;
}

impl Count for u64 {
    fn add(&mut self, other: Self) {
        *self = self.saturating_add(other);
    }

    fn number(&self) -> u64 {
        *self
    }
}

impl Count for Ticks {
    fn add(&mut self, other: Self) {
        *self += other;
    }

    fn number(&self) -> u64 {
        self.0
    }
}

fn add<T: Count>(to: &mut T, from: T) {
    to.add(from);
}

impl Quality {
    /// Whether nothing was repaired and nothing is missing.
    pub fn is_clean(&self) -> bool {
        self.losses().next().is_none() && self.other_losses.is_empty()
    }

    /// The losses that there are, with their counts.
    pub fn losses(&self) -> impl Iterator<Item = (Loss, u64)> + '_ {
        Loss::ALL.iter().map(|loss| (*loss, self.count(*loss))).filter(|(_, count)| *count > 0)
    }

    /// Takes in what a JVM counted for itself.
    pub fn add_counters(&mut self, counters: &jfathom_trace::LossCounters) {
        self.add(&Self {
            lost_records: counters.lost_records,
            lost_rings: counters.lost_rings,
            virtual_calls: counters.virtual_calls,
            lost_counts: counters.lost_counts,
            lost_waiting: counters.lost_waiting,
            lost_ringless: counters.lost_ringless,
            lost_overflow: counters.lost_overflow,
            lost_threads: counters.lost_threads,
            silent_ends: counters.silent_ends,
            not_followed: counters.not_followed,
            second_runtimes: counters.second_runtimes,
            outside_span: counters.outside_span,
            info_dropped: counters.info_dropped,
            waits: counters.waits,
            ..Self::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_means_no_repair_and_no_loss() {
        let sound = Quality {
            records: 9,
            open_frames: 2,
            constructor_exits: 3,
            restored_unlike: 1,
            waits: 1,
            adjusted: Ticks(7),
            ..Quality::default()
        };
        assert!(sound.is_clean());
        assert!(!Quality { inferred_exits: 1, ..sound.clone() }.is_clean());
        assert!(!Quality { gap_ticks: Ticks(1), ..sound.clone() }.is_clean());
        assert!(!Quality { unclean_ends: 1, ..sound.clone() }.is_clean());
        assert!(!Quality { other_losses: vec!["a class was lost".to_owned()], ..sound }.is_clean());
    }

    #[test]
    fn no_loss_is_lost_in_a_sum() {
        let one = Quality {
            killed_collectors: 1,
            other_losses: vec!["a".to_owned()],
            ..Quality::default()
        };
        let mut sum =
            Quality { lost_rings: 2, other_losses: vec!["b".to_owned()], ..Quality::default() };
        sum.add(&one);
        sum.add(&one);
        assert_eq!(
            sum.losses().collect::<Vec<_>>(),
            [(Loss::KilledCollectors, 2), (Loss::LostRings, 2)]
        );
        assert_eq!(sum.other_losses, ["b", "a"]);
        assert_eq!(sum.largest(), 2);
    }

    #[test]
    fn counters_of_the_jvm_are_taken_in() {
        let mut quality = Quality { lost_rings: 1, ..Quality::default() };
        quality.add_counters(&jfathom_trace::LossCounters {
            lost_rings: 2,
            virtual_calls: 5,
            ..Default::default()
        });
        assert_eq!((quality.lost_rings, quality.virtual_calls), (3, 5));
    }
}
