//! Repairs and losses of a recording: how far a profile can be trusted.

use serde::{Deserialize, Serialize};

use crate::Ticks;

macro_rules! quality {
    (
        info { $($(#[$info_doc:meta])* $info:ident: $info_type:ty,)* }
        loss { $($(#[$doc:meta])* $loss:ident $name:ident: $type:ty,)* }
    ) => {
        /// Counts of repairs and losses. A recording without losses is clean:
        /// [`Quality::is_clean`].
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Quality {
            $($(#[$info_doc])* pub $info: $info_type,)*
            $($(#[$doc])* pub $name: $type,)*
            /// Losses that have no count, one sentence each.
            pub other_losses: Vec<String>,
        }

        /// A kind of loss that has a count.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Loss {
            $($(#[$doc])* $loss,)*
        }

        impl Loss {
            /// All kinds, in the order of the profile file.
            pub const ALL: &[Self] = &[$(Self::$loss,)*];
        }

        impl Quality {
            /// Adds the counts of another recording.
            pub fn add(&mut self, other: &Self) {
                $(add(&mut self.$info, other.$info);)*
                $(add(&mut self.$name, other.$name);)*
                for loss in &other.other_losses {
                    if !self.other_losses.contains(loss) {
                        self.other_losses.push(loss.clone());
                    }
                }
            }

            /// The count of one kind of loss. A time counts in ticks.
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

// Counts under `loss` make a recording unclean: the profile lacks something, or a number may be
// wrong. Counts under `info` also occur in clean recordings.
quality! {
    info {
        /// Records taken from rings.
        records: u64,
        /// Open calls at the end of the recording: `System.exit` leaves `main` open.
        open_frames: u64,
        /// Exits of constructors by an exception out of `super()` or `this()`. No handler can cover
        /// these calls, so the next record of a lower frame shows the exit.
        constructor_exits: u64,
        /// Classes of live sessions whose restored bytes differ from those before the session.
        restored_differently: u64,
        /// Ring waits. Their time is excluded.
        ring_waits: u64,
        /// Excluded time.
        excluded: Ticks,
        /// Tasks that were handed off, followed or not.
        handed_off: u64,
    }
    loss {
        /// Inferred exits, without `constructor_exits`.
        InferredExits inferred_exits: u64,
        /// Exits without an entry: the recording began inside the call, or records were lost.
        UnmatchedExits unmatched_exits: u64,
        /// Catches in a frame without an entry.
        UnmatchedCatches unmatched_catches: u64,
        /// Tasks that a later record closed, and ends of tasks without a beginning.
        RepairedTasks repaired_tasks: u64,
        /// Records of unknown types, which were ignored.
        UnknownRecords unknown_records: u64,
        /// Records whose time is before that of the record before, or before its excluded time. No
        /// time counts for them.
        BackwardTimes backward_times: u64,
        /// Records that were dropped because the collector had left.
        LostRecords lost_records: u64,
        /// Records that were dropped because the collector had stopped, or freed no slot in time.
        LostWaiting lost_waiting: u64,
        /// Records of the threads of `lost_rings` and `lost_threads`.
        LostRingless lost_ringless: u64,
        /// Exits that were dropped because the thread's stack was full. They are inferred.
        LostOverflow lost_overflow: u64,
        /// Records that a killed collector had drained and not saved.
        LostWithCollector lost_with_collector: u64,
        /// Sessions whose collector was killed. Later calls may be missing without a count.
        KilledCollectors killed_collectors: u64,
        /// Live sessions that ended because the collector's heartbeat stopped. Later calls are in
        /// no count.
        SilentEnds silent_ends: u64,
        /// JVMs whose records could not be read, and are not in the profile.
        LostJvms lost_jvms: u64,
        /// Time in which records are missing. It is in no node.
        GapTicks gap_ticks: Ticks,
        /// Threads without a ring because there was no space. They are not in the profile.
        LostRings lost_rings: u64,
        /// Threads without a ring because there were too many. They are not in the profile.
        LostThreads lost_threads: u64,
        /// Rings that could not be read.
        DamagedRings damaged_rings: u64,
        /// Calls on virtual threads, which are not in the tree.
        VirtualCalls virtual_calls: u64,
        /// Counted calls that are in no method and no node because there was no space, or because
        /// missing records say whose they are.
        LostCounts lost_counts: u64,
        /// Hand-offs to other threads that could not be followed.
        UnfollowedHandOffs unfollowed_hand_offs: u64,
        /// Further copies of the runtime in one JVM.
        DuplicateRuntimes duplicate_runtimes: u64,
        /// Calls of methods whose ids are outside the session's id span.
        OutsideSpan outside_span: u64,
        /// Info entries that did not fit.
        InfoDropped info_dropped: u64,
        /// Methods without a name because their manifest is missing.
        UnnamedMethods unnamed_methods: u64,
        /// Unreadable lines of methods files. Some methods may have no names.
        BrokenLines broken_lines: u64,
        /// JVMs whose shutdown hooks did not run.
        UncleanEnds unclean_ends: u64,
        /// Late first calls of live sessions. Calls of their callees may be missing.
        LateCalls late_calls: u64,
        /// Classes of live sessions that the JVM refused to retransform. They are unchanged.
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
    /// Whether there is no loss.
    pub fn is_clean(&self) -> bool {
        self.losses().next().is_none() && self.other_losses.is_empty()
    }

    /// The losses with a count above zero.
    pub fn losses(&self) -> impl Iterator<Item = (Loss, u64)> + '_ {
        Loss::ALL.iter().map(|loss| (*loss, self.count(*loss))).filter(|(_, count)| *count > 0)
    }

    /// Adds the counts that a JVM made of itself.
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
            handed_off: counters.handed_off,
            unfollowed_hand_offs: counters.not_followed,
            duplicate_runtimes: counters.second_runtimes,
            outside_span: counters.outside_span,
            info_dropped: counters.info_dropped,
            ring_waits: counters.waits,
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
            restored_differently: 1,
            ring_waits: 1,
            excluded: Ticks(7),
            handed_off: 8,
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
