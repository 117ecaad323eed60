//! `jfathom calibrate --fit`: constants of this machine, JVM and clock, from programs of our own.

use super::{Args, programs::Programs};
use crate::{failure::context, out, output::to_output};
use anyhow::{Context, Result, bail};
use jfathom_calibration::{FitProgram, fit_constants};
use jfathom_collector::keep_constants;
use jfathom_report::{fit_text, number::seconds};
use jfathom_runtime_java::TOOL_FIT_PROGRAMS;
use jfathom_session::configuration_directory;
use std::{
    ffi::OsString,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant, SystemTime},
};

/// Variants of each program.
const VARIANTS: u32 = 3;
/// No further program begins after this time. One takes about five seconds.
const LONGEST: Duration = Duration::from_secs(280);

/// Runs the programs, fits, and keeps the constants.
pub(super) fn run(
    java: &Path,
    args: &Args,
    folder: &Path,
    run_words: &dyn Fn(Vec<OsString>) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let directory = configuration_directory()
        .context("neither XDG_CONFIG_HOME nor HOME is an absolute path to keep constants below")?;
    let programs = Programs::new(java, args.clock, folder, run_words)?;
    let begun = Instant::now();
    let mut measured: Vec<FitProgram> = Vec::new();
    let all = VARIANTS * TOOL_FIT_PROGRAMS;
    for number in 0..all {
        if begun.elapsed() > LONGEST {
            break;
        }
        if out::is_terminal() {
            out::show_status(&format!(
                "{}  program {} of {all}, plain and recorded",
                seconds(begun.elapsed()),
                number + 1
            ));
        }
        // Neighbours are of different programs.
        let found = programs.measure(number % TOOL_FIT_PROGRAMS, number / TOOL_FIT_PROGRAMS);
        if out::is_terminal() {
            out::erase_status();
        }
        measured.push(found?);
    }
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_millis();
    let constants = match fit_constants(&measured, u64::try_from(now).unwrap_or(u64::MAX)) {
        Ok(constants) => constants,
        Err(why) => bail!("the fit is refused, and nothing is kept: {why}"),
    };
    let Some(FitProgram { profile, .. }) = measured.first() else { bail!("no program") };
    let file = keep_constants(&directory, profile, &constants)
        .map_err(|error| context(error, &directory, "cannot keep constants in"))?;
    to_output(None, |out| fit_text(profile, &constants, begun.elapsed(), &file, out))?;
    Ok(ExitCode::SUCCESS)
}
