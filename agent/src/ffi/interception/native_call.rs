//! One call by native code: what the stubs call before the function of the table.

use super::followed;
use crate::ffi::handler::{guard, handler, is_inside};
use crate::ffi::jni::Jni;
use crate::ffi::reference::Method;
use crate::ffi::table::JNI_SLOTS;
use jni_sys::{JNIEnv, jmethodID, jobject};
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

/// `NewObject`, with variable parameters, a list of them, and an array.
pub const NEW_OBJECT: Range<usize> = 28..31;
/// `CallObjectMethod` to `CallVoidMethodA`.
pub const VIRTUAL: Range<usize> = 34..64;
/// `CallNonvirtualObjectMethod` to `CallNonvirtualVoidMethodA`: the class stands before the method.
pub const NONVIRTUAL: Range<usize> = 64..94;
/// `CallStaticObjectMethod` to `CallStaticVoidMethodA`.
pub const STATIC: Range<usize> = 114..144;

/// The number of the session that follows native calls; 0: none, and the stubs do nothing. Written
/// as a session begins and ends.
pub static SESSION: AtomicU32 = AtomicU32::new(0);
/// By slot, the function that stood in the table before. Written before the stub is in the table,
/// and never null again.
pub static ORIGINALS: [AtomicPtr<c_void>; JNI_SLOTS] =
    [const { AtomicPtr::new(null_mut()) }; JNI_SLOTS];

thread_local! {
    /// The method that native code is about to call, between [`entered`] and [`take_called`].
    static CALLED: Cell<Option<Method>> = const { Cell::new(None) };
}

/// The method that native code is about to call on this thread; given once.
pub fn take_called() -> Option<Method> {
    CALLED.take()
}

/// Native code calls the function in this slot with these third and fourth arguments. The caller
/// keeps its pending exception and its references.
///
/// # Safety
/// Called by a stub, with the arguments that native code handed to the function.
pub unsafe extern "C" fn entered(
    env: *mut JNIEnv,
    _target: jobject,
    third: *mut c_void,
    fourth: *mut c_void,
    slot: u32,
) {
    let session = SESSION.load(Ordering::Acquire);
    let method = if NONVIRTUAL.contains(&(slot as usize)) { fourth } else { third };
    if session == 0 || method.is_null() || followed::has(session, method) {
        return;
    }
    // SAFETY: `env` is the environment of the thread that calls JNI, and `method` stands where JNI
    // takes a method's id.
    unsafe { follow(env, session, method.cast()) };
}

/// # Safety
/// `env` is this thread's, `method` a method's id.
#[cold]
unsafe fn follow(env: *mut JNIEnv, session: u32, method: jmethodID) {
    // The agent calls: the JVM may be in the middle of anything.
    if is_inside() {
        return;
    }
    guard((), || {
        // SAFETY: as the caller promises.
        if let Some(jni) = unsafe { Jni::new(env) } {
            // SAFETY: as above.
            CALLED.set(unsafe { Method::new(method) });
            let is_done = handler().is_some_and(|handler| jni.aside(|| handler.native_call(jni)));
            if is_done {
                followed::add(session, method.cast());
            }
        }
    });
    CALLED.set(None);
}
