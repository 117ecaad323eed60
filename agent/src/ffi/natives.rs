//! The native methods of the runtime's classes.

use super::error::JniError;
use super::handler::{Handler, guard, handler};
use super::interception::take_called;
use super::jni::Jni;
use super::mounts;
use super::reference::Object;
use super::symbols;
use jfathom_clock::NativeRead;
use jni_sys::{JNIEnv, JNINativeMethod, jclass, jint, jlong, jobject};
use std::ffi::{CStr, c_void};

/// A native method, static.
pub struct Native {
    name: &'static CStr,
    descriptor: &'static CStr,
    function: *const c_void,
}

// SAFETY: it is never written.
unsafe impl Sync for Native {}

impl Native {
    /// `read`, the clock's method.
    pub const fn read(function: NativeRead) -> Self {
        Self { name: c"read", descriptor: c"()J", function: function as *const c_void }
    }

    const fn raw(&self) -> JNINativeMethod {
        JNINativeMethod {
            name: self.name.as_ptr().cast_mut(),
            signature: self.descriptor.as_ptr().cast_mut(),
            fnPtr: self.function.cast_mut(),
        }
    }
}

/// The native methods of the interface between agent and runtime.
pub static INTERFACE: [Native; 12] = [
    Native { name: c"base", descriptor: c"()J", function: base as *const c_void },
    Native { name: c"grow", descriptor: c"(J)J", function: grow as *const c_void },
    Native { name: c"space", descriptor: c"()J", function: space as *const c_void },
    Native { name: c"firstCall", descriptor: c"(I)V", function: first_call as *const c_void },
    Native {
        name: c"reflected",
        descriptor: c"(Ljava/lang/Object;)V",
        function: reflected as *const c_void,
    },
    Native {
        name: c"lookedUp",
        descriptor: c"(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V",
        function: looked_up as *const c_void,
    },
    Native { name: c"parkedPlace", descriptor: c"()J", function: parked_place as *const c_void },
    Native { name: c"watchMounts", descriptor: c"()V", function: watch_mounts as *const c_void },
    Native {
        name: c"parkedSoFar",
        descriptor: c"(Ljava/lang/Thread;)J",
        function: parked_so_far as *const c_void,
    },
    Native { name: c"vmSymbol", descriptor: c"(I)J", function: vm_symbol as *const c_void },
    Native {
        name: c"threadCpuNanos",
        descriptor: c"()J",
        function: thread_cpu_nanos as *const c_void,
    },
    Native {
        name: c"calledByNative",
        descriptor: c"()V",
        function: called_by_native as *const c_void,
    },
];

/// Registers native methods with the class that declares them.
///
/// # Errors
/// Fails if the class does not declare them all.
pub fn register(jni: Jni<'_>, class: Object<'_>, natives: &[Native]) -> Result<(), JniError> {
    let methods: Vec<JNINativeMethod> = natives.iter().map(Native::raw).collect();
    // SAFETY: each function has the parameters and the result of its descriptor.
    unsafe { jni.register_natives(class, &methods) }
}

/// The handler's answer, guarded; `otherwise` without a handler or after a panic.
fn answer<R: Copy>(otherwise: R, body: impl FnOnce(&'static dyn Handler) -> R) -> R {
    guard(otherwise, || handler().map_or(otherwise, body))
}

unsafe extern "system" fn base(_jni: *mut JNIEnv, _class: jclass) -> jlong {
    answer(0, |handler| handler.base())
}

unsafe extern "system" fn grow(_jni: *mut JNIEnv, _class: jclass, bytes: jlong) -> jlong {
    answer(-1, |handler| handler.grow(bytes))
}

unsafe extern "system" fn space(_jni: *mut JNIEnv, _class: jclass) -> jlong {
    answer(0, |handler| handler.space())
}

unsafe extern "system" fn first_call(jni: *mut JNIEnv, _class: jclass, id: jint) {
    // SAFETY: the JVM hands its own environment.
    let Some(jni) = (unsafe { Jni::new(jni) }) else { return };
    answer((), |handler| handler.first_call(jni, id));
}

unsafe extern "system" fn reflected(jni: *mut JNIEnv, _class: jclass, member: jobject) {
    // SAFETY: the JVM hands its own environment, and a reference that is valid until we return.
    let (Some(jni), Some(member)) = (unsafe { (Jni::new(jni), Object::new(member)) }) else {
        return;
    };
    answer((), |handler| handler.reflected(jni, member));
}

unsafe extern "system" fn looked_up(
    jni: *mut JNIEnv,
    _class: jclass,
    class: jclass,
    name: jobject,
    kind: jobject,
) {
    // SAFETY: as for `reflected`.
    let (jni, class, name, kind) =
        unsafe { (Jni::new(jni), Object::new(class), Object::new(name), Object::new(kind)) };
    let (Some(jni), Some(class), Some(name)) = (jni, class, name) else { return };
    answer((), |handler| handler.looked_up(jni, class, name, kind));
}

unsafe extern "system" fn thread_cpu_nanos(_jni: *mut JNIEnv, _class: jclass) -> jlong {
    guard(0, || jfathom_clock::thread_cpu_nanos().unwrap_or(0))
}

unsafe extern "system" fn parked_place(_jni: *mut JNIEnv, _class: jclass) -> jlong {
    guard(0, mounts::parked_place)
}

unsafe extern "system" fn watch_mounts(_jni: *mut JNIEnv, _class: jclass) {
    guard((), mounts::watch);
}

unsafe extern "system" fn parked_so_far(
    _jni: *mut JNIEnv,
    _class: jclass,
    thread: jobject,
) -> jlong {
    // SAFETY: as for `reflected`.
    let Some(thread) = (unsafe { Object::new(thread) }) else { return 0 };
    guard(0, || mounts::parked_so_far(thread))
}

unsafe extern "system" fn vm_symbol(_jni: *mut JNIEnv, _class: jclass, which: jint) -> jlong {
    guard(0, || symbols::vm_symbol(which))
}

unsafe extern "system" fn called_by_native(jni: *mut JNIEnv, _class: jclass) {
    // SAFETY: the JVM hands its own environment.
    let Some(jni) = (unsafe { Jni::new(jni) }) else { return };
    answer((), |handler| {
        if let Some(method) = take_called() {
            handler.called_by_native(jni, method);
        }
    });
}
