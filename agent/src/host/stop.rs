//! The end of a session in a JVM that runs on: original bytes are back, nothing of it stays.

use crate::ClassName;
use crate::classes::load::is_ours;
use crate::ffi::{Event, Jni, Object, Weak, interception};
use crate::host::agent::Agent;
use crate::live::session::{Loading, OVER, RESTORING, RUNNING, Session, add};
use crate::lock::lock;
use jfathom_trace::layout as l;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long is waited for threads that are in the middle of our code.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(5);
const ROUND: Duration = Duration::from_millis(2);
/// Frames of a stack that are looked at, innermost first. The runtime's own lie on top, but for
/// wrappers of tasks, which end at any later time and do no harm.
const FRAMES: i32 = 128;
/// The wrappers' class and what it holds.
const WRAPPERS: &[u8] = b"java/lang/JfathomWrapping";

/// Why a session ends in a JVM that runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The collector, or who stops the session, asked for it, or the collector has left in order.
    Asked,
    /// The collector gave no sign of life: it may come back, or somebody reads what it has left.
    Silent,
}

/// Ends the session, on the agent's thread.
pub fn restore(session: &Arc<Session>, jni: Jni<'_>, why: Why) {
    if !session.advance_phase(RUNNING, RESTORING) {
        return;
    }
    if why == Why::Silent
        && let Some(ends) = session.word64(l::HEADER_SILENT_ENDS)
    {
        // Before the first call goes unrecorded, and before a collector can see that the session is
        // over.
        ends.fetch_add(1, Ordering::AcqRel);
    }
    session.set_state(l::LIVE_RESTORING);
    let agent = session.agent;
    let Some(runtime) = agent.runtime() else { return };
    let _ = runtime.stop(jni);
    if let Err(error) = interception::end(agent.jvmti) {
        session.add_note(format!(
            "the JVM does not take JNI's functions back: they pass through jfathom, which does nothing: {error}"
        ));
    }
    session.landed.notify_all();
    session.called.notify_all();
    until(|| session.visitors() == 0);
    let left = originals(session, jni);
    let quiet = until(|| is_quiet(session, jni));
    let _ = runtime.reset(jni);
    if !quiet {
        session
            .add_note("threads were still in jfathom's code when the session was ended".to_owned());
    }
    for event in [Event::ClassFileLoadHook, Event::ClassPrepare] {
        // Classes that were being loaded are told when they are prepared.
        if event != Event::ClassPrepare || left.is_empty() {
            let _ = agent.jvmti.set_event(event, false);
        }
    }
    let ids = session.end();
    if ids.is_some() {
        *lock(&agent.ids) = ids;
    }
    session.classes.clear();
    *lock(&agent.leftovers) = left;
    // Whoever sees the last state may begin the next session, which must not be met by what
    // follows.
    let _starting = lock(&agent.starting);
    session.advance_phase(RESTORING, OVER);
    agent.set_session(None);
    session.set_state(l::LIVE_RESTORED);
    if let Some(range) = agent.range() {
        // Where the kernel refuses, the file's pages stay until the next session.
        let _ = range.map_anonymous();
    }
}

/// Waits until `done`, a bounded time; whether it is.
fn until(mut done: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        if done() {
            return true;
        }
        if began.elapsed() > RESTORE_TIMEOUT {
            return false;
        }
        std::thread::sleep(ROUND);
    }
}

/// Has the JVM take back what was changed. Gives the classes that are not prepared, or not there so
/// far.
fn originals(session: &Session, jni: Jni<'_>) -> HashSet<Loading> {
    let jvmti = session.agent.jvmti;
    let mut found: Vec<Weak> = Vec::new();
    let mut left: HashSet<Loading> =
        std::mem::take(&mut *lock(&session.loading)).into_keys().collect();
    let _ = jvmti.for_each_loaded_class(jni, |jni, class| {
        let Some(name) = jvmti.class_name(class) else { return };
        if !lock(&session.changed).contains_key(&*name) {
            return;
        }
        let loading = (ClassName::from(name), loader_hash(session.agent, jni, class));
        let is_changed = lock(&session.changed)
            .get(&loading.0)
            .is_some_and(|changed| changed.originals.contains_key(&loading.1));
        match jvmti.class_status(class).is_prepared() {
            true => {
                left.remove(&loading);
                found.extend(is_changed.then(|| jni.weak(class)).flatten());
            }
            false if is_changed => drop(left.insert(loading)),
            false => {}
        }
    });
    let classes: Vec<_> = found.iter().filter_map(|weak| weak.get(jni)).collect();
    let mut open: Vec<&[_]> = vec![&classes];
    while let Some(classes) = open.pop() {
        let references: Vec<Object<'_>> = classes.iter().map(|class| class.get()).collect();
        if references.is_empty() || jvmti.retransform(&references).is_ok() {
            continue;
        }
        if let [class] = classes {
            add(&session.counts.failed, 1);
            let name = jvmti.class_name(class.get()).unwrap_or_default();
            session.add_note(format!(
                "the JVM does not take back {}: its probes stay, and do nothing",
                String::from_utf8_lossy(&name).replace('/', ".")
            ));
        } else {
            let (one, other) = classes.split_at(classes.len() / 2);
            open.extend([other, one]);
        }
    }
    left
}

/// Whether no thread is in the runtime's code.
fn is_quiet(session: &Session, jni: Jni<'_>) -> bool {
    let jvmti = session.agent.jvmti;
    let mut ours = false;
    let mut known = std::collections::HashMap::new();
    let looked = jvmti.for_each_frame(jni, FRAMES, |method| {
        ours |= *known.entry(method).or_insert_with(|| {
            let class =
                jvmti.declaring_class(jni, method).and_then(|class| jvmti.class_name(class.get()));
            class.is_some_and(|name| is_ours(&name) && !name.starts_with(WRAPPERS))
        });
    });
    looked.is_err() || !ours
}

fn loader_hash(agent: &Agent, jni: Jni<'_>, class: Object<'_>) -> i32 {
    let loader = agent.jvmti.class_loader(jni, class);
    loader.map_or(0, |loader| agent.jvmti.object_hash(loader.get()))
}

/// A class is prepared that may have probes of a session that is over.
pub fn leftover(agent: &Agent, jni: Jni<'_>, class: Object<'_>) {
    let Some(name) = agent.jvmti.class_name(class) else { return };
    let loading = (ClassName::from(name), loader_hash(agent, jni, class));
    let (is_left, left) = {
        let mut leftovers = lock(&agent.leftovers);
        (leftovers.remove(&loading), leftovers.len())
    };
    if is_left {
        // Refused: its probes stay, and do nothing.
        let _ = agent.jvmti.retransform(&[class]);
    }
    if left == 0 && agent.session().is_none() {
        let _ = agent.jvmti.set_event(Event::ClassPrepare, false);
    }
}
