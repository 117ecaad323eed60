//! Why a recording could not be made.

use crate::{ExitReason, LacksJfr, attach::AttachError};
use jfathom_plan::shell_words;
use jfathom_session::FindJvmError;
use jfathom_switches::SwitchError;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why there is no profile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no command to run.
    #[error("no command: name it after `--`, as in `jfathom record -- java -jar out/app.jar`")]
    NoCommand,
    /// The profile would replace a file that is no profile of this user, or the `.old` of one that
    /// is, and `force` is not set.
    #[error(
        "{0} exists, and it or {0}.old is no profile of yours; name another file with -o, or \
         replace {0} with --force"
    )]
    OutputExists(PathBuf),
    /// Both of two profiles would be this file.
    #[error("{0} would be the profile of both sides; name two files with -o and --baseline")]
    OneOutput(PathBuf),
    /// A file cannot be written.
    #[error("{}", output(.path, .cause, .kept.as_deref()))]
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
        /// The session directory, if it still holds what was recorded.
        kept: Option<PathBuf>,
        /// How the command ended; none if there was none, or if it runs.
        exit: Option<ExitReason>,
    },
    /// The session directory cannot be made or used.
    #[error("session directory {path}: {what}; another one can be named with --tune session=DIR")]
    SessionDir {
        /// The directory.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// There is no such command.
    #[error("{0}: command not found")]
    CommandNotFound(PathBuf),
    /// The command is no program, or must not be executed.
    #[error("{0}: cannot be executed: {1}")]
    CommandNotExecutable(PathBuf, io::Error),
    /// The command could not be started for another reason.
    #[error("{0}: cannot be started: {1}")]
    Start(PathBuf, io::Error),
    /// The system refused to wait for the command, or to handle signals.
    #[error("{0}: {1}")]
    System(&'static str, io::Error),
    /// The kernel tells no context switches, and they were asked for.
    #[error(
        "--metrics cpu=switches needs the kernel's context switches: {0}; cpu=thread-clock does \
         without"
    )]
    Switches(SwitchError),
    /// The command's JVM cannot run the runtime.
    #[error(
        "{java} is Java {version}, and jfathom needs Java 11 or later; run the command with a \
         newer one"
    )]
    JvmTooOld {
        /// The command.
        java: PathBuf,
        /// Its feature version.
        version: u32,
    },
    /// The command's JVM has no JFR, and what it records was asked for.
    #[error(
        "{java}: {why}, or leave out samples, waits and exceptions of --metrics, and +stack of \
         --probe"
    )]
    NoJfr {
        /// The command.
        java: PathBuf,
        /// Why.
        why: LacksJfr,
    },
    /// The command's JVM cannot load the agent.
    #[error(
        "{java} {why}; rewrite the jars ahead of time (`jfathom rewrite`), and record them with \
         `jfathom record -- …`"
    )]
    JvmUnfit {
        /// The command.
        java: PathBuf,
        /// Why: `is an OpenJ9 JVM, …`.
        why: &'static str,
    },
    /// No JVM has joined the recording.
    #[error("no JVM joined the recording ({exit}){}", list(.hints))]
    NoJvm {
        /// How the command ended.
        exit: ExitReason,
        /// What may be the reason, most likely first.
        hints: Vec<String>,
    },
    /// JVMs have joined, and none has recorded anything.
    #[error(
        "{jvms} JVM{} joined, but no record arrived ({exit}){}",
        if *.jvms == 1 { "" } else { "s" },
        list(.hints)
    )]
    NoRecord {
        /// How the command ended.
        exit: ExitReason,
        /// How many JVMs.
        jvms: usize,
        /// What may be the reason, most likely first.
        hints: Vec<String>,
    },
    /// Two rewritten jars give the same ids to their methods.
    #[error(
        "{first} and {second} give the same ids to different methods, so the recording was ended; \
         rewrite them by one command, into one output directory, or one of them with --id-base"
    )]
    IdsOverlap {
        /// How the command ended.
        exit: ExitReason,
        /// The jar that was seen first, with its ids.
        first: String,
        /// The other one.
        second: String,
    },
    /// Only roots are to be timed, and no root is known.
    #[error("{}", no_root(*.files))]
    NoRoot {
        /// The number of rewritten files that are known.
        files: usize,
    },
    /// Two runs have called the roots differently, so that their times cannot be compared.
    #[error(
        "the runs have done different work, so that the time in the roots cannot be compared: \
         {what}; give the command the same work each time{}",
        full_runs(.kept.as_deref())
    )]
    AnchorCalls {
        /// The root and its calls in two runs.
        what: String,
        /// The profile of the full runs, if there is one.
        kept: Option<PathBuf>,
    },
    /// The roots-only runs give no time in the roots.
    #[error("no anchor: {what}{}", full_runs(.kept.as_deref()))]
    Anchor {
        /// Why.
        what: String,
        /// The profile of the full runs, if there is one.
        kept: Option<PathBuf>,
    },
    /// A running JVM cannot be attached to.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// The agent has begun no session in a running JVM, for this reason.
    #[error("{0}")]
    Refused(String),
    /// A session file cannot be read.
    #[error("{path}: {what}")]
    Session {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        what: String,
        /// How the command ended; none if there was none.
        exit: Option<ExitReason>,
    },
}

impl Error {
    /// The exit code for the shell: 127 and 126 as shells have them, the command's own code if the
    /// command failed, else 1.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoCommand | Self::NoRoot { .. } | Self::OneOutput(_) => 2,
            Self::CommandNotFound(_) => 127,
            Self::CommandNotExecutable(..) => 126,
            Self::NoJvm { exit, .. }
            | Self::NoRecord { exit, .. }
            | Self::IdsOverlap { exit, .. }
            | Self::Output { exit: Some(exit), .. }
            | Self::Session { exit: Some(exit), .. } => match exit.code() {
                0 => 1,
                code => code,
            },
            _ => 1,
        }
    }
}

fn output(path: &Path, cause: &io::Error, kept: Option<&Path>) -> String {
    use io::ErrorKind::{AlreadyExists, NotFound, PermissionDenied, ReadOnlyFilesystem};
    let path = path.display();
    let problem = match cause.kind() {
        AlreadyExists => {
            format!("{path} is there now and no profile of yours, and only --force replaces it")
        }
        _ => format!("{path}: {cause}"),
    };
    match (cause.kind(), kept) {
        (_, Some(dir)) => format!(
            "{problem}; what was recorded is still in {}: `jfathom report {}` reads it, then \
             delete it",
            dir.display(),
            shell_words(&[dir.to_string_lossy()])
        ),
        (PermissionDenied | NotFound | ReadOnlyFilesystem, None) => {
            format!("{problem}; name a file in a directory that you can write with -o")
        }
        _ => problem,
    }
}

const fn no_root(files: usize) -> &'static str {
    match files {
        0 => {
            "no rewritten file of the command is known, so no root: name the directory that \
             `jfathom rewrite -o` wrote with --rewritten"
        }
        _ => {
            "none of the methods is a root: `jfathom rewrite --root SELECTOR` makes those roots \
             whose time is asked for"
        }
    }
}

fn full_runs(kept: Option<&Path>) -> String {
    kept.map_or_else(String::new, |path| {
        format!(" ({} has the full runs, without an anchor)", path.display())
    })
}

fn list(hints: &[String]) -> String {
    hints.iter().map(|hint| format!("\n  - {hint}")).collect()
}

impl From<FindJvmError> for Error {
    fn from(error: FindJvmError) -> Self {
        Self::Attach(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    /// The messages of the error and of all its causes.
    fn messages(error: &(dyn std::error::Error + 'static)) -> Vec<String> {
        let all = std::iter::successors(Some(error), |&error| error.source());
        all.map(|error| error.to_string()).collect()
    }

    #[test]
    fn a_cause_is_named_once() {
        let cause = || io::Error::other("the moon is full");
        let path = PathBuf::from("p");
        let trace = jfathom_trace::SessionDir::open(&PathBuf::from("/no/such")).unwrap_err();
        let errors: [Box<dyn std::error::Error>; 7] = [
            Box::new(Error::Output { path, cause: cause(), kept: None, exit: None }),
            Box::new(Error::CommandNotExecutable("c".into(), cause())),
            Box::new(Error::Start("c".into(), cause())),
            Box::new(Error::System("waiting", cause())),
            Box::new(Error::Attach(AttachError::Socket(1, cause()))),
            Box::new(jfathom_profile::FileError::Io(cause())),
            Box::new(trace),
        ];
        for error in errors {
            let messages = messages(&*error);
            assert_eq!(messages.len(), 1, "{messages:?}");
        }
        let nested = io::Error::other(Error::System("waiting", cause()));
        assert!(nested.source().is_none());
    }
}
