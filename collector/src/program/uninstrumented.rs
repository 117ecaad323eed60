//! Runs of a command as it is, with nothing of a recording in its JVMs.

use crate::{
    Error, ExitReason,
    program::{
        command::{ENV_TOOL_OPTIONS, Running, tool_options, with_flags},
        signals::Signals,
    },
};
use jfathom_session::names;
use std::{ffi::OsString, process::Command, thread::sleep, time::Duration};

/// Time between two looks at the command.
const PAUSE: Duration = Duration::from_millis(10);

/// A command that runs without probes.
#[derive(Clone, Debug, Default)]
pub struct UninstrumentedCommand {
    /// Its words.
    pub command: Vec<OsString>,
    /// Further JVM flags.
    pub jvm_flags: Vec<String>,
    /// Whether they go through `JAVA_TOOL_OPTIONS`, instead of into the arguments of `java`.
    pub via_env: bool,
}

/// How a series of runs ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UninstrumentedEnd {
    /// How the last run ended.
    pub exit: ExitReason,
    /// Whole runs that ended with code 0.
    pub runs: u32,
    /// Whether the user ended it.
    pub is_interrupted: bool,
}

/// Variables that a recording sets, and that would begin a session in rewritten classes.
const FOREIGN: [&str; 7] = [
    names::ENV_SESSION,
    names::ENV_LIVE_SESSION,
    names::ENV_RING_BYTES,
    names::ENV_SAMPLE_ROOTS,
    names::ENV_CLOCK,
    names::ENV_CALIBRATE,
    names::ENV_IDS,
];

/// Runs a command `runs` times, one after another; `command` gives that of each run, from 1. It has
/// the streams of this process, and gets its signals. The first run that fails is the last one, and
/// so is one in which the user asks for the end.
///
/// # Errors
/// Fails if the command cannot be started.
pub fn run_uninstrumented(
    runs: u32,
    command: &dyn Fn(u32) -> UninstrumentedCommand,
) -> Result<UninstrumentedEnd, Error> {
    let mut signals = Signals::take().map_err(|e| Error::System("taking signals", e))?;
    let mut end = UninstrumentedEnd { exit: ExitReason::Code(0), runs: 0, is_interrupted: false };
    for run in 1..=runs {
        let mut running = start(&command(run))?;
        end.exit = loop {
            let ended = running.poll()?;
            for signal in signals.arrived() {
                running.pass_on(signal);
                end.is_interrupted |= signal.is_termination();
            }
            match ended {
                Some(exit) => break exit,
                None => sleep(PAUSE),
            }
        };
        if end.exit.code() != 0 {
            break;
        }
        end.runs += 1;
        if end.is_interrupted {
            break;
        }
    }
    Ok(end)
}

fn start(options: &UninstrumentedCommand) -> Result<Running, Error> {
    let UninstrumentedCommand { command, jvm_flags, via_env } = options;
    let arguments = match via_env {
        true => command.clone(),
        false => with_flags(command, jvm_flags),
    };
    let (program, rest) = arguments.split_first().ok_or(Error::NoCommand)?;
    let mut command = Command::new(program);
    command.args(rest);
    FOREIGN.iter().for_each(|name| {
        command.env_remove(name);
    });
    if *via_env {
        let old = std::env::var_os(ENV_TOOL_OPTIONS);
        command.env(ENV_TOOL_OPTIONS, tool_options(old, jvm_flags));
    }
    Running::spawn(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(script: &str) -> UninstrumentedEnd {
        let command = |run: u32| UninstrumentedCommand {
            command: vec!["sh".into(), "-c".into(), script.replace("RUN", &run.to_string()).into()],
            ..UninstrumentedCommand::default()
        };
        run_uninstrumented(3, &command).unwrap()
    }

    #[test]
    fn the_first_run_that_fails_is_the_last() {
        let all = end("true");
        assert_eq!((all.exit, all.runs, all.is_interrupted), (ExitReason::Code(0), 3, false));
        let some = end("test RUN -lt 2 || exit 7");
        assert_eq!((some.exit, some.runs), (ExitReason::Code(7), 1));
        let none = run_uninstrumented(1, &|_| UninstrumentedCommand::default());
        assert!(matches!(none, Err(Error::NoCommand)));
    }

    #[test]
    fn nothing_of_a_recording_is_in_the_environment() {
        let script = FOREIGN.map(|name| format!("test -z \"${name}\"")).join(" && ");
        assert_eq!(end(&script).exit, ExitReason::Code(0));
        let flags = UninstrumentedCommand {
            command: vec![
                "sh".into(),
                "-c".into(),
                "case $JAVA_TOOL_OPTIONS in *-Xa) ;; *) exit 1; esac".into(),
            ],
            jvm_flags: vec!["-Xa".to_owned()],
            via_env: true,
        };
        assert_eq!(run_uninstrumented(1, &|_| flags.clone()).unwrap().runs, 1);
    }
}
