//! Where a profile comes from.

use jfathom_plan::UnfollowedCounts;
use jfathom_trace::{ClockKind, Header, Recording};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

use crate::{Calibration, LiveSessionInfo, RecordIntervals, TickRate};

/// Where a profile comes from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The jfathom that made it: `jfathom 0.1.0`.
    pub tool: String,
    /// The recorded command with its arguments, as given to `record`.
    pub command: Vec<String>,
    /// Beginning of the recording, milliseconds since the epoch.
    pub started_millis: u64,
    /// How long it took, in milliseconds.
    pub duration_millis: u64,
    /// The machine.
    pub machine: Machine,
    /// The JVMs whose records are in it, in the order of their start.
    pub jvms: Vec<Jvm>,
    /// What the user should know beyond the numbers, one sentence each.
    pub notices: Vec<String>,
    /// What it shares with the profile whose runs were interleaved with its own; none where it
    /// was recorded by itself. It stands in the file's header.
    #[serde(skip)]
    pub interleaving_id: Option<NonZeroU64>,
    /// What the plans of its roots could not follow, so that calls may be missing though no probe
    /// lost any. It stands in the file's header.
    #[serde(skip)]
    pub unfollowed: UnfollowedCounts,
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system and its version.
    pub os: String,
    /// Architecture: `amd64`.
    pub arch: String,
    /// Processor model, where known.
    pub cpu: String,
    /// Processors that were available.
    pub cpus: u32,
}

/// One JVM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jvm {
    /// Process id.
    pub pid: u64,
    /// Its start, milliseconds since the epoch.
    pub start_millis: u64,
    /// `java.version`.
    pub java_version: String,
    /// `java.vm.name`.
    pub vm_name: String,
    /// `java.vm.version`.
    pub vm_version: String,
    /// `java.vendor`.
    pub vendor: String,
    /// Main class or jar with arguments, as the JVM knows it.
    pub command: String,
    /// JVM flags.
    pub flags: Vec<String>,
    /// Its clock.
    pub clock: ClockInfo,
    /// Whether threads recorded only inside roots.
    pub has_roots: bool,
    /// Whether only the roots were timed (`--roots-only`), so that the time in them is that of all
    /// that they call.
    pub roots_only: bool,
    /// Whether its shutdown hooks ran.
    pub clean_end: bool,
    /// The rewritten jars and directories whose methods it named.
    pub provenance: Vec<Provenance>,
    /// What its probes cost, as it measured them; none where it was not asked to.
    pub calibrations: Vec<Calibration>,
    /// Times between neighbouring records.
    pub sequences: Vec<RecordIntervals>,
    /// How its probes came into its classes, where that was while it ran.
    pub live: Option<LiveSessionInfo>,
}

/// A clock as a session names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockInfo {
    /// `nanoTime` or `tsc`.
    pub name: String,
    /// Its rate.
    pub rate: TickRate,
    /// Why this one.
    pub reason: String,
}

/// One rewritten container.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The jar or directory.
    pub container: String,
    /// Its plan's id.
    pub plan: String,
    /// First method id.
    pub first_id: u32,
    /// Number of method ids.
    pub ids: u32,
    /// The jfathom that rewrote it.
    pub tool: String,
    /// Whether its probes are pinned where that is possible (`rewrite --pin-probes`).
    pub pinned: bool,
}

impl ClockInfo {
    /// The clock of a session file.
    pub fn of(clock: &jfathom_trace::Clock) -> Self {
        let name = match clock.kind {
            ClockKind::NanoTime => "nanoTime",
            ClockKind::Tsc => "tsc",
        };
        Self {
            name: name.to_owned(),
            rate: TickRate::new(clock.hz).unwrap_or(TickRate::NANOS),
            reason: clock.reason_text().to_owned(),
        }
    }
}

impl Jvm {
    /// What a session file says about its JVM. `info` are the file's texts; provenance, and whether
    /// only roots were timed, are the caller's to add, and sequences come from its records.
    pub fn of(header: &Header, info: &[jfathom_trace::InfoEntry], clean_end: bool) -> Self {
        use jfathom_trace::layout as l;
        let all = |kind| {
            info.iter().filter(move |entry| entry.kind == kind).map(|entry| entry.text.clone())
        };
        let text = |kind| all(kind).next().unwrap_or_default();
        Self {
            pid: header.pid,
            start_millis: header.jvm_start_millis,
            java_version: text(l::INFO_JAVA_VERSION),
            vm_name: text(l::INFO_VM_NAME),
            vm_version: text(l::INFO_VM_VERSION),
            vendor: text(l::INFO_VENDOR),
            command: text(l::INFO_COMMAND),
            flags: all(l::INFO_FLAGS).collect(),
            clock: ClockInfo::of(&header.clock),
            has_roots: header.recording == Recording::Roots,
            roots_only: false,
            clean_end,
            provenance: Vec::new(),
            calibrations: all(l::INFO_CALIBRATION)
                .filter_map(|text| Calibration::parse(&text))
                .collect(),
            sequences: Vec::new(),
            live: None,
        }
    }
}

impl Meta {
    /// Takes in where another part of the same profile comes from: its JVMs, its notices, its time.
    pub fn merge(&mut self, other: Self) {
        let end = |meta: &Self| meta.started_millis.saturating_add(meta.duration_millis);
        let ends = end(self).max(end(&other));
        self.started_millis = self.started_millis.min(other.started_millis);
        self.duration_millis = ends.saturating_sub(self.started_millis);
        self.interleaving_id = self.interleaving_id.filter(|id| other.interleaving_id == Some(*id));
        self.unfollowed.take_larger(&other.unfollowed);
        self.jvms.extend(other.jvms);
        for notice in other.notices {
            if !self.notices.contains(&notice) {
                self.notices.push(notice);
            }
        }
    }
}
