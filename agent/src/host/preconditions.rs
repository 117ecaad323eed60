//! JVMs and programs in which no session begins.

use super::agent::Agent;
use super::error::StartError;
use crate::ffi::Jni;
use crate::jvm::program::Program;
use crate::live::phase::Phase;
use crate::live::session::Session;
use jfathom_plan::probe;
use jfathom_session::names;
use std::path::PathBuf;

/// Why the JVM or its program cannot be instrumented as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The JVM was built for musl, and the agent for glibc.
    Musl,
    /// Classes of the program have probes, and these record.
    Rewritten,
    /// This container of the class path has classes with probes, and these record.
    RewrittenContainer(PathBuf),
    /// Another version of the agent is loaded.
    OtherAgent,
    /// The session before is not over so far.
    Restoring,
    /// Another session runs.
    Running { roots: Vec<String>, directory: PathBuf, pid: u64 },
}

/// Advice for a program whose probes record.
const REWRITTEN: &str = "the program's classes were rewritten ahead of time, and \
                         `jfathom record -- …` records it: end that recording, or run the plain \
                         jars";

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Musl => f.write_str(
                "this JVM runs on musl, and jfathom's agent is built for glibc: \
                 rewrite the program's jars ahead of time",
            ),
            Self::Rewritten => f.write_str(REWRITTEN),
            Self::RewrittenContainer(container) => {
                write!(f, "{}: {REWRITTEN}", container.display())
            }
            Self::OtherAgent => f.write_str(
                "another version of jfathom's agent is loaded in this JVM, and an agent cannot be \
                 unloaded: use that version, or start the program anew",
            ),
            Self::Restoring => {
                f.write_str("the session before is just ending in this JVM: try again in a moment")
            }
            Self::Running { roots, directory, pid } => write!(
                f,
                "a session runs in this JVM already (root {}; directory {}): \
                 stop it with `jfathom stop {pid}`, or wait for its end",
                roots.join(", "),
                directory.display(),
            ),
        }
    }
}

/// Checks that the JVM was not built for musl: the agent was built for glibc.
///
/// # Errors
/// [`Refusal::Musl`].
pub fn check_libc() -> Result<(), Refusal> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    match maps.lines().any(|line| line.contains("/ld-musl-")) {
        true => Err(Refusal::Musl),
        false => Ok(()),
    }
}

/// Whether the JVM was started to be recorded by the probes of rewritten classes. In any other JVM
/// such probes never record, and classes get those of the agent beside them.
fn records_ahead_of_time() -> bool {
    std::env::var_os(names::ENV_SESSION).is_some_and(|directory| !directory.is_empty())
}

/// Checks that neither rewritten classes that record nor another version of the agent are in the
/// JVM.
///
/// # Errors
/// Fails if one of them is, or if the JVM does not list its classes.
pub fn check_classes(agent: &Agent, jni: Jni<'_>) -> Result<(), StartError> {
    let (mut rewritten, mut runtime) = (false, false);
    agent
        .jvmti
        .for_each_loaded_class(jni, |_, class| {
            let Some(name) = agent.jvmti.class_name(class) else { return };
            rewritten |= &*name == probe::CLASS.as_bytes();
            runtime |= &*name == probe::LIVE_CLASS.as_bytes();
        })
        .map_err(StartError::LoadedClasses)?;
    if rewritten && records_ahead_of_time() {
        return Err(Refusal::Rewritten.into());
    }
    if runtime && !agent.has_runtime() {
        return Err(Refusal::OtherAgent.into());
    }
    Ok(())
}

/// Checks that no container of the class path was rewritten, or that its probes do not record.
///
/// # Errors
/// [`Refusal::RewrittenContainer`].
pub fn check_containers(program: &Program) -> Result<(), Refusal> {
    match &program.rewritten {
        Some(container) if records_ahead_of_time() => {
            Err(Refusal::RewrittenContainer(container.clone()))
        }
        _ => Ok(()),
    }
}

/// Why no second session begins.
pub fn second_session(session: &Session) -> Refusal {
    if session.phase() >= Phase::Restoring {
        return Refusal::Restoring;
    }
    Refusal::Running {
        roots: session.options.root_texts(),
        directory: session.paths.directory.clone(),
        pid: session.paths.jvm.pid,
    }
}
