//! The functions by which the JVM enters the library (JVMTI specification, "Agent Start-Up").

use super::handler::guard;
use super::handler::{Handler, install};
use super::jni::{self, Jni};
use jni_sys::{JNI_ERR, JNI_OK, JavaVM, jint};
use std::ffi::{CStr, c_char};

/// Result of Agent_OnAttach if no session runs. HotSpot passes it on to the attaching process.
const NO_SESSION: jint = 1;

/// Exports the library's entry points, with the handler that they and all later calls go to.
macro_rules! entry_points {
    ($handler:expr) => {
        /// The JVM starts with the library.
        ///
        /// # Safety
        /// Called by a JVM.
        #[unsafe(no_mangle)]
        #[allow(unsafe_code, non_snake_case)]
        pub unsafe extern "system" fn Agent_OnLoad(
            vm: *mut jni_sys::JavaVM,
            options: *mut std::ffi::c_char,
            _reserved: *mut std::ffi::c_void,
        ) -> jni_sys::jint {
            // SAFETY: the JVM hands itself, and a C string or null.
            unsafe { $crate::ffi::entry::on_load(&$handler, vm, options) }
        }

        /// A process has loaded the library into the running JVM, for the first time or again.
        ///
        /// # Safety
        /// Called by a JVM.
        #[unsafe(no_mangle)]
        #[allow(unsafe_code, non_snake_case)]
        pub unsafe extern "system" fn Agent_OnAttach(
            vm: *mut jni_sys::JavaVM,
            options: *mut std::ffi::c_char,
            _reserved: *mut std::ffi::c_void,
        ) -> jni_sys::jint {
            // SAFETY: the JVM hands itself, and a C string or null.
            unsafe { $crate::ffi::entry::on_attach(&$handler, vm, options) }
        }

        /// The JVM is gone.
        ///
        /// # Safety
        /// Called by a JVM.
        #[unsafe(no_mangle)]
        #[allow(unsafe_code, non_snake_case)]
        pub unsafe extern "system" fn Agent_OnUnload(_vm: *mut jni_sys::JavaVM) {}
    };
}

pub(crate) use entry_points;

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

/// Agent_OnLoad. The JVM goes on whatever happens here.
///
/// # Safety
/// `vm` is the JVM that calls, `options` null or a C string.
pub unsafe fn on_load(
    handler: &'static dyn Handler,
    vm: *mut JavaVM,
    options: *const c_char,
) -> jint {
    guard(JNI_OK, || {
        // SAFETY: as the caller promises.
        let options = unsafe {
            jni::remember(vm);
            text(options)
        };
        install(handler);
        handler.on_load(&options);
        JNI_OK
    })
}

/// Agent_OnAttach.
///
/// # Safety
/// As for [`on_load`].
pub unsafe fn on_attach(
    handler: &'static dyn Handler,
    vm: *mut JavaVM,
    options: *const c_char,
) -> jint {
    guard(JNI_ERR, || {
        // SAFETY: as the caller promises.
        let options = unsafe {
            jni::remember(vm);
            text(options)
        };
        install(handler);
        let Some(jni) = Jni::current() else { return JNI_ERR };
        jni.aside(|| if handler.on_attach(jni, &options) { JNI_OK } else { NO_SESSION })
    })
}
