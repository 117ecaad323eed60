//! One recording: what must hold before it, and its session directory.

use crate::{
    AnchorChoice, Error, Event, JavaCommand, LiveTarget, ManifestSource, RecordOptions,
    RecordingSummary, SideOptions,
    epoch::millis,
    jfr::companion::lacks_jfr,
    program::{
        java_launcher::{java_version, unfit_for_agents},
        signals::Signals,
    },
    run::{output, recorded, recording::record_session, runs, session_dir::SessionDir},
};
use jfathom_session::{JvmProcess, has_same_files};
use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The oldest Java that the runtime's classes run on.
const OLDEST_JAVA: u32 = 11;

/// Records a command, once or in a series of runs, or a JVM that runs already.
pub(crate) fn run(
    options: &RecordOptions,
    source: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
) -> Result<RecordingSummary, Error> {
    let dir = match options.live.as_ref().map(|live| live.jvms) {
        // The agent has made it, and no one else removes it if there is no recording.
        Some(LiveTarget::Joined(_)) => Some(session_dir(options)?),
        _ => None,
    };
    let mut signals = match check(options).and_then(|()| take_signals()) {
        Ok(signals) => signals,
        Err(error) => {
            if let Some(dir) = dir {
                dir.remove();
            }
            return Err(error);
        }
    };
    if options.anchor != AnchorChoice::Never || options.runs > 1 {
        let outcomes =
            runs::run(&[SideOptions { options, manifests: source }], events, &mut signals)?;
        return outcomes.into_iter().next().ok_or(Error::NoCommand);
    }
    let dir = match dir {
        Some(dir) => dir,
        None => session_dir(options)?,
    };
    let result = record_session(options, source, events, &mut signals, &dir)
        .and_then(|recorded| recorded::results(options, &dir, recorded, events));
    dir.end(options, result.as_ref().err(), events);
    result
}

/// Interleaved runs of two commands.
pub(crate) fn run_interleaved(
    sides: [SideOptions<'_>; 2],
    events: &mut dyn FnMut(Event),
) -> Result<[RecordingSummary; 2], Error> {
    let [base, new] = sides.map(|side| side.options);
    if output::are_one(&base.output, &new.output) {
        return Err(Error::OneOutput(base.output.clone()));
    }
    check(base).and_then(|()| check(new))?;
    let outcomes = runs::run(&sides, events, &mut take_signals()?)?;
    <[RecordingSummary; 2]>::try_from(outcomes).map_err(|_| Error::NoCommand)
}

/// Checks that the profile can be written and that the command's JVM can be recorded.
fn check(options: &RecordOptions) -> Result<(), Error> {
    if let Some(slices) = &options.slices {
        let first = slices.pattern.path(millis(SystemTime::now()), 0, 0);
        output::check(&first, options.force)?;
    } else if options.per_jvm {
        output::check(&output::of_jvm(&options.output, 0), true)?;
    } else {
        output::check(&options.output, options.force)?;
    }
    if options.metrics.cpu && !options.metrics.thread_clock {
        jfathom_switches::check().map_err(Error::Switches)?;
    }
    let Some(program) = options.command.first().filter(|program| JavaCommand::is_java(program))
    else {
        return Ok(());
    };
    let path = std::env::var_os("PATH");
    let java = || PathBuf::from(program);
    if let Some(version) = java_version(program, path.as_deref())
        && version < OLDEST_JAVA
    {
        return Err(Error::JvmTooOld { java: java(), version });
    }
    if let Some(why) = lacks_jfr(&options.command).filter(|_| !options.jfr.is_empty()) {
        return Err(Error::NoJfr { java: java(), why });
    }
    match unfit_for_agents(program, path.as_deref()).filter(|_| options.live.is_some()) {
        Some(why) => Err(Error::JvmUnfit { java: java(), why }),
        None => Ok(()),
    }
}

fn take_signals() -> Result<Signals, Error> {
    jfathom_trace::guard_mappings();
    Signals::take().map_err(|e| Error::System("taking signals", e))
}

/// The directory of a recording that runs its command once.
fn session_dir(options: &RecordOptions) -> Result<SessionDir, Error> {
    let asked = options.session_dir.as_deref();
    match options.live.as_ref().map(|live| live.jvms) {
        Some(LiveTarget::Joined(_)) => SessionDir::adopt(asked.unwrap_or(Path::new(""))),
        Some(LiveTarget::Running(pid)) if asked.is_none() && !has_same_files(pid) => {
            // Checks the owner first: nothing is left in another user's container.
            JvmProcess::find(pid)?;
            SessionDir::inside(pid)
        }
        _ => SessionDir::make(asked),
    }
}
