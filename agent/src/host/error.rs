//! Why no session begins.

use crate::ffi::JvmError;
use crate::session_paths::PathsError;
use jfathom_session::{DirectoryError, OptionsError};
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::sync::Arc;

/// Why no session begins. The program runs on without one.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The JVM lacks or refuses what a session needs.
    #[error(transparent)]
    Jvm(#[from] JvmError),
    /// The JVM is past its live phase.
    #[error("the JVM is about to end")]
    JvmEnds,
    /// There is no world: the JDK cannot be read.
    #[error("the classes of the program's JVM cannot be read: {0}")]
    Program(Arc<jfathom_world::Error>),
    /// The session directory is not usable, or a file in it cannot be made.
    #[error(transparent)]
    Files(#[from] PathsError),
    /// The session directory cannot be made.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The JVM was built for musl, and the agent for glibc.
    #[error(
        "this JVM runs on musl, and jfathom's agent is built for glibc: rewrite the program's \
         jars ahead of time"
    )]
    Musl,
    /// Classes of the program have probes, and these record.
    #[error("{REWRITTEN}")]
    Rewritten,
    /// This container of the class path has classes with probes, and these record.
    #[error("{0}: {REWRITTEN}")]
    RewrittenContainer(PathBuf),
    /// Another version of the agent is loaded.
    #[error(
        "another version of jfathom's agent is loaded in this JVM, and an agent cannot be \
         unloaded: use that version, or start the program anew"
    )]
    OtherAgent,
    /// The session before is not over so far.
    #[error("the session before is just ending in this JVM: try again in a moment")]
    Restoring,
    /// Another session runs.
    #[error(
        "a session runs in this JVM already (root {}; directory {directory}): stop it with \
         `jfathom stop {pid}`, or wait for its end",
        .roots.join(", ")
    )]
    Running { roots: Vec<String>, directory: PathBuf, pid: u64 },
    /// No option names the profile.
    #[error("neither out= nor session= says where the recording goes")]
    NoOutput,
    /// The command `jfathom` is not found.
    #[error(
        "the command jfathom is not found beside this library: name it with jfathom=PATH, or run \
         `jfathom agent-path` once, which puts a link there"
    )]
    NoCommand,
    /// The shell cannot be started.
    #[error("{0}: cannot be started: {1}")]
    CollectorStart(PathBuf, io::Error),
    /// The shell failed.
    #[error("{0}: cannot be started: {1}")]
    CollectorFailed(PathBuf, ExitStatus),
}

/// Advice for a program whose probes record.
const REWRITTEN: &str = "the program's classes were rewritten ahead of time, and \
                         `jfathom record -- …` records it: end that recording, or run the plain \
                         jars";
