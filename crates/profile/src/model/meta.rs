//! The origin of a profile: tool, machine, JVMs.

use jfathom_plan::UnfollowedCounts;
use jfathom_trace::{ClockKind, Header, Recording};
use serde::{Deserialize, Serialize};
use std::num::NonZeroU64;

use crate::{
    BudgetOutcome, Calibration, KnownCalibration, Labels, Limits, LiveSessionInfo, TickRate,
};

/// The origin of a profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// The jfathom that made it: `jfathom 0.1.0`.
    pub tool: String,
    /// The recorded command with its arguments, as given to `record`.
    pub command: Vec<String>,
    /// Begin of the recording, in ms since the Unix epoch.
    pub started_millis: u64,
    /// Length of the recording in ms.
    pub duration_millis: u64,
    /// Where it was recorded.
    pub machine: Machine,
    /// The recorded JVMs, in the order of their start.
    pub jvms: Vec<Jvm>,
    /// Notices to the user, one sentence each.
    pub notices: Vec<String>,
    /// A number shared with the profile whose runs were interleaved with its own, if any.
    pub interleaving_id: Option<NonZeroU64>,
    /// What the reachability analysis of the plans could not follow. Such calls may be missing
    /// although nothing was lost.
    pub unfollowed: UnfollowedCounts,
    /// The size of the input that the command worked on (`record --sizes`), if one was given.
    pub size: Option<NonZeroU64>,
    /// What the user says of the recording (`record --label`).
    pub labels: Labels,
}

/// A machine, as its operating system describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system and its version.
    pub os: String,
    /// Architecture: `amd64`.
    pub arch: String,
    /// Processor model, empty if unknown.
    pub cpu: String,
    /// Number of available processors.
    pub cpus: u32,
}

/// A recorded JVM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jvm {
    /// Process id.
    pub pid: u64,
    /// Start of the JVM, in ms since the Unix epoch.
    pub start_millis: u64,
    /// `java.version`.
    pub java_version: String,
    /// `java.vm.name`.
    pub vm_name: String,
    /// `java.vm.version`.
    pub vm_version: String,
    /// `java.vendor`.
    pub vendor: String,
    /// Main class or jar, with arguments, as the JVM states it.
    pub command: String,
    /// JVM flags.
    pub flags: Vec<String>,
    /// The clock of its ticks.
    pub clock: ClockInfo,
    /// Whether threads recorded only inside roots.
    pub has_roots: bool,
    /// Whether only the roots had probes (`--probe '**=off'`). Their self time is then their total
    /// time.
    pub roots_only: bool,
    /// Whether the JVM's shutdown hooks ran.
    pub clean_end: bool,
    /// The rewritten jars and directories whose manifests it saw.
    pub provenance: Vec<Provenance>,
    /// Probe costs that the JVM measured on itself. Empty without calibration.
    pub calibrations: Vec<Calibration>,
    /// An earlier calibration to compare with; none if there was none.
    pub known_calibration: Option<KnownCalibration>,
    /// What it could use at most when its recording began.
    pub limits: Limits,
    /// How the recording kept its budget; none if nobody watched it.
    pub budget: Option<BudgetOutcome>,
    /// The live session, if the agent instrumented the JVM.
    pub live: Option<LiveSessionInfo>,
}

/// The clock of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockInfo {
    /// `nanoTime` or `tsc`.
    pub name: String,
    /// Ticks per second.
    pub rate: TickRate,
    /// Why the runtime chose it.
    pub reason: String,
    /// How it ran beside the kernel's clock; none if nobody compared them.
    pub drift: Option<ClockDrift>,
}

/// A clock held against `CLOCK_MONOTONIC` while it recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockDrift {
    /// By how much its rate was higher than [`ClockInfo::rate`], in parts per billion.
    pub parts_per_billion: i64,
    /// The largest distance from an even run, in ns.
    pub deviation_nanos: u64,
    /// How long the machine was suspended, in ns.
    pub suspended_nanos: u64,
}

/// A rewritten container whose methods were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// Path of the jar or directory.
    pub container: String,
    /// Digest of its plan, as hexadecimal digits.
    pub plan: String,
    /// First method id.
    pub first_id: u32,
    /// Number of method ids.
    pub ids: u32,
    /// The jfathom that rewrote it.
    pub tool: String,
}

impl ClockInfo {
    const TSC: &str = "tsc";

    /// Whether ticks are counts of the time stamp counter.
    pub fn is_tsc(&self) -> bool {
        self.name == Self::TSC
    }

    /// The clock of a session file.
    pub fn from_session(clock: &jfathom_trace::Clock) -> Self {
        let name = match clock.kind {
            ClockKind::NanoTime => "nanoTime",
            ClockKind::Tsc => Self::TSC,
        };
        Self {
            name: name.to_owned(),
            rate: TickRate::new(clock.hz).unwrap_or(TickRate::NANOS),
            reason: clock.reason_text().to_owned(),
            drift: None,
        }
    }
}

impl Jvm {
    /// Describes the JVM of a session file, from its header and its info entries. The caller adds
    /// `provenance`, `roots_only` and `live`.
    pub fn from_session(
        header: &Header,
        info: &[jfathom_trace::InfoEntry],
        clean_end: bool,
    ) -> Self {
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
            clock: ClockInfo::from_session(&header.clock),
            has_roots: header.recording == Recording::Roots,
            roots_only: false,
            clean_end,
            provenance: Vec::new(),
            calibrations: all(l::INFO_CALIBRATION)
                .filter_map(|text| Calibration::parse(&text))
                .collect(),
            known_calibration: None,
            limits: Limits::default(),
            budget: None,
            live: None,
        }
    }
}

impl Meta {
    /// Adds the origin of another part of the same profile: JVMs, notices, time span.
    pub fn merge(&mut self, other: Self) {
        let end = |meta: &Self| meta.started_millis.saturating_add(meta.duration_millis);
        let ends = end(self).max(end(&other));
        self.started_millis = self.started_millis.min(other.started_millis);
        self.duration_millis = ends.saturating_sub(self.started_millis);
        self.interleaving_id = self.interleaving_id.filter(|id| other.interleaving_id == Some(*id));
        self.unfollowed.take_larger(&other.unfollowed);
        self.size = self.size.filter(|size| other.size == Some(*size));
        self.labels.keep_common(&other.labels);
        self.jvms.extend(other.jvms);
        for notice in other.notices {
            if !self.notices.contains(&notice) {
                self.notices.push(notice);
            }
        }
    }
}
