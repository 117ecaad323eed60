//! The end of a session in a JVM that runs on: no probe stays, and no mapped file.

use crate::classes::names::is_ours;
use crate::classes::restore::restore_classes;
use crate::ffi::{Event, Jni, interception, mounts};
use crate::host::agent::Agent;
use crate::host::sampling;
use crate::live::phase::Phase;
use crate::live::session::Session;
use crate::lock::lock;
use jfathom_trace::layout as l;
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long the agent waits for threads that are in the middle of its code.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(5);
/// How often it looks.
const POLL_INTERVAL: Duration = Duration::from_millis(2);
/// How many frames of a stack are looked at, innermost first. The runtime's own lie on top, except
/// for task wrappers, which end at any later time and do no harm.
const STACK_DEPTH: i32 = 128;
/// The task wrappers' class, and the start of its nested classes' names.
const TASK_WRAPPERS: &[u8] = b"java/lang/JfathomWrapping";

/// Why a session ends in a JVM that runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The collector has asked for it or has left in order, or `jfathom stop` was called.
    Requested,
    /// The collector's heartbeat stopped. It may come back, or a process reads what it has left.
    NoHeartbeat,
}

/// Ends a running session, on the agent's thread.
pub fn stop(agent: &Agent, session: &Session, jni: Jni<'_>, reason: StopReason) {
    if !session.advance_phase(Phase::Running, Phase::Restoring) {
        return;
    }
    if reason == StopReason::NoHeartbeat
        && let Some(ends) = session.file.word64(l::HEADER_SILENT_ENDS)
    {
        // Before the first call goes unrecorded, and before a collector can see that the session is
        // over.
        ends.fetch_add(1, Ordering::AcqRel);
    }
    session.file.set_state(l::LIVE_RESTORING);
    let _ = session.runtime.stop(jni);
    sampling::end(session, jni);
    mounts::end(agent.jvmti);
    if let Err(error) = interception::end(agent.jvmti) {
        session.add_note(format!(
            "the JVM does not take JNI's functions back: they pass through jfathom, \
             which does nothing: {error}"
        ));
    }
    session.patience.end();
    session.pending.wake_waiting();
    session.first_calls.wake_waiting();
    wait_until(|| session.visitors() == 0);
    session.look_for_debugger();
    let unprepared = restore_classes(session, jni);
    let is_quiet = wait_until(|| is_runtime_quiet(session, jni));
    let _ = session.runtime.reset(jni);
    if !is_quiet {
        session
            .add_note("threads were still in jfathom's code when the session was ended".to_owned());
    }
    agent.load_hook.end();
    let _ = agent.jvmti.set_event(Event::CompiledMethodLoad, false);
    session.close();
    keep_ids(agent, session);
    session.loaded.clear();
    // Classes that were being loaded are restored when they are prepared. Who was prepared since
    // they were listed is restored here.
    agent.leftovers.set(unprepared);
    agent.leftovers.restore_prepared(agent.jvmti, jni);
    if agent.leftovers.is_empty() {
        let _ = agent.jvmti.set_event(Event::ClassPrepare, false);
    }
    // Whoever sees the last state may begin the next session, which must not meet what follows.
    let _starting = lock(&agent.starting);
    session.advance_phase(Phase::Restoring, Phase::Over);
    agent.set_session(None);
    session.file.set_state(l::LIVE_RESTORED);
    release_file(session);
}

/// Keeps a session's ids for the next one.
pub fn keep_ids(agent: &Agent, session: &Session) {
    let ids = session.take_ids();
    if ids.is_some() {
        *lock(&agent.ids) = ids;
    }
}

/// Puts anonymous memory in place of the session file.
pub fn release_file(session: &Session) {
    // If the kernel refuses, the file stays mapped until the next session.
    let _ = session.file.range().map_anonymous();
}

/// Waits until `done`, a bounded time; whether it is.
fn wait_until(mut done: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        if done() {
            return true;
        }
        if began.elapsed() > RESTORE_TIMEOUT {
            return false;
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Whether no thread is in the runtime's code. A virtual one may be, but only where it does not
/// wait.
fn is_runtime_quiet(session: &Session, jni: Jni<'_>) -> bool {
    if session.runtime.is_busy(jni) {
        return false;
    }
    let jvmti = session.jvmti;
    let mut found = false;
    let mut known = HashMap::new();
    let looked = jvmti.for_each_frame(jni, STACK_DEPTH, |method| {
        found |= *known.entry(method).or_insert_with(|| {
            let class =
                jvmti.declaring_class(jni, method).and_then(|class| jvmti.class_name(class.get()));
            class.is_some_and(|name| is_ours(&name) && !name.starts_with(TASK_WRAPPERS))
        });
    });
    looked.is_err() || !found
}
