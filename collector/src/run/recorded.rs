//! A recording that has ended: its profiles, or why there are none.

use crate::{
    Error, Event, ExitReason, RecordOptions, RecordingSummary,
    drain::manifests::Overlap,
    run::{
        hints::{cut_short, no_jvm_hints, no_record_hints},
        jvm::Jvm,
        output,
        session_dir::SessionDir,
        slice_files::{SharedSliceFiles, locked},
        write::{complete, write},
    },
};
use jfathom_compare::merge;
use jfathom_profile::Profile;
use std::time::Duration;

/// A recording that has ended.
pub(crate) struct Ended {
    pub exit: ExitReason,
    pub asked_to_end: Option<u8>,
    pub jvms: Vec<Jvm>,
    pub overlap: Option<Overlap>,
    pub elapsed: Duration,
    pub slices: Option<SharedSliceFiles>,
}

/// A recording that has profiles.
pub(crate) struct Recorded {
    pub exit: ExitReason,
    /// The first signal that asked programs to end.
    pub asked_to_end: Option<u8>,
    /// One for each JVM whose records could be read, oldest first.
    pub profiles: Vec<Profile>,
    pub jvms: usize,
    pub records: u64,
    pub elapsed: Duration,
    /// The files of earlier slices; none if the recording is one profile.
    pub slices: Option<SharedSliceFiles>,
}

/// The profiles of a recording that has ended.
///
/// # Errors
/// Fails if no JVM has joined, if none has recorded anything, or if ids mean two methods.
pub(crate) fn recorded(
    options: &RecordOptions,
    dir: &SessionDir,
    ended: Ended,
    events: &mut dyn FnMut(Event),
) -> Result<Recorded, Error> {
    let Ended { exit, asked_to_end, mut jvms, overlap, elapsed, slices } = ended;
    if let Some(Overlap { first, second }) = overlap {
        return Err(Error::IdsOverlap { exit, first, second });
    }
    let joined = jvms.len();
    if joined == 0 {
        let hints = cut_short(options, asked_to_end)
            .into_iter()
            .chain(no_jvm_hints(options, dir))
            .collect();
        return Err(Error::NoJvm { exit, hints });
    }
    let lost = jvms.iter().filter(|jvm| jvm.is_lost()).count() as u64;
    jvms.iter_mut().for_each(|jvm| jvm.note_slices(&mut |note| events(Event::Note(note))));
    let mut profiles: Vec<Profile> = jvms.into_iter().filter_map(Jvm::into_profile).collect();
    profiles
        .sort_by_key(|profile| profile.meta.jvms.first().map(|jvm| (jvm.start_millis, jvm.pid)));
    if let Some(first) = profiles.first_mut() {
        first.quality.lost_jvms += lost;
    }
    let records = profiles.iter().map(|profile| profile.quality.records).sum();
    let silent = profiles
        .iter()
        .all(|profile| profile.quality.records == 0 && profile.quality.virtual_calls == 0);
    let has_slices = slices.as_ref().is_some_and(|files| locked(files).has_records());
    if lost > 0 && has_slices {
        events(Event::Note(format!(
            "the records of {lost} JVMs could not be read to their end: a last slice is missing"
        )));
    }
    if silent && !has_slices {
        let hints = cut_short(options, asked_to_end)
            .into_iter()
            .chain(no_record_hints(&profiles, dir))
            .collect();
        return Err(Error::NoRecord { exit, jvms: joined, hints });
    }
    dir.failures().into_iter().for_each(|failure| events(Event::Note(failure)));
    complete(options, &mut profiles);
    Ok(Recorded { exit, asked_to_end, profiles, jvms: joined, records, elapsed, slices })
}

/// Writes the profiles of a recording.
pub(crate) fn results(
    options: &RecordOptions,
    dir: &SessionDir,
    recorded: Recorded,
    events: &mut dyn FnMut(Event),
) -> Result<RecordingSummary, Error> {
    let Recorded { exit, profiles, jvms, records, elapsed, slices, .. } = recorded;
    let mut total = records;
    let written = if let Some(files) = slices {
        let mut files = locked(&files);
        for profile in profiles {
            files.add_last(profile).into_iter().for_each(|note| events(Event::Note(note)));
        }
        if files.has_kept() {
            let lost = files.leave_kept();
            if lost > 0 {
                events(Event::Note(format!(
                    "{lost} slices are lost: the session directory has no space for them either"
                )));
            }
            let source = std::io::Error::other("the last slices could not be written");
            let (path, kept) = (options.output.clone(), Some(dir.path().to_owned()));
            return Err(Error::Output { path, cause: source, kept, exit: Some(exit) });
        }
        total = files.records();
        files.paths()
    } else if options.per_jvm {
        // A JVM without a record gets no profile.
        let (with, without): (Vec<_>, Vec<_>) = profiles
            .into_iter()
            .partition(|profile| profile.quality.records > 0 || profile.quality.virtual_calls > 0);
        if !without.is_empty() {
            events(Event::Note(format!(
                "{} JVMs have recorded nothing and get no profile",
                without.len()
            )));
        }
        let file = |profile: &Profile| {
            output::of_jvm(&options.output, profile.meta.jvms.first().map_or(0, |jvm| jvm.pid))
        };
        with.iter()
            .map(|profile| write(profile, file(profile), options.force, dir, Some(exit)))
            .collect::<Result<_, _>>()?
    } else {
        warn_merged(&profiles, events);
        let merged = merge(profiles).into_iter();
        merged
            .map(|profile| write(&profile, options.output.clone(), options.force, dir, Some(exit)))
            .collect::<Result<_, _>>()?
    };
    Ok(RecordingSummary { exit, runs: 1, profiles: written, jvms, records: total, elapsed })
}

/// Tells the user that several JVMs have one profile.
fn warn_merged(profiles: &[Profile], events: &mut dyn FnMut(Event)) {
    if profiles.len() > 1 {
        events(Event::Note(format!(
            "the records of {} JVMs are added up in one profile; -o with %p in the name keeps them apart",
            profiles.len()
        )));
    }
}
