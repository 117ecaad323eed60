//! JVMs and programs in which no session begins.

use super::agent::Agent;
use super::error::StartError;
use crate::ffi::{Jni, JvmError};
use crate::jvm::program::Program;
use crate::live::phase::Phase;
use crate::live::session::Session;
use jfathom_plan::probe;
use jfathom_session::names;

/// Checks that the JVM was not built for musl: the agent was built for glibc.
///
/// # Errors
/// [`StartError::Musl`].
pub fn check_libc() -> Result<(), StartError> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    match maps.lines().any(|line| line.contains("/ld-musl-")) {
        true => Err(StartError::Musl),
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
        .map_err(JvmError::LoadedClasses)?;
    if rewritten && records_ahead_of_time() {
        return Err(StartError::Rewritten);
    }
    if runtime && !agent.has_runtime() {
        return Err(StartError::OtherAgent);
    }
    Ok(())
}

/// Checks that no container of the class path was rewritten, or that its probes do not record.
///
/// # Errors
/// [`StartError::RewrittenContainer`].
pub fn check_containers(program: &Program) -> Result<(), StartError> {
    match &program.rewritten {
        Some(container) if records_ahead_of_time() => {
            Err(StartError::RewrittenContainer(container.clone()))
        }
        _ => Ok(()),
    }
}

/// Why no second session begins.
pub fn second_session(session: &Session) -> StartError {
    if session.phase() >= Phase::Restoring {
        return StartError::Restoring;
    }
    StartError::Running {
        roots: session.options.root_texts(),
        directory: session.paths.directory.clone(),
        pid: session.paths.jvm.pid,
    }
}
