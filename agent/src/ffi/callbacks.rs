//! The functions that the JVM calls with JVMTI events, and as the body of the agent's thread.

use super::error::JvmError;
use super::handler::{ClassFile, Handler, guard, handler};
use super::jni::{Jni, Value};
use super::jvmti::Jvmti;
use super::reference::Object;
use super::table::{Env, Event, EventCallbacks, Thread};
use jni_sys::{JNIEnv, jclass, jint, jmethodID, jobject};
use std::ffi::{CStr, c_char, c_uchar, c_void};

/// The callbacks in JVMTI's structure: addresses of functions, which any thread may read.
#[repr(transparent)]
struct Table(EventCallbacks);

// SAFETY: it is never written.
unsafe impl Sync for Table {}

static TABLE: Table = Table(
    EventCallbacks::new()
        .with(Event::VmInit, vm_init as *const c_void)
        .with(Event::VmDeath, vm_death as *const c_void)
        .with(Event::ClassFileLoadHook, class_file_load_hook as *const c_void)
        .with(Event::ClassLoad, class_load as *const c_void)
        .with(Event::ClassPrepare, class_prepare as *const c_void)
        .with(Event::CompiledMethodLoad, compiled_method_load as *const c_void),
);

/// A new JVMTI environment with these callbacks and the capabilities that a session needs. No
/// event is switched on.
///
/// # Errors
/// Fails if the JVM has no JVMTI 11, or lacks or refuses a capability.
pub fn new_environment() -> Result<Jvmti, JvmError> {
    Jvmti::with_callbacks(&TABLE.0)
}

/// A new JVMTI environment with these callbacks and without capabilities. No event is switched on.
///
/// # Errors
/// Fails if the JVM has no JVMTI 11.
pub fn plain_environment() -> Result<Jvmti, JvmError> {
    Jvmti::plain(&TABLE.0)
}

/// Starts the agent's thread: a daemon in the outermost thread group, whose body is
/// [`Handler::agent_thread`].
///
/// # Errors
/// Fails if the JVM cannot make or start the thread.
pub fn start_agent_thread(jvmti: Jvmti, jni: Jni<'_>, name: &str) -> Result<(), JvmError> {
    let class = c"java/lang/Thread";
    let class = jni.find_class(class).ok_or(JvmError::Absent(class))?;
    let constructor = jni
        .method(class.get(), c"<init>", c"(Ljava/lang/ThreadGroup;Ljava/lang/String;)V")
        .ok_or(JvmError::Absent(c"constructor of Thread"))?;
    let group = jvmti.thread_group(jni);
    let name = jni.string(name).ok_or(JvmError::OutOfMemory)?;
    let values =
        [Value::Object(group.as_ref().map(|group| group.get())), Value::Object(Some(name.get()))];
    let thread = jni.new_object(class.get(), constructor, &values)?;
    // SAFETY: the thread was never started, and the JVM may call the body as it starts a thread.
    Ok(unsafe { jvmti.run_thread(thread.get(), agent_thread) }?)
}

/// Runs `body` with the handler, guarded, without the exception that may be pending.
fn handle(jni: Option<Jni<'_>>, body: impl FnOnce(&'static dyn Handler, Jni<'_>)) {
    guard((), || {
        if let (Some(handler), Some(jni)) = (handler(), jni) {
            jni.aside(|| body(handler, jni));
        }
    });
}

unsafe extern "system" fn vm_init(env: *mut Env, jni: *mut JNIEnv, _thread: Thread) {
    // SAFETY: the JVM hands its own environments.
    let (jvmti, jni) = unsafe { (Jvmti::new(env), Jni::new(jni)) };
    handle(jni, |handler, jni| handler.vm_init(jvmti, jni));
}

unsafe extern "system" fn vm_death(_env: *mut Env, jni: *mut JNIEnv) {
    // SAFETY: the JVM hands its own environment.
    let jni = unsafe { Jni::new(jni) };
    handle(jni, |handler, jni| handler.vm_death(jni));
}

/// Does nothing: HotSpot walks no stack for a signal handler unless it has somebody to tell of
/// classes.
unsafe extern "system" fn class_load(
    _env: *mut Env,
    _jni: *mut JNIEnv,
    _thread: Thread,
    _class: jclass,
) {
}

unsafe extern "system" fn class_prepare(
    env: *mut Env,
    jni: *mut JNIEnv,
    _thread: Thread,
    class: jclass,
) {
    // SAFETY: the JVM hands its own environments, and a class that is valid until we return.
    let (jvmti, jni, class) = unsafe { (Jvmti::new(env), Jni::new(jni), Object::new(class)) };
    let Some(class) = class else { return };
    handle(jni, |handler, jni| handler.class_prepare(jvmti, jni, class));
}

/// Does nothing: that the JVM has somebody to tell is what changes its code's debug information.
unsafe extern "system" fn compiled_method_load(
    _env: *mut Env,
    _method: jmethodID,
    _code_size: jint,
    _code: *const c_void,
    _map_length: jint,
    _map: *const c_void,
    _compile_info: *const c_void,
) {
}

#[allow(clippy::too_many_arguments)]
unsafe extern "system" fn class_file_load_hook(
    env: *mut Env,
    jni: *mut JNIEnv,
    redefined: jclass,
    loader: jobject,
    name: *const c_char,
    _protection_domain: jobject,
    length: jint,
    bytes: *const c_uchar,
    new_length: *mut jint,
    new_bytes: *mut *mut c_uchar,
) {
    // SAFETY: the JVM hands its own environments, references that are valid until we return, a C
    // string or null, and `length` bytes.
    let (jvmti, jni, redefined, loader, name, bytes) = unsafe {
        (
            Jvmti::new(env),
            Jni::new(jni),
            Object::new(redefined),
            Object::new(loader),
            (!name.is_null()).then(|| CStr::from_ptr(name).to_bytes()),
            match (bytes.is_null(), usize::try_from(length)) {
                (false, Ok(length)) => std::slice::from_raw_parts(bytes, length),
                _ => return,
            },
        )
    };
    // The JVM hands no JNI environment before it is up (the event is switched on later), and no
    // name for some classes that it makes itself.
    let Some(name) = name else { return };
    let mut install = |new: &[u8]| {
        let (Ok(length), Some(memory)) = (jint::try_from(new.len()), jvmti.copy(new)) else {
            return false;
        };
        // SAFETY: the JVM hands addresses for both, which are written once.
        unsafe {
            *new_bytes = memory;
            *new_length = length;
        }
        true
    };
    let class = ClassFile { redefined, loader, name, bytes };
    handle(jni, |handler, jni| handler.class_file(jvmti, jni, &class, &mut install));
}

/// The body of the agent's thread. No exception is pending when a thread starts.
unsafe extern "system" fn agent_thread(_env: *mut Env, jni: *mut JNIEnv, _argument: *mut c_void) {
    // SAFETY: the JVM hands its own environment.
    let jni = unsafe { Jni::new(jni) };
    guard((), || {
        if let (Some(handler), Some(jni)) = (handler(), jni) {
            handler.agent_thread(jni);
        }
    });
}
