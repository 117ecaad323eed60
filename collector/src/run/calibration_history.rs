//! The last good calibration of each machine, JVM and clock, in the user's cache directory.

use jfathom_calibration::{Judgement, call_nanos, judge, settled_nanos};
use jfathom_files::trusted_directory;
use jfathom_profile::{Calibration, Jvm, KnownCalibration, Machine, Profile};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsStr,
    io::{self, Write},
    path::Path,
};

/// The file's name, with the version of its form.
const FILE: &str = "calibrations-1";
/// The most bytes that are read of it.
const LIMIT: u64 = 1 << 20;
/// The most entries; the oldest make room.
const ENTRIES: usize = 32;
/// The most costs of calibrations that disagree.
const DISAGREEING: usize = 4;
/// Flags that do not change what a probe costs.
const OTHER_FLAGS: [&str; 7] = [
    "-Xmx",
    "-Xms",
    "-Xss",
    "-Xlog",
    "-Xmn",
    "-XX:StartFlightRecording",
    "-XX:FlightRecorderOptions",
];

/// Known calibrations of one machine, JVM and clock.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    key: String,
    taken_millis: u64,
    calibrations: Vec<Calibration>,
    /// Costs of a call in later calibrations that disagree with it, oldest first.
    disagreeing: Vec<f64>,
}

/// Compares the calibrations of the profiles' JVMs with the last good ones below `cache`, and keeps
/// them if they are good. What cannot be read or written is as if it were not there.
pub(crate) fn compare(cache: &Path, profiles: &mut [Profile]) {
    let mut entries = read(cache);
    let mut is_changed = false;
    for profile in profiles {
        let Profile { meta, .. } = profile;
        let millis = meta.started_millis;
        for jvm in meta.jvms.iter_mut().filter(|jvm| !jvm.calibrations.is_empty()) {
            is_changed |= compare_jvm(&mut entries, key(&meta.machine, jvm), jvm, millis);
        }
    }
    if is_changed {
        let _ = write(cache, &mut entries);
    }
}

/// Returns whether the entries have changed.
fn compare_jvm(entries: &mut Vec<Entry>, key: String, jvm: &mut Jvm, millis: u64) -> bool {
    let own = &jvm.calibrations;
    let known = entries.iter_mut().find(|entry| entry.key == key);
    let calibrations = known.as_ref().map(|entry| entry.calibrations.as_slice());
    let disagreeing = known.as_ref().map_or(&[][..], |entry| &entry.disagreeing);
    let judgement = judge(own, calibrations, disagreeing);
    jvm.known_calibration = known.as_ref().map(|entry| KnownCalibration {
        taken_millis: entry.taken_millis,
        calibrations: entry.calibrations.clone(),
        is_used: judgement == Judgement::Replaced,
    });
    let good =
        || Entry { key, taken_millis: millis, calibrations: own.clone(), disagreeing: Vec::new() };
    match (judgement, known) {
        (Judgement::Good, Some(entry)) => *entry = good(),
        (Judgement::Good, None) => entries.push(good()),
        (Judgement::Replaced, Some(entry)) => {
            let Some(nanos) = settled_nanos(own) else { return false };
            entry.disagreeing.push(nanos);
            let surplus = entry.disagreeing.len().saturating_sub(DISAGREEING);
            entry.disagreeing.drain(..surplus);
        }
        _ => return false,
    }
    true
}

/// Everything that the cost of a probe depends on, as far as a profile tells.
fn key(machine: &Machine, jvm: &Jvm) -> String {
    let matters = |flag: &&String| {
        flag.starts_with("-X") && !OTHER_FLAGS.iter().any(|other| flag.starts_with(other))
    };
    let mut flags: Vec<&str> = jvm.flags.iter().filter(matters).map(String::as_str).collect();
    flags.sort_unstable();
    let kind = (jvm.roots_only, jvm.live.is_some());
    let names = [&machine.arch, &machine.cpu, &jvm.vm_name, &jvm.vm_version, &jvm.clock.name];
    format!("{names:?} {} {kind:?} {flags:?}", machine.cpus)
}

fn read(cache: &Path) -> Vec<Entry> {
    let bytes = trusted_directory(cache).and_then(|(directory, _)| {
        directory.require_own_unshared()?;
        directory.read(OsStr::new(FILE), LIMIT)
    });
    let entries: Vec<Entry> =
        bytes.ok().and_then(|bytes| postcard::from_bytes(&bytes).ok()).unwrap_or_default();
    let is_good = |entry: &Entry| call_nanos(&entry.calibrations).is_some();
    entries.into_iter().filter(is_good).collect()
}

fn write(cache: &Path, entries: &mut Vec<Entry>) -> io::Result<()> {
    entries.sort_by_key(|entry| entry.taken_millis);
    let surplus = entries.len().saturating_sub(ENTRIES);
    entries.drain(..surplus);
    let bytes = postcard::to_stdvec(entries).map_err(io::Error::other)?;
    let (directory, _) = trusted_directory(cache)?;
    directory.require_own_unshared()?;
    directory.replace(OsStr::new(FILE), 0o600, |file| file.write_all(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{CallKind, Phase};
    use jfathom_testkit::profiles::one_thread;

    fn profile(start: f64, end: f64) -> Profile {
        let mut profile = one_thread(&[]);
        let of = |(phase, inner): (Phase, f64)| {
            Calibration::from_batches(phase, CallKind::Return, 9, &[inner; 9], &[inner; 9], &[1.0])
        };
        let both = [(Phase::Start, start), (Phase::End, end)];
        profile.meta.jvms[0].calibrations = both.map(of).to_vec();
        profile
    }

    /// Whether the last good calibration was used, and the cost of a call in it.
    fn compared(cache: &Path, start: f64, end: f64) -> Option<(bool, f64)> {
        let mut profiles = [profile(start, end)];
        compare(cache, &mut profiles);
        let known = profiles[0].meta.jvms[0].known_calibration.as_ref()?;
        Some((known.is_used, call_nanos(&known.calibrations).unwrap()))
    }

    #[test]
    fn the_last_good_calibration_takes_the_place_of_a_disturbed_one() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().canonicalize().unwrap().join("cache");
        assert_eq!(compared(&cache, 20.0, 900.0), None);
        assert_eq!(compared(&cache, 20.0, 20.0), None);
        assert_eq!(compared(&cache, 20.0, 900.0), Some((true, 40.0)));
        assert_eq!(compared(&cache, 21.0, 21.0), Some((false, 40.0)));
        assert_eq!(compared(&cache, 60.0, 60.0), Some((true, 42.0)));
        let mut other = [profile(50.0, 50.0)];
        other[0].meta.jvms[0].clock.name = "tsc".to_owned();
        compare(&cache, &mut other);
        assert_eq!(other[0].meta.jvms[0].known_calibration, None);
        assert_eq!(compared(&cache, 20.0, 20.0), Some((false, 42.0)));
    }

    #[test]
    fn a_damaged_file_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let cache = dir.path().canonicalize().unwrap().join("cache");
        compared(&cache, 20.0, 20.0);
        std::fs::write(cache.join(FILE), [0xff; 40]).unwrap();
        assert_eq!(compared(&cache, 20.0, 20.0), None);
        assert_eq!(compared(&cache, 20.0, 20.0), Some((false, 40.0)));
    }
}
