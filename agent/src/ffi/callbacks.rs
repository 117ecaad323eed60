//! The functions that the JVM calls with events.

use super::guard::guard;
use super::jni::Jni;
use super::jvmti::Jvmti;
use super::reference::Object;
use super::table::{Env, EventCallbacks, Thread};
use crate::host::events::{self, ClassFile};
use jni_sys::{JNIEnv, jclass, jint, jobject};
use std::ffi::{CStr, c_char, c_uchar, c_void};

/// What is handed to SetEventCallbacks.
pub static TABLE: Table = Table(
    EventCallbacks::new()
        .with(50, vm_init as *const c_void)
        .with(51, vm_death as *const c_void)
        .with(54, class_file_load_hook as *const c_void)
        .with(56, class_prepare as *const c_void),
);

/// The callbacks: addresses of functions, which any thread may read.
#[repr(transparent)]
pub struct Table(EventCallbacks);

// SAFETY: it is never written.
unsafe impl Sync for Table {}

impl std::ops::Deref for Table {
    type Target = EventCallbacks;

    fn deref(&self) -> &EventCallbacks {
        &self.0
    }
}

unsafe extern "system" fn vm_init(env: *mut Env, jni: *mut JNIEnv, _thread: Thread) {
    // SAFETY: the JVM hands its own environments.
    let (jvmti, jni) = unsafe { (Jvmti::new(env), Jni::new(jni)) };
    guard((), || {
        if let Some(jni) = jni {
            jni.aside(|| events::vm_init(jvmti, jni));
        }
    });
}

unsafe extern "system" fn vm_death(env: *mut Env, jni: *mut JNIEnv) {
    // SAFETY: the JVM hands its own environments.
    let (jvmti, jni) = unsafe { (Jvmti::new(env), Jni::new(jni)) };
    guard((), || {
        if let Some(jni) = jni {
            jni.aside(|| events::vm_death(jvmti, jni));
        }
    });
}

unsafe extern "system" fn class_prepare(
    env: *mut Env,
    jni: *mut JNIEnv,
    _thread: Thread,
    class: jclass,
) {
    // SAFETY: the JVM hands its own environments, and a class that is valid until we return.
    let (jvmti, jni, class) = unsafe { (Jvmti::new(env), Jni::new(jni), Object::new(class)) };
    guard((), || {
        if let (Some(jni), Some(class)) = (jni, class) {
            jni.aside(|| events::class_prepare(jvmti, jni, class));
        }
    });
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
    guard((), || {
        // SAFETY: the JVM hands its own environments, references that are valid until we return, a
        // C string or null, and `length` bytes.
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
        // Null before the JVM is up; the event is switched on later.
        let (Some(jni), Some(name)) = (jni, name) else { return };
        let mut install = |new: &[u8]| {
            let (Ok(length), Some(memory)) = (jint::try_from(new.len()), jvmti.copy(new)) else {
                return false;
            };
            // SAFETY: the JVM hands places for both, which are written once.
            unsafe {
                *new_bytes = memory;
                *new_length = length;
            }
            true
        };
        let class = ClassFile { redefined, loader, name, bytes };
        jni.aside(|| events::class_file(jvmti, jni, &class, &mut install));
    });
}

/// The body of the agent's thread.
pub unsafe extern "system" fn agent_thread(
    env: *mut Env,
    jni: *mut JNIEnv,
    _argument: *mut c_void,
) {
    // SAFETY: the JVM hands its own environments.
    let (jvmti, jni) = unsafe { (Jvmti::new(env), Jni::new(jni)) };
    guard((), || {
        if let Some(jni) = jni {
            events::agent_thread(jvmti, jni);
        }
    });
}
