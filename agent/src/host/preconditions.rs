//! What there can be no session in, and why.

use crate::ffi::Jni;
use crate::host::agent::Agent;
use crate::jvm::program::Program;
use crate::live::session::{RESTORING, Session};
use jfathom_plan::probe;

/// What to do about a program whose classes have probes.
const REWRITTEN: &str = "the program's classes were rewritten ahead of time: record it with `jfathom record -- …`, or run \
                         the plain jars";

/// What to do about another agent of ours.
const OTHER_AGENT: &str = "another version of jfathom's agent is loaded in this JVM, and an agent cannot be unloaded: use \
                           that version, or start the program anew";

/// Refuses JVMs that were built for musl: this library was built for glibc.
///
/// # Errors
/// A sentence.
pub fn libc() -> Result<(), String> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    if maps.lines().any(|line| line.contains("/ld-musl-")) {
        return Err(
            "this JVM runs on musl, and jfathom's agent is built for glibc: rewrite the program's jars ahead of time"
                .to_owned(),
        );
    }
    Ok(())
}

/// Refuses a JVM in which rewritten classes run, or another version of the agent.
///
/// # Errors
/// A sentence.
pub fn classes(agent: &Agent, jni: Jni<'_>) -> Result<(), String> {
    let (mut rewritten, mut runtime) = (false, false);
    agent
        .jvmti
        .for_each_loaded_class(jni, |_, class| {
            let Some(name) = agent.jvmti.class_name(class) else { return };
            rewritten |= &*name == probe::CLASS.as_bytes();
            runtime |= &*name == probe::LIVE_CLASS.as_bytes();
        })
        .map_err(|error| format!("the JVM does not list its classes: {error}"))?;
    if rewritten {
        return Err(REWRITTEN.to_owned());
    }
    if runtime && !agent.has_runtime() {
        return Err(OTHER_AGENT.to_owned());
    }
    Ok(())
}

/// Refuses a program on whose class path rewritten containers are.
///
/// # Errors
/// A sentence with the container.
pub fn manifests(program: &Program) -> Result<(), String> {
    match &program.rewritten {
        Some(container) => Err(format!("{}: {REWRITTEN}", container.display())),
        None => Ok(()),
    }
}

/// Why no second session begins.
pub fn second(session: &Session) -> String {
    if session.phase() >= RESTORING {
        return "the session before is just ending in this JVM: try again in a moment".to_owned();
    }
    let roots: Vec<String> = session.options.roots.iter().map(ToString::to_string).collect();
    format!(
        "a session runs in this JVM already (root {}; directory {}): stop it with `jfathom stop {}`, or wait for its end",
        roots.join(", "),
        session.place.directory.display(),
        session.place.pid,
    )
}
