//! What a recording lost, and how it came by what it has.

use super::events::Events;
use jfathom_profile::{AllocationSource, CpuSource, Mounts, Profile};
use jfathom_views::quality::sentences;
use serde::Serialize;

object! {
    /// Losses make a recording not clean; `clean` says nothing about `unfollowed`.
    Quality<'a>(profile: &'a Profile, q: &'a jfathom_profile::Quality) {
        /// excluded time
        adjusted_nanos: u64 = profile.rate.nanos(q.excluded).0,
        #[serde(with = "Allocation")]
        allocation: AllocationSource = profile.allocation.source,
        /// counted as no time
        backward_times: u64 = q.backward_times,
        /// of methods files
        broken_lines: u64 = q.broken_lines,
        /// no losses
        clean: bool = q.is_clean(),
        /// inferred, out of `super()` or `this()`; no loss
        constructor_exits: u64 = q.constructor_exits,
        cpu: CpuReadings = CpuReadings::of(profile.cpu),
        damaged_rings: u64 = q.damaged_rings,
        /// in one JVM
        duplicate_runtimes: u64 = q.duplicate_runtimes,
        events: Events<'a> = Events::of(profile, &profile.events),
        /// not instrumentable
        failed_classes: u64 = q.failed_classes,
        /// time within gaps, in no node
        gap_nanos: u64 = profile.rate.nanos(q.gap_ticks).0,
        hand_offs: u64 = q.handed_off,
        /// without `constructorExits`
        inferred_exits: u64 = q.inferred_exits,
        /// texts about a JVM
        info_dropped: u64 = q.info_dropped,
        /// later calls may be missing uncounted
        killed_collectors: u64 = q.killed_collectors,
        late_calls: u64 = q.late_calls,
        /// counted calls, for lack of space or records
        lost_counts: u64 = q.lost_counts,
        /// with unreadable records
        lost_jvms: u64 = q.lost_jvms,
        /// exits, stack full; inferred
        lost_overflow: u64 = q.lost_overflow,
        /// collector gone
        lost_records: u64 = q.lost_records,
        /// records of `lostRings` and `lostThreads`
        lost_ringless: u64 = q.lost_ringless,
        /// threads not recorded, no space
        lost_rings: u64 = q.lost_rings,
        /// threads not recorded, too many
        lost_threads: u64 = q.lost_threads,
        /// collector stopped, or no room in time
        lost_waiting: u64 = q.lost_waiting,
        /// records, collector killed
        lost_with_collector: u64 = q.lost_with_collector,
        #[serde(with = "MountSource")]
        mounts: Mounts = profile.mounts,
        /// open calls; no loss
        open_frames: u64 = q.open_frames,
        /// without a count
        other_losses: &'a [String] = &q.other_losses,
        /// calls of methods without room
        outside_span: u64 = q.outside_span,
        /// consumed
        records: u64 = q.records,
        /// without end or beginning
        repaired_tasks: u64 = q.repaired_tasks,
        /// classes, in `meta.notices`; no loss
        restored_differently: u64 = q.restored_differently,
        /// no loss, time excluded
        ring_waits: u64 = q.ring_waits,
        /// the same in words
        sentences: Vec<String> = sentences(profile),
        /// live sessions ended by 2 s without collector; later calls are missing uncounted
        silent_ends: u64 = q.silent_ends,
        /// outside recorded methods, or by carriers between two threads' records
        unattributed_bytes: u64 = profile.allocation.unattributed.0,
        /// JVMs whose shutdown hooks did not run
        unclean_ends: u64 = q.unclean_ends,
        /// of `handOffs`; calls of such tasks are missing
        unfollowed_hand_offs: u64 = q.unfollowed_hand_offs,
        unknown_records: u64 = q.unknown_records,
        unmatched_catches: u64 = q.unmatched_catches,
        unmatched_exits: u64 = q.unmatched_exits,
        /// without manifest
        unnamed_methods: u64 = q.unnamed_methods,
        /// in no tree
        virtual_calls: u64 = q.virtual_calls,
    }
}

/// Whether parking of virtual threads was seen.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "Mounts", rename_all = "lowercase")]
enum MountSource {
    Unasked,
    Seen,
    /// parked times too short
    Partly,
}

/// Where allocated bytes are from.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "AllocationSource", rename_all = "lowercase")]
enum Allocation {
    Unasked,
    /// JVM's thread structure
    Fields,
    Bean,
    Either,
    /// sums too small
    Partly,
}

object! {
    CpuReadings(cpu: jfathom_profile::Cpu) {
        /// not reported by the kernel
        lost: u64 = cpu.lost,
        #[serde(with = "CpuSourceName")]
        source: CpuSource = cpu.source,
        /// per switch; by `thread-clock` the bar's step
        switch_error_nanos: u64 = cpu.switch_error_nanos,
        /// of the JVMs' threads; 0 by `thread-clock`
        switches: u64 = cpu.switches,
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "CpuSource"))]
#[serde(remote = "CpuSource", rename_all = "kebab-case")]
enum CpuSourceName {
    Unasked,
    /// context switches
    Perf,
    Refused,
    Some,
    Partly,
    ThreadClock,
    Mixed,
}
