//! What the JVM tells us, and what is done about it.

use crate::classes::{load, restore};
use crate::ffi::{Event, Jni, Jvmti, Method, Object, interception};
use crate::host::agent::{agent, session};
use crate::host::{agent_thread, first_calls, start};
use crate::jvm::runtime;
use crate::live::session::{ENDING, RUNNING, STARTING};
use crate::lock::lock;
use jfathom_plan::MethodId;

/// A class file that the JVM is about to read.
pub struct ClassFile<'e> {
    /// The class that the thread redefines; none where it redefines none.
    pub redefined: Option<Object<'e>>,
    /// The loader; none is the boot loader.
    pub loader: Option<Object<'e>>,
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// Its bytes: of a class that is redefined, those of the beginning.
    pub bytes: &'e [u8],
}

/// The JVM starts with the library.
pub fn on_load(options: &str) {
    if let Err(reason) = start::on_load(options) {
        start::report(options, &reason, true);
    }
}

/// Somebody has loaded the library into the running JVM; whether a session runs.
pub fn on_attach(jni: Jni<'_>, options: &str) -> bool {
    match start::on_attach(jni, options) {
        Ok(()) => true,
        Err(reason) => {
            start::report(options, &reason, false);
            false
        }
    }
}

/// The JVM is initialised.
pub fn vm_init(jvmti: Jvmti, jni: Jni<'_>) {
    let _ = jvmti.notify(Event::VmInit, false);
    start::on_init(jni);
}

/// The JVM ends: classes stay as they are.
pub fn vm_death(_jvmti: Jvmti, jni: Jni<'_>) {
    let Some(session) = session() else { return };
    if session.advance_phase(RUNNING, ENDING) || session.advance_phase(STARTING, ENDING) {
        interception::pause();
        session.wake();
        if let Some(runtime) = session.agent.runtime() {
            let _ = runtime.end(jni);
        }
        session.close();
    }
}

/// The load hook.
pub fn class_file(
    jvmti: Jvmti,
    jni: Jni<'_>,
    class: &ClassFile<'_>,
    install: &mut dyn FnMut(&[u8]) -> bool,
) {
    if load::is_ours(class.name) {
        return;
    }
    let Some(session) = session() else { return };
    // HotSpot also names the class that a thread redefines where that leads to the loading of
    // another one.
    let name = class.redefined.and_then(|redefined| jvmti.class_name(redefined));
    if name.is_some_and(|name| *name == *class.name) {
        load::redefining(&session, jni, class, install);
    } else {
        load::loading(&session, jni, class, install);
    }
}

/// A class is prepared.
pub fn class_prepare(jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) {
    runtime::prepared(jvmti, jni, class);
    if let Some(session) = session() {
        load::prepared(&session, jni, class);
    }
    if let Some(agent) = agent()
        && !lock(&agent.leftovers).is_empty()
    {
        restore::leftover(agent, jni, class);
    }
}

/// The body of the agent's thread.
pub fn agent_thread(_jvmti: Jvmti, jni: Jni<'_>) {
    if let Some(session) = session() {
        agent_thread::watch(&session, jni);
    }
}

/// The address of the range of session files.
pub fn base() -> i64 {
    let range = agent().and_then(|agent| agent.range());
    range.map_or(0, |range| range.base() as i64)
}

/// Lets the session file grow; its length before, or −1.
pub fn grow(bytes: i64) -> i64 {
    let grown = || session()?.grow(u64::try_from(bytes).ok().filter(|bytes| *bytes > 0)?);
    grown().and_then(|offset| i64::try_from(offset).ok()).unwrap_or(-1)
}

/// Bytes that the session file may grow by.
pub fn space() -> i64 {
    let space = session().map_or(0, |session| session.space());
    i64::try_from(space).unwrap_or(i64::MAX)
}

/// A method is called for the first time.
pub fn first_call(jni: Jni<'_>, id: i32) {
    if let (Some(session), Some(id)) = (session(), u32::try_from(id).ok().and_then(MethodId::new)) {
        first_calls::first_call(&session, jni, id);
    }
}

/// A method or constructor is called by reflection, or made a method handle.
pub fn reflected(jni: Jni<'_>, member: Object<'_>) {
    if let Some(session) = session() {
        first_calls::reflected(&session, jni, member);
    }
}

/// A method handle is looked up.
pub fn looked_up(jni: Jni<'_>, class: Object<'_>, name: Object<'_>, kind: Option<Object<'_>>) {
    if let Some(session) = session() {
        first_calls::looked_up(&session, jni, class, name, kind);
    }
}

/// Native code on this thread is about to call a method, which [`interception`] keeps; whether that
/// is followed from here on.
pub fn native_call(jni: Jni<'_>) -> bool {
    agent().and_then(|agent| agent.runtime()).is_some_and(|runtime| runtime.is_native_call(jni))
}

/// Native code inside a root is about to call this method.
pub fn called_by_native(jni: Jni<'_>, method: Method) {
    if let Some(session) = session() {
        first_calls::called_by_native(&session, jni, method);
    }
}
