//! `jfathom calibrate`: the probe costs of a JVM on this machine.

use crate::{
    failure::{context, usage},
    manifests::Manifests,
    output::to_output,
    profile_file, record,
};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jfathom_calibration::CalibrationSummary;
use jfathom_collector::{Error, Event, RecordOptions};
use jfathom_profile::Profile;
use jfathom_report::{calibration_json, calibration_text};
use jfathom_runtime_java::{TOOL_CLASSES, TOOL_IDLE};
use jfathom_session::ClockChoice;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// JVMs that are measured.
const JVMS: u32 = 3;

/// Measure the probe costs, as `record` does in each JVM
///
/// Measures in three JVMs one after another, each at its start and at its end, with the JVM flags
/// that `record` adds. On a busy machine the costs differ between JVMs; the last column shows by
/// how much.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom calibrate\n  \
    jfathom calibrate /usr/lib/jvm/temurin-25-jdk-amd64 --json")]
pub(crate) struct Args {
    /// The Java to measure: its home, or its launcher [default: `java` on the path]
    #[arg(value_name = "JAVA")]
    java: Option<PathBuf>,
    /// The clock to use
    #[arg(long, value_name = "CLOCK", default_value = "auto", value_parser = clock_choice())]
    clock: ClockChoice,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// The names of the clocks.
fn clock_choice() -> impl TypedValueParser<Value = ClockChoice> {
    PossibleValuesParser::new(ClockChoice::ALL.map(ClockChoice::as_str))
        .try_map(|name| name.parse::<ClockChoice>())
}

/// Runs the command; `run_words` runs another command line of this program.
pub(crate) fn run(
    args: &Args,
    run_words: &dyn Fn(Vec<OsString>) -> Result<ExitCode>,
) -> Result<ExitCode> {
    let java = match &args.java {
        None => PathBuf::from("java"),
        Some(home) if home.is_dir() => home.join("bin/java"),
        // The launcher itself is as good as its home.
        Some(java) => java.clone(),
    };
    if java.file_name().is_none_or(|name| name != "java") {
        return Err(usage(format!("{}: has no bin/java", java.display())));
    }
    let folder = tempfile::Builder::new().prefix("jfathom-calibrate-").tempdir();
    let folder = folder
        .map_err(|error| context(error, &std::env::temp_dir(), "cannot create a directory in"))?;
    let profile = recorded(&java, args.clock, folder.path(), run_words)?;
    let Some(summary) = CalibrationSummary::from_profile(&profile) else {
        let mut why = profile.meta.notices.clone();
        why.insert(0, format!("{}: no JVM finished its calibration", java.display()));
        bail!("{}", why.join("; "));
    };
    to_output(None, |out| match args.json {
        true => calibration_json(&profile, &summary, out),
        false => calibration_text(&profile, &summary, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The recording of a program that does nothing.
fn recorded(
    java: &Path,
    clock: ClockChoice,
    folder: &Path,
    run_words: &dyn Fn(Vec<OsString>) -> Result<ExitCode>,
) -> Result<Profile> {
    let [plain, out, output] = ["idle", "out", "idle.jfp"].map(|name| folder.join(name));
    write_idle(&plain)?;
    let words: [OsString; 6] = [
        "jfathom".into(),
        "rewrite".into(),
        "-q".into(),
        plain.into_os_string(),
        "-o".into(),
        out.clone().into(),
    ];
    if run_words(words.into())? != ExitCode::SUCCESS {
        bail!("{TOOL_IDLE}: cannot be rewritten");
    }
    let command: Vec<OsString> =
        vec![java.into(), "-cp".into(), out.join("idle").into(), TOOL_IDLE.into()];
    let options = RecordOptions {
        output: output.clone(),
        runs: JVMS,
        ..record::calibrating(command, clock)?
    };
    let mut notes = Vec::new();
    let result = jfathom_collector::record(&options, &Manifests::default(), &mut |event| {
        if let Event::Note(note) = event {
            notes.push(note);
        }
    });
    match result {
        Ok(outcome) if outcome.exit.code() == 0 => profile_file::read(&output),
        Ok(outcome) => bail!("{}: {}", java.display(), outcome.exit),
        Err(Error::CommandNotFound(java)) => bail!(
            "{}: command not found; put the `java` to measure on the PATH, or name its home, such \
             as /usr/lib/jvm/java-17-openjdk-amd64",
            java.display()
        ),
        Err(error) => {
            notes.insert(0, error.to_string());
            bail!("{}", notes.join("; "))
        }
    }
}

/// Writes the program that does nothing.
fn write_idle(folder: &Path) -> Result<()> {
    let begin = TOOL_IDLE.replace('.', "/");
    for (name, bytes) in TOOL_CLASSES.iter().filter(|(name, _)| name.starts_with(&begin)) {
        let file = folder.join(name);
        let parent = file.parent().unwrap_or(folder);
        jfathom_files::create_directories(parent, 0o777)
            .map_err(|error| context(error, parent, "cannot create"))?;
        jfathom_files::write(&file, bytes)
            .map_err(|error| context(error, &file, "cannot write"))?;
    }
    Ok(())
}
