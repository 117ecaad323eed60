//! Why a recording could not be made.

use crate::{ExitReason, LacksJfr, attach::AttachError};
use jfathom_plan::shell_words;
use jfathom_session::FindJvmError;
use jfathom_switches::SwitchError;
use std::{io, path::PathBuf};

/// Why there is no profile.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// There is no command to run.
    NoCommand,
    /// The profile would replace a file that is no profile of this user, or the `.old` of one that
    /// is, and `force` is not set.
    OutputExists(PathBuf),
    /// Both of two profiles would be this file.
    OneOutput(PathBuf),
    /// A file cannot be written.
    Output {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
        /// The session directory, if it still holds what was recorded.
        kept: Option<PathBuf>,
        /// How the command ended; none if there was none, or if it runs.
        exit: Option<ExitReason>,
    },
    /// The session directory cannot be made or used.
    SessionDir {
        /// The directory.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// There is no such command.
    CommandNotFound(PathBuf),
    /// The command is no program, or must not be executed.
    CommandNotExecutable(PathBuf, io::Error),
    /// The command could not be started for another reason.
    Start(PathBuf, io::Error),
    /// The system refused to wait for the command, or to handle signals.
    System(&'static str, io::Error),
    /// The kernel tells no context switches, and they were asked for.
    Switches(SwitchError),
    /// The command's JVM cannot run the runtime.
    JvmTooOld {
        /// The command.
        java: PathBuf,
        /// Its feature version.
        version: u32,
    },
    /// The command's JVM has no JFR, and what it records was asked for.
    NoJfr {
        /// The command.
        java: PathBuf,
        /// Why.
        why: LacksJfr,
    },
    /// The command's JVM cannot load the agent.
    JvmUnfit {
        /// The command.
        java: PathBuf,
        /// Why: `is an OpenJ9 JVM, …`.
        why: &'static str,
    },
    /// No JVM has joined the recording.
    NoJvm {
        /// How the command ended.
        exit: ExitReason,
        /// What may be the reason, most likely first.
        hints: Vec<String>,
    },
    /// JVMs have joined, and none has recorded anything.
    NoRecord {
        /// How the command ended.
        exit: ExitReason,
        /// How many JVMs.
        jvms: usize,
        /// What may be the reason, most likely first.
        hints: Vec<String>,
    },
    /// Two rewritten jars give the same ids to their methods.
    IdsOverlap {
        /// How the command ended.
        exit: ExitReason,
        /// The jar that was seen first, with its ids.
        first: String,
        /// The other one.
        second: String,
    },
    /// Only roots are to be timed, and no root is known.
    NoRoot {
        /// The number of rewritten files that are known.
        files: usize,
    },
    /// Two runs have called the roots differently, so that their times cannot be compared.
    AnchorCalls {
        /// The root and its calls in two runs.
        what: String,
        /// The profile of the full runs, if there is one.
        kept: Option<PathBuf>,
    },
    /// The roots-only runs give no time in the roots.
    Anchor {
        /// Why.
        what: String,
        /// The profile of the full runs, if there is one.
        kept: Option<PathBuf>,
    },
    /// A running JVM cannot be attached to.
    Attach(AttachError),
    /// The agent has begun no session in a running JVM, for this reason.
    Refused(String),
    /// A session file cannot be read.
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

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoCommand => {
                f.write_str("no command: name it after `--`, as in `jfathom record -- java -jar out/app.jar`")
            }
            Self::OutputExists(path) => {
                write!(
                    f,
                    "{path} exists, and it or {path}.old is no profile of yours; name another file with -o, or replace \
                     {path} with --force",
                    path = path.display()
                )
            }
            Self::OneOutput(path) => {
                write!(f, "{} would be the profile of both sides; name two files with -o and --baseline", path.display())
            }
            Self::Output { path, source, kept, .. } => {
                match source.kind() {
                    io::ErrorKind::AlreadyExists => write!(
                        f,
                        "{} is there now and no profile of yours, and only --force replaces it",
                        path.display()
                    )?,
                    _ => write!(f, "{}: {source}", path.display())?,
                }
                match (source.kind(), kept) {
                    (_, Some(dir)) => write!(
                        f,
                        "; what was recorded is still in {}: `jfathom report {}` reads it, then delete it",
                        dir.display(),
                        shell_words(&[dir.to_string_lossy()])
                    ),
                    (
                        io::ErrorKind::PermissionDenied
                        | io::ErrorKind::NotFound
                        | io::ErrorKind::ReadOnlyFilesystem,
                        None,
                    ) => f.write_str("; name a file in a directory that you can write with -o"),
                    _ => Ok(()),
                }
            }
            Self::SessionDir { path, what } => {
                write!(f, "session directory {}: {what}; another one can be named with --tune session=DIR", path.display())
            }
            Self::CommandNotFound(command) => write!(f, "{}: command not found", command.display()),
            Self::CommandNotExecutable(command, e) => write!(f, "{}: cannot be executed: {e}", command.display()),
            Self::Start(command, e) => write!(f, "{}: cannot be started: {e}", command.display()),
            Self::System(what, e) => write!(f, "{what}: {e}"),
            Self::JvmTooOld { java, version } => write!(
                f,
                "{} is Java {version}, and jfathom needs Java 11 or later; \
                 run the command with a newer one",
                java.display()
            ),
            Self::Switches(error) => {
                write!(f, "--metrics cpu=switches needs the kernel's context switches: {error}; cpu=thread-clock does without")
            }
            Self::NoJfr { java, why } => write!(
                f,
                "{}: {why}, or leave out samples, waits and exceptions of --metrics, and +stack of --probe",
                java.display()
            ),
            Self::JvmUnfit { java, why } => write!(
                f,
                "{} {why}; rewrite the jars ahead of time (`jfathom rewrite`), and record them with `jfathom record -- …`",
                java.display()
            ),
            Self::NoJvm { exit, hints } => {
                write!(f, "no JVM joined the recording ({exit})")?;
                write_hints(f, hints)
            }
            Self::NoRecord { exit, jvms, hints } => {
                write!(f, "{jvms} JVM{} joined, but no record arrived ({exit})", if *jvms == 1 { "" } else { "s" })?;
                write_hints(f, hints)
            }
            Self::IdsOverlap { first, second, .. } => write!(
                f,
                "{first} and {second} give the same ids to different methods, so the recording was ended; \
                 rewrite them by one command, into one output directory, or one of them with --id-base"
            ),
            Self::NoRoot { files: 0 } => f.write_str(
                "no rewritten file of the command is known, so no root: name the directory that `jfathom rewrite -o` wrote \
                 with --rewritten",
            ),
            Self::NoRoot { .. } => f.write_str(
                "none of the methods is a root: `jfathom rewrite --root SELECTOR` makes those roots whose time is asked for",
            ),
            Self::AnchorCalls { what, kept } => {
                write!(
                    f,
                    "the runs have done different work, so that the time in the roots cannot be compared: {what}; give the \
                     command the same work each time"
                )?;
                write_kept(f, kept.as_ref())
            }
            Self::Anchor { what, kept } => {
                write!(f, "no anchor: {what}")?;
                write_kept(f, kept.as_ref())
            }
            Self::Attach(e) => e.fmt(f),
            Self::Refused(what) => f.write_str(what),
            Self::Session { path, what, .. } => write!(f, "{}: {what}", path.display()),
        }
    }
}

fn write_kept(f: &mut std::fmt::Formatter<'_>, kept: Option<&PathBuf>) -> std::fmt::Result {
    match kept {
        Some(path) => write!(f, " ({} has the full runs, without an anchor)", path.display()),
        None => Ok(()),
    }
}

fn write_hints(f: &mut std::fmt::Formatter<'_>, hints: &[String]) -> std::fmt::Result {
    hints.iter().try_for_each(|hint| write!(f, "\n  - {hint}"))
}

impl std::error::Error for Error {
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Output { source: e, .. }
            | Self::CommandNotExecutable(_, e)
            | Self::Start(_, e)
            | Self::System(_, e) => std::error::Error::source(e),
            Self::Attach(e) => std::error::Error::source(e),
            Self::Switches(e) => std::error::Error::source(e),
            _ => None,
        }
    }
}

impl From<AttachError> for Error {
    fn from(error: AttachError) -> Self {
        Self::Attach(error)
    }
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
            Box::new(Error::Output { path, source: cause(), kept: None, exit: None }),
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
