//! Slices that could not be written to their places, saved in the session directory.

use crate::run::jvm_profile::write_profile;
use jfathom_compare::{JoinError, join};
use jfathom_profile::{Profile, Quality};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

const PREFIX: &str = "slice-";
const SUFFIX: &str = ".jfp";

/// What a profile of a killed collector has.
pub(crate) const LEFT: &str =
    "the collector was killed; this is its last checkpoint and what was left in the rings";
/// What it has where the last checkpoint was already that of a slice.
const SLICES_ALONE: &str = "the collector was killed; this ends with its last whole slice: what came after that is missing";

/// Saves a slice. Returns its path.
pub(crate) fn save(session: &Path, profile: &Profile) -> io::Result<PathBuf> {
    let number = profile.slice.as_ref().map_or(0, |slice| slice.number);
    let (pid, start) = jvm_of(profile).unwrap_or_default();
    let path = session.join(format!("{PREFIX}{pid}-{start}-{number:06}{SUFFIX}"));
    jfathom_files::replace(&path, 0o600, |file| write_profile(profile, file))?;
    Ok(path)
}

/// The slices that are saved in a session directory.
pub(crate) fn find(session: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(session)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn jvm_of(profile: &Profile) -> Option<(u64, u64)> {
    profile.meta.jvms.first().map(|jvm| (jvm.pid, jvm.start_millis))
}

/// Puts the saved slices of each JVM and its last profile together.
pub(crate) fn join_saved(profiles: &mut Vec<Profile>, mut saved: Vec<Profile>) {
    while let Some(jvm) = saved.first().map(jvm_of) {
        let of_jvm = saved.extract_if(.., |profile| jvm_of(profile) == jvm).collect::<Vec<_>>();
        let last = profiles.extract_if(.., |profile| jvm_of(profile) == jvm).collect::<Vec<_>>();
        let all: Vec<Profile> = of_jvm.iter().chain(&last).cloned().collect();
        let joined = match join(all) {
            Err(JoinError::Twice(at)) if at >= of_jvm.len() => {
                join(of_jvm.clone()).map(|joined| without_next(joined, &of_jvm, &last))
            }
            joined => joined,
        };
        match joined {
            Ok(joined) => profiles.push(joined),
            Err(_) => profiles.extend(of_jvm.into_iter().chain(last)),
        }
    }
}

/// Slices, of which the last one is also what a killed collector's last checkpoint has. Which calls
/// were open between the two is in no file, so that what came after the slice can only be counted:
/// it is lost.
fn without_next(mut joined: Profile, slices: &[Profile], last: &[Profile]) -> Profile {
    let number = |profile: &Profile| profile.slice.as_ref().map(|slice| slice.number);
    for last in last {
        let killed = &mut joined.quality.killed_collectors;
        *killed = killed.saturating_add(last.quality.killed_collectors);
        let others = last.meta.notices.iter().filter(|notice| *notice != LEFT);
        joined.meta.notices.extend(others.cloned());
        if let Some(slice) = slices.iter().find(|slice| number(slice) == number(last)) {
            joined.quality.add(&lost_after(slice, last));
        }
    }
    joined.meta.notices.push(SLICES_ALONE.to_owned());
    joined
}

/// What came after a slice, of a profile that has all since its begin.
fn lost_after(slice: &Profile, last: &Profile) -> Quality {
    let beyond = |of: fn(&Profile) -> u64| of(last).saturating_sub(of(slice));
    let calls = |profile: &Profile| -> u64 {
        profile.methods.iter().map(|method| method.counted).fold(0, u64::saturating_add)
    };
    Quality {
        lost_with_collector: beyond(|profile| {
            profile.quality.records.saturating_add(profile.quality.lost_with_collector)
        }),
        lost_records: beyond(|profile| profile.quality.lost_records),
        lost_waiting: beyond(|profile| profile.quality.lost_waiting),
        lost_ringless: beyond(|profile| profile.quality.lost_ringless),
        lost_overflow: beyond(|profile| profile.quality.lost_overflow),
        lost_rings: beyond(|profile| profile.quality.lost_rings),
        lost_threads: beyond(|profile| profile.quality.lost_threads),
        lost_counts: beyond(|profile| profile.quality.lost_counts)
            .saturating_add(calls(last).saturating_sub(calls(slice))),
        virtual_calls: beyond(|profile| profile.quality.virtual_calls),
        ..Quality::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::Slice;
    use jfathom_testkit::small_profile;

    fn slice(number: u32) -> Profile {
        Profile { slice: Some(Slice { number, ..Slice::default() }), ..small_profile::profile() }
    }

    #[test]
    fn saved_slices_and_the_last_one_are_one_profile() {
        let folder = tempfile::tempdir().unwrap();
        for number in [10, 9] {
            save(folder.path(), &slice(number)).unwrap();
        }
        let saved = || -> Vec<Profile> {
            let read = |path: &PathBuf| Profile::read(&mut fs::read(path).unwrap().as_slice());
            find(folder.path()).unwrap().iter().map(|path| read(path).unwrap()).collect()
        };
        let mut other = slice(11);
        other.meta.jvms[0].pid += 1;
        let mut profiles = vec![slice(11), other.clone()];
        join_saved(&mut profiles, saved());
        assert_eq!(profiles.len(), 2);
        assert_eq!(profiles[0], other);
        assert_eq!(profiles[1].quality.records, 3 * slice(0).quality.records);
        // A checkpoint of a slice that is saved adds no call.
        let mut killed = slice(10);
        killed.quality.killed_collectors = 1;
        killed.meta.notices = vec![LEFT.to_owned(), "another one".to_owned()];
        let mut profiles = vec![killed];
        join_saved(&mut profiles, saved());
        let notices = &profiles[0].meta.notices;
        assert!(notices.ends_with(&["another one".to_owned(), SLICES_ALONE.to_owned()]));
        assert!(!notices.contains(&LEFT.to_owned()), "{notices:?}");
        assert_eq!(profiles[0].quality.records, 2 * slice(0).quality.records);
        assert_eq!((profiles.len(), profiles[0].quality.killed_collectors), (1, 1));
        // What came after the slice is counted.
        let mut killed = slice(10);
        killed.quality.records += 7;
        killed.quality.lost_with_collector += 5;
        killed.quality.lost_records += 3;
        killed.methods[0].counted += 2;
        let mut profiles = vec![killed];
        join_saved(&mut profiles, saved());
        let quality = &profiles[0].quality;
        let lost = [quality.lost_with_collector, quality.lost_records, quality.lost_counts];
        let before = slice(0).quality;
        let before = [before.lost_with_collector, before.lost_records, before.lost_counts];
        assert_eq!(lost, std::array::from_fn(|at| 2 * before[at] + [12, 3, 2][at]));
    }
}
