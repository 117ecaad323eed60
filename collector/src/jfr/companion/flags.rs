//! JFR from a JVM's start on.

use super::{JfrEvents, MAX_BYTES, NAME, SETTINGS_FILE, STACK_DEPTH};
use crate::{
    Error, JavaCommand, JvmArchives,
    program::java_launcher::{java_version, unfit_for_agents},
};
use jfathom_session::JfrStart;
use std::{
    ffi::{OsStr, OsString},
    ops::Range,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Whether JFR can be told a path: its options have commas between them, and no quotes.
pub fn is_jfr_path(path: &Path) -> bool {
    !path.as_os_str().as_bytes().iter().any(|byte| b",=\"' \t\n".contains(byte))
}

/// So that a sampled stack has all calls that the compiler inlined. Without these flags compiled
/// code has them at safepoints alone, and a thread between two of them seems to be at the next one.
pub(crate) const INLINED_CALLS: [&str; 2] =
    ["-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"];

/// Java versions whose flag for JFR prints lines into the program's standard output (JDK-8244190).
const PRINTING: Range<u32> = 11..17;

/// The first Java whose flags for JFR add its module to those that an archive of classes must have
/// been made with.
const ADDS_MODULE: u32 = 19;

/// What the agent does in place of JFR's flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JfrAgentTask {
    /// It starts JFR, whose own flag would print.
    Start,
    /// It also sets JFR's options. No flag of JFR's is there.
    StartWithOptions,
}

/// The agent's library, which starts JFR in a JVM.
#[derive(Clone, Debug)]
pub struct JfrAgent {
    /// Where it is.
    pub library: PathBuf,
    /// What it does.
    pub task: JfrAgentTask,
}

/// What the agent is to do in the JVM of a command that is a `java`; none if JFR's flags do it all.
/// `path` is the value of `PATH`.
pub fn jfr_agent_task(
    command: &[OsString],
    path: Option<&OsStr>,
    archives: &JvmArchives,
) -> Option<JfrAgentTask> {
    let program = command.first().filter(|program| JavaCommand::is_java(program))?;
    let version = java_version(program, path)?;
    let task = match archives.are_there() {
        _ if PRINTING.contains(&version) => JfrAgentTask::Start,
        true if version >= ADDS_MODULE => JfrAgentTask::StartWithOptions,
        _ => return None,
    };
    unfit_for_agents(program, path).is_none().then_some(task)
}

/// The JVM flags that record events. [`is_jfr_path`] holds for the paths of `start`. Each JVM makes
/// a file of its own in the directory. `repository` is where JFR keeps what is not in that file so
/// far; none leaves that to it.
pub fn jfr_flags(
    events: &JfrEvents,
    start: &JfrStart,
    agent: Option<&JfrAgent>,
    repository: Option<&Path>,
) -> Vec<String> {
    let inlined = INLINED_CALLS.iter().filter(|_| events.has_stack_samples());
    let mut flags: Vec<String> = inlined.map(|flag| (*flag).to_owned()).collect();
    let repository =
        repository.map_or(String::new(), |path| format!(",repository={}", path.display()));
    let mut start = start.clone();
    match agent.map(|agent| agent.task) {
        Some(JfrAgentTask::StartWithOptions) => start.stack_depth = Some(STACK_DEPTH),
        _ => flags.push(format!("-XX:FlightRecorderOptions=stackdepth={STACK_DEPTH}{repository}")),
    }
    flags.push(match agent {
        Some(JfrAgent { library, .. }) => format!("-agentpath:{}={start}", library.display()),
        None => start_flag(&start),
    });
    // Its notes would stand in the program's output.
    flags.push("-Xlog:jfr*=error".to_owned());
    flags
}

fn start_flag(start: &JfrStart) -> String {
    let JfrStart { settings, directory, name, max_bytes, .. } = start;
    let name = name.as_ref().map_or(String::new(), |name| format!("name={name},"));
    let size = max_bytes.map_or(String::new(), |bytes| format!("maxsize={}m,", bytes >> 20));
    format!(
        "-XX:StartFlightRecording={name}{size}settings={},filename={},dumponexit=true",
        settings.display(),
        directory.display()
    )
}

/// Writes the settings into a session directory.
///
/// # Errors
/// Fails if the file cannot be written, or if JFR could not read the directory's name.
pub(crate) fn write_settings(events: &JfrEvents, dir: &Path) -> Result<(), Error> {
    let error = |what: String| Error::SessionDir { path: dir.to_owned(), what };
    if !is_jfr_path(dir) {
        return Err(error(
            "JFR takes no path with a comma, `=`, quote or blank; name another by --tune session=DIR"
                .to_owned(),
        ));
    }
    jfathom_files::write(&dir.join(SETTINGS_FILE), events.clone().with_clock().settings())
        .map_err(|e| error(e.to_string()))
}

/// The JVM flags that record into a session directory, as [`jfr_flags`] does.
pub(crate) fn flags(
    events: &JfrEvents,
    dir: &Path,
    agent: Option<&JfrAgent>,
    repository: Option<&Path>,
) -> Vec<String> {
    let start = JfrStart {
        settings: dir.join(SETTINGS_FILE),
        directory: dir.to_owned(),
        name: Some(NAME.to_owned()),
        max_bytes: Some(MAX_BYTES),
        stack_depth: None,
    };
    jfr_flags(events, &start, agent, repository)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jfr_is_started_by_a_flag_or_by_the_agent() {
        let flags =
            |agent| flags(&JfrEvents::default(), Path::new("/d"), agent, Some(Path::new("/r")));
        let by_flag = flags(None);
        let flag = "-XX:StartFlightRecording=name=jfathom,maxsize=256m,\
                    settings=/d/companion.jfc,filename=/d,dumponexit=true";
        assert!(by_flag.contains(&flag.to_owned()), "{by_flag:?}");
        let options = "-XX:FlightRecorderOptions=stackdepth=2048,repository=/r";
        assert!(by_flag.contains(&options.to_owned()), "{by_flag:?}");
        let agent = |task| JfrAgent { library: "/l.so".into(), task };
        let start = agent(JfrAgentTask::Start);
        let by_agent = flags(Some(&start));
        let flag = "-agentpath:/l.so=jfr-settings=/d/companion.jfc,jfr-directory=/d,\
                    jfr-name=jfathom,jfr-max-bytes=268435456";
        assert!(by_agent.contains(&flag.to_owned()), "{by_agent:?}");
        assert!(by_agent.iter().all(|flag| !flag.contains("StartFlightRecording")));
        let alone = flags(Some(&agent(JfrAgentTask::StartWithOptions)));
        assert!(alone.contains(&format!("{flag},jfr-stack-depth=2048")), "{alone:?}");
        assert!(alone.iter().all(|flag| !flag.contains("FlightRecorder")));
        let task = |command: &[OsString]| jfr_agent_task(command, None, &JvmArchives::default());
        assert!(task(&["sh".into()]).is_none() && task(&[]).is_none());
    }
}
