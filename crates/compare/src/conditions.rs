//! Recording conditions of two profiles.

use jfathom_profile::{Jvm, Profile};

/// Differences of the recording conditions, one sentence each. They may cause differences of
/// numbers.
pub fn condition_differences(base: &Profile, new: &Profile) -> Vec<String> {
    let pairs = of(base).into_iter().zip(of(new)).filter(|(one, other)| one.1 != other.1);
    pairs
        .map(|((what, one), (_, other))| {
            let [one, other] = [one, other]
                .map(|text| if text.is_empty() { "none".to_owned() } else { format!("‘{text}’") });
            format!("another {what}: {one} in the base, {other} on the new side")
        })
        .collect()
}

/// Whether one command interleaved the runs of both profiles. Drift of the machine then affects
/// both sides.
pub fn are_interleaved(base: &Profile, new: &Profile) -> bool {
    // A series made of such profiles may have one side twice.
    base.meta.interleaving_id.is_some()
        && base.meta.interleaving_id == new.meta.interleaving_id
        && base.run_count() == new.run_count()
}

fn of(profile: &Profile) -> [(&'static str, String); 9] {
    let first = |of: &dyn Fn(&Jvm) -> String| profile.meta.jvms.first().map_or(String::new(), of);
    let machine = &profile.meta.machine;
    let [recorded, timed] = recorded(profile);
    [
        ("JVM", first(&|jvm| format!("{} {}", jvm.vm_name, jvm.java_version))),
        ("set of JVM flags", first(&flags)),
        ("clock", first(&|jvm| jvm.clock.name.clone())),
        ("machine", format!("{} {} {} processors", machine.arch, machine.cpu, machine.cpus)),
        ("part that was recorded", recorded.to_owned()),
        ("choice of what is timed", timed.to_owned()),
        (
            "choice of roots' calls",
            match profile.latencies.unsampled.is_empty() {
                true => "all",
                false => "a sample",
            }
            .to_owned(),
        ),
        (
            "time in the roots",
            if profile.anchor.is_some() { "measured (--anchor)" } else { "computed" }.to_owned(),
        ),
        (
            "shortest wait that is told",
            match profile.events.waits.is_asked() {
                true => format!("{} ns", profile.events.threshold_nanos),
                false => String::new(),
            },
        ),
    ]
}

/// The flags of JFR that `record` adds. What follows names the session's directory.
const OWN_RECORDING: [&str; 2] =
    ["-XX:StartFlightRecording=name=jfathom", "-XX:FlightRecorderOptions=stackdepth=2048"];

/// The flags without what is another in each session.
fn flags(jvm: &Jvm) -> String {
    let is_own = |flag: &str, own: &str| {
        flag.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
    };
    let shown = |flag: &'_ String| {
        let own = OWN_RECORDING.iter().find(|own| is_own(flag, own));
        own.map_or_else(|| flag.clone(), |own| (*own).to_owned())
    };
    jvm.flags.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// The recorded part of the program, and which methods of that were timed.
fn recorded(profile: &Profile) -> [&'static str; 2] {
    let jvms = &profile.meta.jvms;
    [
        among(
            jvms.iter().map(|jvm| jvm.has_roots),
            ["everything", "what is inside roots", "in part what is inside roots"],
        ),
        among(
            jvms.iter().map(|jvm| jvm.roots_only),
            ["all methods", "roots only", "roots only in part"],
        ),
    ]
}

/// Why sums of profiles with sampled roots do not compare.
pub(crate) const SAMPLED: &str =
    "not all calls of roots are recorded (--sample-roots); record both without";

/// Why the calls of two profiles do not compare. None if both recorded the same kind of methods.
pub(crate) fn incomparable_calls(base: &Profile, new: &Profile) -> Option<String> {
    if [base, new].iter().any(|profile| !profile.latencies.unsampled.is_empty()) {
        return Some(SAMPLED.to_owned());
    }
    let (base, new) = (recorded(base), recorded(new));
    let (one, other) = base.into_iter().zip(new).find(|(one, other)| one != other)?;
    Some(format!("the base has calls of {one} and the new side of {other}; record both alike"))
}

/// The word for none, all, or some of the values.
fn among(
    mut values: impl Iterator<Item = bool>,
    [none, all, some]: [&'static str; 3],
) -> &'static str {
    let Some(first) = values.next() else { return none };
    match values.all(|value| value == first) {
        false => some,
        true if first => all,
        true => none,
    }
}
