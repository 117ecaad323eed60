//! The functions by which the JVM enters the library.

use super::guard::guard;
use super::jni;
use crate::host::events;
use jni_sys::{JNI_ERR, JNI_OK, JavaVM, jint};
use std::ffi::{CStr, c_char, c_void};

/// The option string; empty for null.
///
/// # Safety
/// `options` is null or a C string.
unsafe fn text(options: *const c_char) -> String {
    if options.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(options) }.to_string_lossy().into_owned()
}

/// The JVM starts with the library. It goes on whatever happens here.
///
/// # Safety
/// Called by a JVM.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "system" fn Agent_OnLoad(
    vm: *mut JavaVM,
    options: *mut c_char,
    _reserved: *mut c_void,
) -> jint {
    guard(JNI_OK, || {
        // SAFETY: the JVM hands itself and a C string or null.
        let options = unsafe {
            jni::remember(vm);
            text(options)
        };
        events::on_load(&options);
        JNI_OK
    })
}

/// The library is loaded into a running JVM, for the first time or again.
///
/// # Safety
/// Called by a JVM.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "system" fn Agent_OnAttach(
    vm: *mut JavaVM,
    options: *mut c_char,
    _reserved: *mut c_void,
) -> jint {
    guard(JNI_ERR, || {
        // SAFETY: the JVM hands itself and a C string or null.
        let options = unsafe {
            jni::remember(vm);
            text(options)
        };
        let Some(jni) = jni::Jni::current() else { return JNI_ERR };
        // What HotSpot answers the one who attaches.
        jni.aside(|| if events::on_attach(jni, &options) { JNI_OK } else { 1 })
    })
}

/// The JVM is gone.
///
/// # Safety
/// Called by a JVM.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "system" fn Agent_OnUnload(_vm: *mut JavaVM) {}
