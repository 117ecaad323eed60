//! Check that a JVM can load the agent.

use super::AttachError;
use jfathom_session::{JvmProcess, PerfData};

/// The oldest Java that the agent runs in.
const OLDEST_JAVA: u32 = 11;
/// The first JDK that prints a warning when an agent is loaded into a running JVM (JEP 451).
const WARNING_JAVA: u32 = 21;
/// Advice for a JVM in which the agent does not run.
const REWRITE: &str = "rewrite its jars ahead of time (`jfathom rewrite`), and record them with \
                       `jfathom record -- …`";

/// Checks that the agent can be loaded into a JVM.
///
/// # Errors
/// Fails with the reason if it cannot.
pub fn check(jvm: &JvmProcess) -> Result<(), AttachError> {
    let pid = jvm.pid();
    let unsupported = |what: String, advice| Err(AttachError::Unsupported { pid, what, advice });
    if jvm.is_openj9() {
        return unsupported("an OpenJ9 JVM, and the agent runs in HotSpot".to_owned(), REWRITE);
    }
    if jvm.is_musl() {
        let what = "a JVM with musl (Alpine), and the agent is built for glibc";
        return unsupported(what.to_owned(), REWRITE);
    }
    if let Some(version) = jvm.java_version().filter(|version| *version < OLDEST_JAVA) {
        return unsupported(format!("Java {version}"), "jfathom needs Java 11 or later");
    }
    if jvm.is_stopped() {
        return Err(AttachError::Stopped(pid));
    }
    if is_attach_disabled(jvm) {
        return Err(AttachError::Disabled(pid));
    }
    if jvm.flag("EnableDynamicAgentLoading") == Some(false) {
        return Err(AttachError::NoDynamicAgents(pid));
    }
    Ok(())
}

/// Whether the JVM's flags forbid that anything attaches.
fn is_attach_disabled(jvm: &JvmProcess) -> bool {
    match jvm.perf_data().and_then(PerfData::can_attach) {
        Some(can_attach) => !can_attach,
        None => jvm.flag("DisableAttachMechanism") == Some(true),
    }
}

/// Whether the JVM prints a warning when the agent is loaded.
pub fn warns_of_agents(jvm: &JvmProcess) -> bool {
    jvm.java_version().is_some_and(|version| version >= WARNING_JAVA)
        && jvm.mapped_files("libjfathom.so", "").is_empty()
        && jvm.flag("EnableDynamicAgentLoading") != Some(true)
}
