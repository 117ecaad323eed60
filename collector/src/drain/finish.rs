//! Making of a JVM's profile from its consumed records.

use crate::drain::{
    manifests::{JvmManifests, jar_of},
    methods_file::LiveMethods,
};
use jfathom_clock::ClockReport;
use jfathom_plan::{MethodId, UnfollowedCounts};
use jfathom_profile::{
    Builder, Bytes, ClockDrift, Context, EventSource, Jvm, Labels, Limits, Machine, Meta,
    MethodNames, Profile, Provenance, TickRate, Ticks,
};
use jfathom_trace::{Header, InfoEntry, LossCounters, ManifestRef, ReadingMethods, layout};
use std::{collections::BTreeMap, fs, sync::Arc};

/// The recording that a profile comes from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub tool: String,
    pub command: Vec<String>,
    pub labels: Labels,
    pub started_millis: u64,
    pub duration_millis: u64,
    /// Why the clock library could not be placed.
    pub clock_failure: Option<String>,
    /// What the JVM could use at most.
    pub limits: Limits,
}

/// Parts of a profile that are not from records.
pub(crate) struct ProfileInputs<'a> {
    pub header: &'a Header,
    pub info: &'a [InfoEntry],
    pub counters: LossCounters,
    pub virtual_calls: &'a [(MethodId, u64)],
    /// The methods that read what they allocate; none if there is no such choice.
    pub reading: Option<&'a ReadingMethods>,
    /// Whether the JVM's shutdown hook has run.
    pub clean_end: bool,
    /// Whether the recording ended before the JVM.
    pub stopped: bool,
    /// Whether the recording goes on.
    pub goes_on: bool,
    /// Whether parts of the session file were missing.
    pub is_cut: bool,
    /// The content of the methods file; none without a live session.
    pub live: Option<&'a LiveMethods>,
    /// How the processor's counter ran; none if it is not the clock, or was not watched.
    pub clock: Option<ClockReport>,
}

/// The profile of one JVM.
pub(crate) fn profile(
    origin: Origin,
    facts: &ProfileInputs,
    manifests: &JvmManifests,
    mut builder: Builder,
) -> Profile {
    let mut names = MethodNames::default();
    manifests.shared().iter().for_each(|manifest| names.share_manifest(manifest));
    if let Some(live) = facts.live {
        names.add_manifest(&live.manifest());
    }
    let mut jvm = Jvm::from_session(facts.header, facts.info, facts.clean_end);
    jvm.provenance = manifests.seen().iter().map(|seen| provenance(seen, manifests)).collect();
    jvm.clock.drift = facts.clock.map(|found| drift(facts.header.clock.hz, found));
    let mut notices: Vec<String> = texts(facts.info, layout::INFO_NOTICE).collect();
    if facts.stopped && !facts.goes_on {
        notices.push(format!("the recording of JVM {} was ended while it ran", jvm.pid));
    }
    notices.extend(jvm.clock.drift.and_then(clock_notice));
    let quality = builder.quality_mut();
    quality.add_counters(&facts.counters);
    if facts.is_cut {
        quality.other_losses.push(format!(
            "the session file of JVM {} was cut off, or had no space: what it had is missing",
            jvm.pid
        ));
    }
    quality.unclean_ends += u64::from(!facts.clean_end && !facts.stopped && !facts.goes_on);
    let Origin { tool, command, labels, started_millis, duration_millis, clock_failure, limits } =
        origin;
    jvm.limits = limits;
    let clock_failure = clock_failure.filter(|_| facts.header.clock.lacks_library());
    notices.extend(clock_failure.map(|why| format!("no clock library could be placed: {why}")));
    let machine = machine(facts.info);
    let jvms = vec![jvm];
    let unfollowed = unfollowed(manifests);
    let meta = Meta {
        tool,
        command,
        started_millis,
        duration_millis,
        machine,
        jvms,
        notices,
        interleaving_id: None,
        size: None,
        labels,
        unfollowed,
    };
    let rate = TickRate::new(facts.header.clock.hz).unwrap_or(TickRate::NANOS);
    if let Some(end) = facts.header.end_ticks {
        let is_root = |id| names.get(id).is_some_and(|method| method.root);
        builder.time_open_roots(Ticks(end), is_root);
    }
    builder.name_caught(&caught_classes(facts.info));
    let mut profile =
        builder.finish(Context { meta, rate, names: &names, virtual_calls: facts.virtual_calls });
    if facts.header.has_caught_classes {
        profile.events.caught = EventSource::Probes;
    }
    profile.allocation.source = facts.header.allocated.into();
    profile.allocation.unattributed += Bytes(facts.counters.unattributed_bytes);
    if let Some(reading) = facts.reading {
        profile.set_alloc_reading(|method| reading.contains(method.id));
    }
    if let Some(live) = facts.live {
        live.complete(&mut profile);
    }
    profile
}

/// A rate that is off by more, in parts per billion, is worth a notice: times are wrong by 0.01 %.
const NOTABLE_DRIFT: u64 = 100_000;
/// A counter that runs less evenly, in ns, is worth a notice.
const NOTABLE_DEVIATION: u64 = 1_000_000;

/// The drift that a watch found. By the session file the counter's rate is `hz`.
fn drift(hz: u64, found: ClockReport) -> ClockDrift {
    ClockDrift {
        parts_per_billion: ((found.hz / hz as f64 - 1.0) * 1e9).round() as i64,
        deviation_nanos: found.deviation_nanos.round() as u64,
        suspended_nanos: u64::try_from(found.suspended_nanos).unwrap_or(0),
    }
}

/// Notice for the user, if the drift is notable.
fn clock_notice(drift: ClockDrift) -> Option<String> {
    let seconds = |nanos: u64| nanos as f64 / 1e9;
    if drift.suspended_nanos >= NOTABLE_DEVIATION {
        return Some(format!(
            "the machine was suspended for {:.3} s: times that were running then may contain it",
            seconds(drift.suspended_nanos)
        ));
    }
    if drift.deviation_nanos >= NOTABLE_DEVIATION {
        return Some(format!(
            "the processor's counter ran unevenly, by {:.3} s: the machine may have been moved; \
             record with --tune clock=nano",
            seconds(drift.deviation_nanos)
        ));
    }
    (drift.parts_per_billion.unsigned_abs() >= NOTABLE_DRIFT).then(|| {
        format!(
            "the processor's counter ran {:.3} % {} than its rate at the start",
            drift.parts_per_billion.unsigned_abs() as f64 / 1e7,
            if drift.parts_per_billion > 0 { "faster" } else { "slower" }
        )
    })
}

/// Calls that the plans could not follow. Each manifest of a plan has the counts of the whole plan.
fn unfollowed(manifests: &JvmManifests) -> UnfollowedCounts {
    let mut plans = Vec::new();
    let mut all = UnfollowedCounts::default();
    for manifest in manifests.manifests() {
        if !plans.contains(&manifest.plan) {
            plans.push(manifest.plan);
            manifest.unfollowed.iter().for_each(|(reason, count)| all.add(reason, count));
        }
    }
    all
}

/// The names of classes of caught exceptions by number.
fn caught_classes(info: &[InfoEntry]) -> BTreeMap<u32, Arc<str>> {
    let classes = info.iter().filter_map(InfoEntry::caught_class);
    classes.map(|(number, name)| (number, name.into())).collect()
}

fn texts(info: &[InfoEntry], kind: u32) -> impl Iterator<Item = String> {
    info.iter().filter(move |entry| entry.kind == kind).map(|entry| entry.text.clone())
}

fn provenance(seen: &ManifestRef, manifests: &JvmManifests) -> Provenance {
    let found = manifests.manifests().find(|manifest| manifest.ids == seen.ids);
    Provenance {
        container: jar_of(&seen.place).to_owned(),
        plan: seen.plan.clone(),
        first_id: seen.ids.start,
        ids: seen.ids.len,
        tool: found.map(|manifest| manifest.tool.clone()).unwrap_or_default(),
    }
}

fn machine(info: &[InfoEntry]) -> Machine {
    let text = |kind| texts(info, kind).next().unwrap_or_default();
    Machine {
        os: text(layout::INFO_OS_NAME),
        arch: text(layout::INFO_OS_ARCH),
        cpu: processor().unwrap_or_default(),
        cpus: text(layout::INFO_CPUS).parse().unwrap_or(0),
    }
}

/// The processor's name as `/proc/cpuinfo` has it on x86; none elsewhere.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).trim().to_owned())
}
