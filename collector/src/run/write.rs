//! The profiles of a recording, written to files; or why there are none.

use crate::{
    Error, Event, ExitReason, RecordOptions, RecordingSummary,
    drain::manifests::Overlap,
    run::{
        calibration_history,
        jvm::Jvm,
        jvm_profile::write_profile,
        output, rule_notices,
        session_dir::SessionDir,
        slice_files::{SharedSliceFiles, locked},
    },
};
use jfathom_compare::merge;
use jfathom_files::output::Output;
use jfathom_profile::{CallKind, Profile};
use rustix::process::{Resource, getrlimit};
use std::{
    ffi::OsString,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

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

/// Gives profiles what is known of the recording and of this machine.
pub(crate) fn complete(options: &RecordOptions, profiles: &mut [Profile]) {
    if options.roots_only {
        profiles.iter_mut().for_each(note_roots_only);
        if options.live.is_some() || options.replacement_command().is_some() {
            // No other method has a probe, so there is no cost of methods that are off.
            let jvms = profiles.iter_mut().flat_map(|profile| &mut profile.meta.jvms);
            jvms.for_each(|jvm| {
                jvm.calibrations.retain(|calibration| calibration.kind != CallKind::Off)
            });
        }
    }
    for profile in profiles.iter_mut() {
        profile.meta.size = options.size;
        profile.meta.notices.extend(options.notices.iter().cloned());
        rule_notices::add(profile, &options.count.rules);
    }
    if let Some(cache) = &options.calibration_history {
        calibration_history::compare(cache, profiles);
    }
}

/// Notes in a profile that it is of a roots-only run, and which other methods were timed.
fn note_roots_only(profile: &mut Profile) {
    let others =
        profile.methods.iter().filter(|method| !method.info.root && method.calls() > 0).count();
    profile.meta.jvms.iter_mut().for_each(|jvm| jvm.roots_only = true);
    let notices = &mut profile.meta.notices;
    notices.push(
        "only the roots were timed (--probe '**=off'): the time in them is that of all that they call"
            .to_owned(),
    );
    if others > 0 {
        notices.push(format!(
            "{others} methods that are no roots were recorded: their files were not known before the program ran; name \
             them with --rewritten"
        ));
    }
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
pub(crate) fn warn_merged(profiles: &[Profile], events: &mut dyn FnMut(Event)) {
    if profiles.len() > 1 {
        events(Event::Note(format!(
            "the records of {} JVMs are added up in one profile; -o with %p in the name keeps them apart",
            profiles.len()
        )));
    }
}

/// Writes one profile. If that fails, its sources stay in `dir`.
///
/// # Errors
/// Fails if the file cannot be written. A profile that is there is kept as `.old` unless `force` is
/// set; without it another file is an error.
pub(crate) fn write(
    profile: &Profile,
    path: PathBuf,
    force: bool,
    dir: &SessionDir,
    exit: Option<ExitReason>,
) -> Result<PathBuf, Error> {
    let kept = || Some(dir.path().to_owned());
    let written = Output::find(&path).and_then(|output| match force {
        true => output.write(0o666, |file| write_profile(profile, file)),
        false => {
            output.write_keeping(0o666, output::is_profile, |file| write_profile(profile, file))
        }
    });
    match written {
        Ok(()) => Ok(path),
        Err(source) => Err(Error::Output { path, cause: source, kept: kept(), exit }),
    }
}

/// Free bytes below which a JVM may have had no space for its file or a ring.
const LITTLE: u64 = 4 << 20;

fn space_hint(dir: &SessionDir) -> Option<String> {
    if let Some(limit) = getrlimit(Resource::Fsize).current {
        return Some(format!(
            "files may have only {} KiB, which the JVM heeds, too: raise the limit (`ulimit -f unlimited`)",
            limit >> 10
        ));
    }
    let free = dir.free_bytes().filter(|free| *free < LITTLE)?;
    let path: &Path = dir.path();
    Some(format!(
        "the session directory's file system has only {} KiB left ({}); name another one with --tune session=DIR",
        free >> 10,
        path.display()
    ))
}

/// The hint that a signal has ended the command: nothing else need be wrong. None for a live
/// session, which often ends by a signal.
fn cut_short(options: &RecordOptions, asked_to_end: Option<u8>) -> Option<String> {
    let signal = asked_to_end.filter(|_| options.live.is_none())?;
    Some(format!("signal {signal} has ended it before that"))
}

fn no_jvm_hints(options: &RecordOptions, dir: &SessionDir) -> Vec<String> {
    let mut hints: Vec<String> = dir.failures();
    hints.extend(space_hint(dir));
    if options.live.is_some() {
        if hints.is_empty() {
            hints.push(
                "the JVM has not loaded the agent: it ended before, or got no flag (`--use-java-tool-options` reaches it)".to_owned(),
            );
            hints.push(
                "the JVM is older than Java 11, is not HotSpot, or its C library is musl"
                    .to_owned(),
            );
            hints.extend(launcher_hints(options, "JAVA_TOOL_OPTIONS"));
        }
        return hints;
    }
    hints.push(
        "what ran was not rewritten: `jfathom inspect` shows what is in a jar, and `java -cp` must name the rewritten ones"
            .to_owned(),
    );
    hints.push("no rewritten class was used before the program ended".to_owned());
    let has_manager = |word: &OsString| word.as_bytes().starts_with(b"-Djava.security.manager");
    if options.command.iter().any(has_manager) {
        hints.push(
            "a security manager runs: its policy must grant the rewritten classes \
             java.security.AllPermission; `jfathom record --root …` needs no such grant"
                .to_owned(),
        );
    }
    hints.push(
        "to record jars as they are, name what is to be recorded: `jfathom record --root com.acme.Main::main -- …`"
            .to_owned(),
    );
    let launcher = launcher_hints(options, "JFATHOM_SESSION");
    if !launcher.is_empty() {
        hints.extend(launcher);
        hints.push("the JVM that it starts is older than Java 11".to_owned());
    }
    hints
}

/// What may keep a JVM from joining that the command does not start itself, or not with `variable`
/// of its environment. None for `java`.
fn launcher_hints(options: &RecordOptions, variable: &str) -> Vec<String> {
    match options.command.first() {
        Some(command) if !crate::JavaCommand::is_java(command) => vec![
            format!(
                "the command does not pass its environment on ({variable}), or runs the JVM as another user or in a \
                 container"
            ),
            "the command hands its work to a JVM that ran before, such as a build daemon: end that first".to_owned(),
        ],
        _ => Vec::new(),
    }
}

fn no_record_hints(profiles: &[Profile], dir: &SessionDir) -> Vec<String> {
    let mut hints: Vec<String> = dir.failures();
    if profiles.is_empty() && !hints.is_empty() {
        return hints;
    }
    hints.extend(space_hint(dir));
    let sum = |field: fn(&jfathom_profile::Quality) -> u64| {
        profiles.iter().map(|p| field(&p.quality)).sum::<u64>()
    };
    if sum(|q| q.lost_rings) > 0 && hints.is_empty() {
        hints.push("there was no room for the threads' rings".to_owned());
    }
    if sum(|q| q.outside_span) > 0 {
        hints.push(
            "methods were called for which the session had no room: name the rewritten directory with --rewritten"
                .to_owned(),
        );
    }
    let live: Vec<_> = profiles
        .iter()
        .flat_map(|profile| &profile.meta.jvms)
        .filter_map(|jvm| jvm.live.as_ref())
        .collect();
    if !live.is_empty() {
        let roots = || live.iter().flat_map(|live| &live.roots);
        for root in roots().filter(|root| root.live_at.is_some()) {
            let name = root.method.as_ref().unwrap_or(&root.selector);
            hints.push(format!(
                "{name} was live and not called, or was running all the time: it is recorded from its next call"
            ));
        }
        // The agent has noted more about the others: similar names.
        let noted: Vec<&String> =
            profiles.iter().flat_map(|profile| &profile.meta.notices).collect();
        for root in roots().filter(|root| root.live_at.is_none()) {
            if !noted.iter().any(|notice| notice.contains(&root.selector)) {
                hints.push(format!("{}: no method that it selects was ever loaded", root.selector));
            }
        }
    } else if profiles.iter().flat_map(|profile| &profile.meta.jvms).any(|jvm| jvm.has_roots) {
        hints.push(
            "no root method was entered: only what runs inside a root is recorded".to_owned(),
        );
    } else if hints.is_empty() && !profiles.is_empty() {
        // A JVM without a profile has been named with its reason.
        hints.push("no instrumented method was called: `jfathom inspect` lists them".to_owned());
    }
    hints.extend(profiles.iter().flat_map(|profile| profile.meta.notices.iter().cloned()));
    hints
}
