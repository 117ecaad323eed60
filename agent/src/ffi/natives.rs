//! The native methods of the runtime's class `Live`.

use super::guard::guard;
use super::interception;
use super::jni::Jni;
use super::reference::Object;
use crate::host::events;
use jni_sys::{JNIEnv, JNINativeMethod, jclass, jint, jlong, jobject};
use std::ffi::{CStr, c_void};

/// A native method: name, descriptor, function.
pub struct Native {
    name: &'static CStr,
    descriptor: &'static CStr,
    function: *const c_void,
}

// SAFETY: it is never written.
unsafe impl Sync for Native {}

impl Native {
    pub(super) const fn raw(&self) -> JNINativeMethod {
        JNINativeMethod {
            name: self.name.as_ptr().cast_mut(),
            signature: self.descriptor.as_ptr().cast_mut(),
            fnPtr: self.function.cast_mut(),
        }
    }
}

/// All of them.
pub static NATIVES: [Native; 7] = [
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
    Native {
        name: c"calledByNative",
        descriptor: c"()V",
        function: called_by_native as *const c_void,
    },
];

unsafe extern "system" fn base(_jni: *mut JNIEnv, _class: jclass) -> jlong {
    guard(0, events::base)
}

unsafe extern "system" fn grow(_jni: *mut JNIEnv, _class: jclass, bytes: jlong) -> jlong {
    guard(-1, || events::grow(bytes))
}

unsafe extern "system" fn space(_jni: *mut JNIEnv, _class: jclass) -> jlong {
    guard(0, events::space)
}

unsafe extern "system" fn first_call(jni: *mut JNIEnv, _class: jclass, id: jint) {
    // SAFETY: the JVM hands its own environment.
    let jni = unsafe { Jni::new(jni) };
    guard((), || {
        if let Some(jni) = jni {
            events::first_call(jni, id);
        }
    });
}

unsafe extern "system" fn reflected(jni: *mut JNIEnv, _class: jclass, member: jobject) {
    // SAFETY: the JVM hands its own environment, and a reference that is valid until we return.
    let (jni, member) = unsafe { (Jni::new(jni), Object::new(member)) };
    guard((), || {
        if let (Some(jni), Some(member)) = (jni, member) {
            events::reflected(jni, member);
        }
    });
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
    guard((), || {
        if let (Some(jni), Some(class), Some(name)) = (jni, class, name) {
            events::looked_up(jni, class, name, kind);
        }
    });
}

unsafe extern "system" fn called_by_native(jni: *mut JNIEnv, _class: jclass) {
    // SAFETY: the JVM hands its own environment.
    let jni = unsafe { Jni::new(jni) };
    guard((), || {
        if let (Some(jni), Some(method)) = (jni, interception::take_called()) {
            events::called_by_native(jni, method);
        }
    });
}
