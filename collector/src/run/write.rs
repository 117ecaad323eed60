//! One profile: completed by what is known of its recording, and written to its file.

use crate::{
    Error, ExitReason, RecordOptions,
    run::{
        calibration_history, jvm_profile::write_profile, output, rule_notices,
        session_dir::SessionDir,
    },
};
use jfathom_files::output::Output;
use jfathom_profile::{CallKind, Profile};
use std::path::PathBuf;

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
