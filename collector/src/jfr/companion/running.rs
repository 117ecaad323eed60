//! JFR in a JVM that runs already, by the JVM's own diagnostic commands.

use super::{MAX_BYTES, NAME, SETTINGS_FILE, STACK_DEPTH, file};
use crate::attach::{AttachError, diagnose};
use jfathom_session::JvmProcess;
use std::path::{Path, PathBuf};

/// What JFR answers when it records.
const STARTED: &str = "Started recording";
/// What a JVM answers to all commands for JFR if a flag turns it off, if it is without the module,
/// and if it is without the commands. Nothing has changed in it then.
const NO_JFR: [&str; 3] = ["is disabled", "Module jdk.jfr not found", "Unknown diagnostic command"];
/// Where it shows how many frames it takes.
const DEPTH: &str = "Stack depth:";

/// A recording in a JVM that goes on. It must be ended by [`RunningCompanion::end`].
#[derive(Debug)]
pub(crate) struct RunningCompanion {
    jvm: JvmProcess,
    file: PathBuf,
    /// How many frames the JVM took before; none if JFR did not run.
    depth: Option<u32>,
}

impl RunningCompanion {
    /// Begins a recording with the settings in a session directory, `dir` as the JVM sees it.
    ///
    /// # Errors
    /// Fails if the JVM does not answer, or has no JFR.
    pub(crate) fn begin(jvm: &JvmProcess, dir: &Path) -> Result<Self, AttachError> {
        let text = diagnose(jvm, "JFR.check")?;
        if NO_JFR.iter().any(|said| text.contains(said)) {
            let text = text.trim().lines().next().unwrap_or_default().trim_end_matches('.');
            return Err(AttachError::NoJfr { pid: jvm.pid(), text: text.to_owned() });
        }
        // One that a killed collector has left. No other session can be there beside this one.
        _ = diagnose(jvm, &format!("JFR.stop name={NAME}"))?;
        let depth = diagnose(jvm, "JFR.configure")?;
        let depth = depth.lines().find_map(|line| line.trim().strip_prefix(DEPTH));
        let depth = depth.and_then(|number| number.trim().parse().ok());
        if depth != Some(STACK_DEPTH) {
            _ = diagnose(jvm, &format!("JFR.configure stackdepth={STACK_DEPTH}"))?;
        }
        let file = dir.join(file::name(u64::from(jvm.inner_pid())));
        let answer = diagnose(
            jvm,
            &format!(
                "JFR.start name={NAME} settings={} filename={} maxsize={}m dumponexit=true",
                dir.join(SETTINGS_FILE).display(),
                file.display(),
                MAX_BYTES >> 20
            ),
        )?;
        if !answer.contains(STARTED) {
            let text = format!("JFR does not record: {}", answer.trim());
            return Err(AttachError::Answer(jvm.pid(), text));
        }
        Ok(Self { jvm: jvm.clone(), file, depth })
    }

    /// Ends the recording, whose file is in the session directory then. A JVM that has ended has
    /// written it before.
    ///
    /// # Errors
    /// Fails if the JVM does not answer.
    pub(crate) fn end(self) -> Result<(), AttachError> {
        let Self { jvm, file, depth } = self;
        diagnose(&jvm, &format!("JFR.stop name={NAME} filename={}", file.display()))?;
        if let Some(depth) = depth.filter(|depth| *depth != STACK_DEPTH) {
            diagnose(&jvm, &format!("JFR.configure stackdepth={depth}"))?;
        }
        Ok(())
    }
}
