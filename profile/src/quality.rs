//! What had to be repaired or is missing: the reader's measure of how far a profile can be trusted.

use serde::{Deserialize, Serialize};

use crate::Ticks;

macro_rules! quality {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// Counts of repairs and losses. All zero, apart from what [`Quality::is_clean`] passes over, is a clean recording.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Quality {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Quality {
            /// Takes in another recording's counts.
            pub fn add(&mut self, other: &Self) {
                $(add(&mut self.$name, other.$name);)*
            }

            /// The largest of all counts.
            pub(crate) fn largest(&self) -> u64 {
                [$(self.$name.number(),)*].into_iter().max().unwrap_or_default()
            }
        }
    };
}

quality! {
    /// Records taken from rings.
    records: u64,
    /// Exits that no probe told: the frame was closed because of a later event of a frame below it, or its thread's end.
    inferred_exits: u64,
    /// Exits whose entry is not in the recording: it began in the middle of the call.
    unmatched_exits: u64,
    /// Catches in a frame that is not in the recording.
    unmatched_catches: u64,
    /// Ends of tasks that were closed by a later event, or whose beginning is not in the recording.
    repaired_tasks: u64,
    /// Frames that were still open when the recording ended.
    open_frames: u64,
    /// Records that this version does not know, and passed over.
    unknown_records: u64,
    /// Records with a time before that of the record before them (or before the pause taken out); taken as no time.
    backward_times: u64,
    /// Records that were not taken because the collector was gone or the session inert.
    lost_records: u64,
    /// Records that were taken and lost with a killed collector.
    lost_with_collector: u64,
    /// Times within threads in which records are missing; in no node.
    gap_ticks: Ticks,
    /// Threads that got no ring and are not in the profile.
    lost_rings: u64,
    /// Rings that could not be read.
    damaged_rings: u64,
    /// Calls on virtual threads, in no tree.
    virtual_calls: u64,
    /// Calls that were to be counted and were not, for want of space; in no method and no node.
    lost_counts: u64,
    /// Hand-offs to other threads that could not be followed.
    not_followed: u64,
    /// Further copies of the runtime in one JVM.
    second_runtimes: u64,
    /// Calls of methods that the session had no room for.
    outside_span: u64,
    /// Texts about the JVM that did not fit.
    info_dropped: u64,
    /// Methods with records and without a name, for want of their manifest.
    unnamed_methods: u64,
    /// JVMs that ended without running their shutdown hooks.
    unclean_ends: u64,
    /// First calls in live sessions that went on before the probes of their callees were in place: calls of those may be
    /// missing.
    late_calls: u64,
    /// Classes of live sessions that did not verify or could not be redefined, and were left alone.
    failed_classes: u64,
    /// Classes of live sessions whose code was not that of the beginning when it was given back.
    restored_unlike: u64,
    /// Waits of threads for the collector; their time is taken out.
    waits: u64,
    /// The time taken out.
    adjusted: Ticks,
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
    /// Whether nothing was repaired and nothing is missing. Frames open at the end, and waits whose time was taken out,
    /// happen in sound recordings (`System.exit` leaves `main` open) and do not count.
    pub fn is_clean(&self) -> bool {
        let harmless = Self {
            records: self.records,
            open_frames: self.open_frames,
            waits: self.waits,
            adjusted: self.adjusted,
            ..Self::default()
        };
        *self == harmless
    }

    /// Takes in what a JVM counted for itself.
    pub fn add_counters(&mut self, counters: &jfathom_trace::Counters) {
        self.add(&Self {
            lost_records: counters.lost_records,
            lost_rings: counters.lost_rings,
            virtual_calls: counters.virtual_calls,
            lost_counts: counters.lost_counts,
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
        let sound = Quality { records: 9, open_frames: 2, waits: 1, adjusted: Ticks(7), ..Quality::default() };
        assert!(sound.is_clean());
        assert!(!Quality { inferred_exits: 1, ..sound.clone() }.is_clean());
        assert!(!Quality { gap_ticks: Ticks(1), ..sound.clone() }.is_clean());
        assert!(!Quality { unclean_ends: 1, ..sound }.is_clean());
    }

    #[test]
    fn counters_of_the_jvm_are_taken_in() {
        let mut quality = Quality { lost_rings: 1, ..Quality::default() };
        quality.add_counters(&jfathom_trace::Counters { lost_rings: 2, virtual_calls: 5, ..Default::default() });
        assert_eq!((quality.lost_rings, quality.virtual_calls), (3, 5));
    }
}
