//! Profiles of what a killed collector left, and of a recording that goes on.

use crate::{
    Error, ManifestSource,
    drain::{
        count_rule::{ChosenModes, CountRule},
        cpu,
        finish::{self, ProfileInputs},
        manifests::{JvmManifests, ManifestLibrary},
        methods_file::{LiveMethods, MethodsFile},
    },
    epoch::millis,
    jfr::thread_events,
    run::{rule_notices, saved_slices, session_notes::SessionNotes},
};
use jfathom_files::Access;
use jfathom_plan::{Manifest, MethodId};
use jfathom_profile::{
    Builder, BuilderSink, Checkpoint, Demotion, DemotionReason, EventSource, Events, Mode, Profile,
    SampleSource, SessionCounts,
};
use jfathom_session::{JvmFile, JvmIdentity, Process, names::MODES_FILE};
use jfathom_trace::{
    RingPosition, SessionDir, SessionEntry, TraceError, layout, offline::OfflineSession,
};
use std::{
    fs,
    io::{self, BufReader},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The most bytes of [`MODES_FILE`] that are read: one for each id of 22 bits.
const MODES_LIMIT: u64 = 1 << 22;

/// Says of a profile that lacks JFR's part whether that was asked for, and comes later.
fn add_asked(profile: &mut Profile, notes: &SessionNotes, reading: Reading) {
    let (source, of_samples) = match reading {
        Reading::Left => (EventSource::Refused, SampleSource::Missing),
        Reading::Checkpoints => (EventSource::Pending, SampleSource::Pending),
    };
    let caught = profile.events.caught;
    profile.events = Events { caught, ..thread_events::untold(notes.metrics, source) };
    if notes.has_stack_samples {
        profile.stack_samples.source = of_samples;
    }
}

/// Where the profile of the recording in a session directory will be; none if that is not known.
pub(crate) fn output_of(dir: &Path) -> Option<PathBuf> {
    SessionNotes::read(dir).ok()?.output
}

/// How a recording is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// All that a killed collector has left.
    Left,
    /// The last checkpoints of one that goes on. What was consumed since then is in no file, and
    /// the rings continue from there.
    Checkpoints,
}

pub(crate) fn run(dir: &Path, source: &dyn ManifestSource) -> Result<Vec<Profile>, Error> {
    read(dir, source, Reading::Left)
}

pub(crate) fn look(dir: &Path, source: &dyn ManifestSource) -> Result<Vec<Profile>, Error> {
    let profiles = read(dir, source, Reading::Checkpoints)?;
    if profiles.is_empty() {
        let what = "nothing was recorded so far; look again in a second, or when a root was called"
            .to_owned();
        return Err(Error::Session { path: dir.to_owned(), what, exit: None });
    }
    Ok(profiles)
}

fn read(dir: &Path, source: &dyn ManifestSource, reading: Reading) -> Result<Vec<Profile>, Error> {
    let failed = |what: String| Error::Session { path: dir.to_owned(), what, exit: None };
    let entries =
        SessionDir::open(dir).and_then(|dir| dir.entries()).map_err(|e| session_error(&e))?;
    let finished = finished(dir).map_err(|e| failed(e.to_string()))?;
    let saved = saved_slices::find(dir).map_err(|e| failed(e.to_string()))?;
    if entries.is_empty() && finished.is_empty() && saved.is_empty() {
        return Err(failed("no JVM has recorded here; is it a session directory?".to_owned()));
    }
    let noted = SessionNotes::read(dir)?;
    let mut profiles = Vec::new();
    for path in &finished {
        profiles.push(read_profile(path)?);
    }
    let mut library = ManifestLibrary::new(dir, source, false);
    for entry in entries {
        // The collector may have died after it wrote the profile and before it deleted what the
        // profile was made of.
        if finished.contains(&JvmFile::Profile.beside(&entry.path)) {
            continue;
        }
        profiles.extend(jvm(dir, &noted, &entry, &mut library, reading)?);
    }
    if reading == Reading::Left {
        let saved = saved.iter().map(|path| read_profile(path)).collect::<Result<_, _>>()?;
        saved_slices::join_saved(&mut profiles, saved);
    }
    profiles
        .sort_by_key(|profile| profile.meta.jvms.first().map(|jvm| (jvm.start_millis, jvm.pid)));
    Ok(profiles)
}

fn finished(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if JvmIdentity::from_file_name(name, JvmFile::Profile).is_some() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn read_profile(path: &Path) -> Result<Profile, Error> {
    let failed = |what: String| Error::Session { path: path.to_owned(), what, exit: None };
    let file = jfathom_files::open(path, Access::Read).map_err(|e| failed(e.to_string()))?;
    Profile::read_whole(&mut BufReader::new(file)).map_err(|e| failed(e.to_string()))
}

fn session_error(e: &TraceError) -> Error {
    let text = e.to_string();
    let what = text.strip_prefix(&format!("{}: ", e.path().display())).unwrap_or(&text).to_owned();
    Error::Session { path: e.path().to_owned(), what, exit: None }
}

/// Tells a builder why these methods are counted: from their first call on or from some time on by
/// the recording's rule, or for a reason that nobody knows.
fn set_modes(
    builder: &mut Builder,
    dir: &Path,
    rule: &CountRule,
    counted: &[MethodId],
    manifests: &JvmManifests,
    live: &LiveMethods,
) {
    let by_rule = |manifest: &Manifest| {
        let ChosenModes { count, off, .. } = rule.choose(manifest);
        count.into_iter().chain(off).collect::<Vec<MethodId>>()
    };
    let is_counted = |id: &MethodId| counted.binary_search(id).is_ok();
    // The agent counts them before their first call.
    if live.has_session() {
        for id in by_rule(&live.manifest()).into_iter().filter(is_counted) {
            builder.set_mode(id, Mode::Count);
        }
    }
    let initial = jfathom_files::read(&dir.join(MODES_FILE), MODES_LIMIT).unwrap_or_default();
    let from_begin = |id: &MethodId| {
        let mode = initial.get(id.get() as usize);
        mode.is_some_and(|mode| u32::from(*mode) == layout::MODE_COUNT)
    };
    let all = manifests.manifests().flat_map(by_rule).filter(is_counted);
    let (initial, later): (Vec<MethodId>, Vec<MethodId>) = all.partition(from_begin);
    initial.into_iter().for_each(|id| builder.set_mode(id, Mode::Count));
    let selected = Demotion { reason: DemotionReason::Selected, ..Demotion::UNKNOWN };
    builder.demote_unannounced(later, selected);
    builder.demote_unannounced(counted.iter().copied(), Demotion::UNKNOWN);
}

/// What the profile says of where it comes from.
fn notes(dir: &Path, reading: Reading) -> Vec<String> {
    let mut notes = vec![match reading {
        Reading::Left => saved_slices::LEFT.to_owned(),
        Reading::Checkpoints => {
            "the recording goes on; this is what it had at its last checkpoint, counted calls as of now".to_owned()
        }
    }];
    let overflow = jfathom_trace::overflow_dir(dir)
        .filter(|overflow| reading == Reading::Left && overflow.is_dir());
    notes.extend(overflow.map(|overflow| {
        format!(
            "what it left is in {} and in {}: delete both when you have read it",
            dir.display(),
            overflow.display()
        )
    }));
    notes
}

/// The tree of the JVM's last checkpoint, and where its rings had been read to; a new tree without
/// a checkpoint, and none where only checkpoints count.
fn resumed(
    file: &OfflineSession,
    entry: &SessionEntry,
    reading: Reading,
) -> Result<Option<(BuilderSink, Vec<RingPosition>)>, Error> {
    let path = JvmFile::Checkpoint.beside(&entry.path);
    match jfathom_files::open(&path, Access::Read) {
        Ok(checkpoint) => match Checkpoint::read(&mut BufReader::new(checkpoint)) {
            Ok(checkpoint) => Ok(Some(BuilderSink::resume(checkpoint))),
            Err(e) => Err(Error::Session { path, what: e.to_string(), exit: None }),
        },
        Err(e) if e.kind() != io::ErrorKind::NotFound => {
            Err(Error::Session { path, what: e.to_string(), exit: None })
        }
        Err(_) if reading == Reading::Checkpoints => Ok(None),
        Err(_) => {
            let mut feeder = BuilderSink::default();
            if file.header().has_thread_clock {
                feeder.builder_mut().record_own_clocks(file.header().clock.hz);
            }
            Ok(Some((feeder, Vec::new())))
        }
    }
}

/// The profile of one JVM; none if it had died before its file was ready.
fn jvm(
    dir: &Path,
    noted: &SessionNotes,
    entry: &SessionEntry,
    library: &mut ManifestLibrary,
    reading: Reading,
) -> Result<Option<Profile>, Error> {
    let alive = Process::of_jvm(entry.jvm).is_some_and(Process::is_jvm);
    let Some(file) = OfflineSession::open(&entry.path).map_err(|e| session_error(&e))? else {
        return Ok(None);
    };
    let info = file.info().map_err(|e| session_error(&e))?;
    let virtual_calls = file.virtual_calls().map_err(|e| session_error(&e))?;
    let reads = file.reading().map_err(|e| session_error(&e))?;
    let mut manifests = JvmManifests::default();
    let mut notes = notes(dir, reading);
    for seen in info.iter().filter_map(|entry| entry.manifest()) {
        if let Err(overlap) = manifests.add(seen, library, &mut |note| notes.push(note)) {
            let what = format!(
                "{} and {} give the same ids to different methods",
                overlap.first, overlap.second
            );
            return Err(Error::Session { path: entry.path.clone(), what, exit: None });
        }
    }
    let Some((mut feeder, positions)) = resumed(&file, entry, reading)? else { return Ok(None) };
    let mut methods = MethodsFile::new(JvmFile::Methods.beside(&entry.path));
    methods.read_update();
    let live = methods.methods();
    let modes = (file.header().ids.start..).zip(file.modes().map_err(|e| session_error(&e))?);
    let counted = modes.filter(|(_, mode)| u32::from(*mode) == layout::MODE_COUNT);
    let counted: Vec<MethodId> = counted.filter_map(|(id, _)| MethodId::new(id)).collect();
    set_modes(feeder.builder_mut(), dir, &noted.count, &counted, &manifests, live);
    if reading == Reading::Left {
        let leftover = file.read(&positions, &mut feeder).map_err(|e| session_error(&e))?;
        let quality = feeder.builder_mut().quality_mut();
        quality.lost_with_collector =
            quality.lost_with_collector.saturating_add(leftover.lost_elsewhere);
        quality.killed_collectors += 1;
    } else {
        file.read_counts(&positions, &mut feeder).map_err(|e| session_error(&e))?;
    }
    let counted = SessionCounts { counters: file.counters(), virtual_calls };
    // A checkpoint is of one slice: what was counted before is in others.
    let start = feeder.builder().slice_start().cloned();
    let counted = match &start {
        Some(start) => counted.since(&start.before),
        None => counted,
    };
    let facts = ProfileInputs {
        header: file.header(),
        info: &info,
        counters: counted.counters,
        virtual_calls: &counted.virtual_calls,
        reading: reads.as_ref(),
        clean_end: file.ended(),
        stopped: alive,
        goes_on: reading == Reading::Checkpoints,
        is_cut: false,
        live: live.has_session().then_some(live),
        clock: None,
    };
    let mut origin = noted.origin();
    if let Some(start) = start {
        origin.started_millis = start.began_millis;
    }
    if reading == Reading::Checkpoints {
        origin.duration_millis = millis(SystemTime::now()).saturating_sub(origin.started_millis);
    }
    let mut profile = finish::profile(origin, &facts, &manifests, feeder.into_builder());
    add_asked(&mut profile, noted, reading);
    cpu::add_switch_error(&mut profile.cpu);
    profile.meta.notices.extend(notes);
    rule_notices::add(&mut profile, &noted.count.rules);
    Ok(Some(profile))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_session::Metrics;
    use jfathom_testkit::profiles::one_thread;

    #[test]
    fn what_jfr_will_tell_is_asked_for_and_pending() {
        let of = |notes: &SessionNotes, reading| {
            let mut profile = one_thread(&[]);
            add_asked(&mut profile, notes, reading);
            let Events { waits, exceptions, .. } = profile.events;
            (waits, exceptions, profile.stack_samples.source)
        };
        let nothing = (EventSource::Unasked, EventSource::Unasked, SampleSource::Unasked);
        let mut notes = SessionNotes::default();
        assert_eq!(of(&notes, Reading::Checkpoints), nothing);
        notes.metrics = Metrics { waits: true, cpu: true, ..Metrics::default() };
        notes.has_stack_samples = true;
        let pending = (EventSource::Pending, EventSource::Unasked, SampleSource::Pending);
        assert_eq!(of(&notes, Reading::Checkpoints), pending);
        let lost = (EventSource::Refused, EventSource::Unasked, SampleSource::Missing);
        assert_eq!(of(&notes, Reading::Left), lost);
        notes.metrics = Metrics { exceptions: true, ..Metrics::default() };
        assert_eq!(of(&notes, Reading::Left).1, EventSource::Refused);
    }
}
