//! The recorded command: started inside the session, signalled, waited for.

use crate::{
    Error, ExitReason, JavaCommand, LiveOptions, RecordOptions, RootsOnlyCommand, Wait,
    jfr::companion::{self, INLINED_CALLS},
    program::signals::ReceivedSignals,
};
use jfathom_session::names;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// Read by every JVM: further flags.
pub(crate) const ENV_TOOL_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    exit: Option<ExitReason>,
}

impl Running {
    /// Starts the command of `options` with `session` in its environment.
    pub(crate) fn start(options: &RecordOptions, session: &Path) -> Result<Self, Error> {
        let mut options = options.clone();
        let mut class_path = None;
        if let Some(replacement) = options.replacement_command().cloned() {
            let RootsOnlyCommand { command, class_path: moved, jvm_flags, clock } = replacement;
            options = RecordOptions { command, jvm_flags, clock, ..options };
            class_path = moved;
        }
        if let Some(live) = &options.live {
            let flag = agent_flag(live, session, options.roots_only);
            let error =
                |e: io::Error| Error::SessionDir { path: session.to_owned(), what: e.to_string() };
            options.jvm_flags.push(flag.map_err(error)?);
            if live.options_of(options.roots_only).samples {
                options.jvm_flags.extend(INLINED_CALLS.map(str::to_owned));
            }
        }
        // Roots-only runs measure time: nothing else is asked of them.
        if options.roots_only {
            options.metrics.jfr_clock = false;
            options.metrics.stacks = false;
        } else if !options.jfr.is_empty() {
            companion::write_settings(&options.jfr, session)?;
            // One that is removed while a JVM runs on would end that.
            let repository =
                (options.wait != Wait::NONE).then(|| companion::repository::make(session));
            let (agent, repository) = (options.jfr_agent.as_ref(), repository.flatten());
            let flags = companion::flags(&options.jfr, session, agent, repository.as_deref());
            options.jvm_flags.extend(flags);
        }
        let options = &options;
        let arguments = arguments(options);
        let (program, rest) = arguments.split_first().ok_or(Error::NoCommand)?;
        let mut command = Command::new(program);
        command.args(rest);
        // Classes that were rewritten ahead of time must not begin a session beside the agent's.
        match &options.live {
            Some(_) => command.env_remove(names::ENV_SESSION).env(names::ENV_LIVE_SESSION, session),
            None => command.env(names::ENV_SESSION, session),
        };
        if let Some(class_path) = class_path {
            command.env("CLASSPATH", class_path);
        }
        if let Some(size) = options.ring_size {
            command.env(names::ENV_RING_BYTES, size.to_string());
        }
        if let Some(sampling) = options.sample_roots {
            command.env(names::ENV_SAMPLE_ROOTS, sampling.number().to_string());
        }
        if let Some(clock) = options.clock.requested() {
            command.env(names::ENV_CLOCK, clock);
        }
        let metrics = options.metrics.of_probes();
        if !metrics.is_empty() {
            command.env(names::ENV_METRICS, metrics.join(","));
        }
        let phases = options.calibrate.join(",");
        if !phases.is_empty() {
            command.env(names::ENV_CALIBRATE, phases);
        }
        if let Some(ids) = &options.ids {
            command.env(names::ENV_IDS, ids);
        }
        if options.via_env && !options.jvm_flags.is_empty() {
            command.env(
                ENV_TOOL_OPTIONS,
                tool_options(std::env::var_os(ENV_TOOL_OPTIONS), &options.jvm_flags),
            );
        }
        if options.no_input {
            command.stdin(Stdio::null());
        }
        Self::spawn(command)
    }

    /// Starts a command.
    pub(crate) fn spawn(mut command: Command) -> Result<Self, Error> {
        let child = command.spawn();
        let name = || PathBuf::from(command.get_program());
        match child {
            Ok(child) => Ok(Self { child, exit: None }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Err(not_found(name(), e)),
            Err(e)
                if e.kind() == io::ErrorKind::PermissionDenied
                    || e.raw_os_error() == Some(ENOEXEC) =>
            {
                Err(Error::CommandNotExecutable(name(), e))
            }
            Err(e) => Err(Error::Start(name(), e)),
        }
    }

    /// How it ended; none if it runs.
    ///
    /// # Errors
    /// Fails if the system does not say.
    pub(crate) fn poll(&mut self) -> Result<Option<ExitReason>, Error> {
        if self.exit.is_none() {
            let status =
                self.child.try_wait().map_err(|e| Error::System("waiting for the command", e))?;
            self.exit = status.map(ExitReason::from);
        }
        Ok(self.exit)
    }

    /// Whether it had ended at the last [`Running::poll`].
    pub(crate) fn has_ended(&self) -> bool {
        self.exit.is_some()
    }

    /// Passes a signal on, unless the command has it already or has ended.
    pub(crate) fn pass_on(&self, signal: ReceivedSignals) {
        if self.exit.is_some() || signal.from_terminal {
            return;
        }
        // The child has not been waited for, so its pid still is its own.
        if let (Some(pid), Some(signal)) =
            (Pid::from_raw(self.child.id() as i32), Signal::from_named_raw(signal.number))
        {
            let _ = kill_process(pid, signal);
        }
    }
}

/// The JVM flag that loads the agent.
fn agent_flag(live: &LiveOptions, session: &Path, roots_only: bool) -> io::Result<String> {
    Ok(format!(
        "-agentpath:{}={}",
        live.library.display(),
        live.options_of(roots_only).hand_over(session, session)?
    ))
}

/// "Exec format error" of execve(2): a text file without `#!`, or a binary of another machine.
const ENOEXEC: i32 = 8;

/// The kernel also says "not found" where a script's interpreter or a binary's loader is missing.
fn not_found(program: PathBuf, e: io::Error) -> Error {
    match crate::program::java_launcher::find_program(
        program.as_os_str(),
        std::env::var_os("PATH").as_deref(),
    ) {
        Some(file) if file.is_file() => Error::CommandNotExecutable(file, e),
        _ => Error::CommandNotFound(program),
    }
}

fn arguments(options: &RecordOptions) -> Vec<OsString> {
    let command = match options.command.split_first() {
        Some((java, rest)) if JavaCommand::is_java(java) && !options.last_jvm_flags.is_empty() => {
            let rest = JavaCommand::with_last_flags(rest, &options.last_jvm_flags);
            std::iter::once(java.clone()).chain(rest).collect()
        }
        _ => options.command.clone(),
    };
    if options.via_env {
        return command;
    }
    with_flags(&command, &options.jvm_flags)
}

/// The command with JVM flags, if it is the launcher of a JVM.
pub(crate) fn with_flags(command: &[OsString], flags: &[String]) -> Vec<OsString> {
    let mut arguments = command.to_vec();
    if arguments.first().is_some_and(|command| JavaCommand::is_java(command)) {
        arguments.splice(1..1, flags.iter().map(OsString::from));
    }
    arguments
}

/// `JAVA_TOOL_OPTIONS` with our flags after the user's own.
pub(crate) fn tool_options(old: Option<OsString>, flags: &[String]) -> OsString {
    let mut value = old.unwrap_or_default();
    for flag in flags {
        if !value.is_empty() {
            value.push(" ");
        }
        value.push(quoted(flag));
    }
    value
}

/// A flag as HotSpot reads it in `JAVA_TOOL_OPTIONS`: blanks separate flags, either quote begins a
/// part in which the other quote and blanks stand for themselves, and nothing escapes a quote.
fn quoted(flag: &str) -> String {
    if !flag.contains(|c: char| c.is_whitespace() || c == '"' || c == '\'') {
        return flag.to_owned();
    }
    let parts = flag.split('"').map(|part| match part {
        "" => String::new(),
        part => format!("\"{part}\""),
    });
    parts.collect::<Vec<_>>().join("'\"'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_session::RingSize;
    use jfathom_trace::layout;

    fn options(command: &[&str], flags: &[&str]) -> RecordOptions {
        RecordOptions {
            command: command.iter().map(OsString::from).collect(),
            jvm_flags: flags.iter().map(|&f| f.to_owned()).collect(),
            ..RecordOptions::default()
        }
    }

    #[test]
    fn flags_go_to_the_launcher_alone() {
        let java = options(&["/usr/bin/java", "-jar", "x.jar"], &["--a", "--b"]);
        assert_eq!(arguments(&java), ["/usr/bin/java", "--a", "--b", "-jar", "x.jar"]);
        let script = options(&["gradlew", "run"], &["--a"]);
        assert_eq!(arguments(&script), ["gradlew", "run"]);
        let insist = RecordOptions { via_env: true, ..java };
        assert_eq!(arguments(&insist), ["/usr/bin/java", "-jar", "x.jar"]);
    }

    #[test]
    fn ring_sizes_are_those_of_the_session_file() {
        let limits = layout::RING_BYTES_MIN..=layout::RING_BYTES_MAX;
        assert_eq!(RingSize::LIMITS, limits);
    }

    #[test]
    fn tool_options_keep_the_users_own() {
        let flags =
            ["-Xbootclasspath/a:/a b/x.jar".to_owned(), "--add-reads=m=ALL-UNNAMED".to_owned()];
        assert_eq!(
            tool_options(Some("-Xmx1g".into()), &flags),
            "-Xmx1g \"-Xbootclasspath/a:/a b/x.jar\" --add-reads=m=ALL-UNNAMED"
        );
        assert_eq!(tool_options(None, &flags[1..]), "--add-reads=m=ALL-UNNAMED");
    }

    #[test]
    fn a_jvm_reads_any_flag_in_tool_options_as_it_is() {
        for text in ["a'b", "a\"b", "a b", "\"", "a'\"b \" 'c", "\\ ü", "''", "a\t'"] {
            let flags = [format!("-Dtext={text}")];
            let mut command = Command::new(jfathom_testkit::jdk::main().java());
            command.args(["-XshowSettings:properties", "-version"]);
            let out = command.env(ENV_TOOL_OPTIONS, tool_options(None, &flags)).output().unwrap();
            let out = String::from_utf8_lossy(&out.stderr).into_owned();
            let said = |line: &str| line.trim_start() == format!("text = {text}");
            assert!(out.lines().any(said), "{text:?}: {out}");
        }
    }

    #[test]
    fn commands_that_cannot_be_started() {
        let temp = tempfile::tempdir().unwrap();
        let start =
            |command: &str| Running::start(&options(&[command], &[]), temp.path()).unwrap_err();
        assert!(matches!(start("no-such-command-of-jfathom"), Error::CommandNotFound(_)));
        assert_eq!(start("no-such-command-of-jfathom").exit_code(), 127);
        let file = temp.path().join("file");
        std::fs::write(&file, "#!/no/such/interpreter\n").unwrap();
        assert_eq!(start(file.to_str().unwrap()).exit_code(), 126);
        assert_eq!(start(temp.path().to_str().unwrap()).exit_code(), 126);
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(start(file.to_str().unwrap()).exit_code(), 126);
        assert!(matches!(
            Running::start(&options(&[], &[]), temp.path()).unwrap_err(),
            Error::NoCommand
        ));
    }
}
