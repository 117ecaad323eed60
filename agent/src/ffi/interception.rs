//! JNI function interception (JVMTI specification, "JNI Function Interception"): while a session
//! lasts, the functions of JNI's table by which native code calls methods pass through here, so
//! that the methods which native code calls are followed.
//!
//! [`entered`] is called before each such call, with the caller's own arguments, and the call then
//! goes on to the function that stood in the table before. The stubs that do this are machine code
//! for the architecture at hand, since a third of the functions have variable parameters. They stay
//! valid for the JVM's life: native code may have kept their addresses.

#[cfg(target_arch = "aarch64")]
#[path = "interception/aarch64.rs"]
mod stubs;
#[cfg(target_arch = "x86_64")]
#[path = "interception/x86_64.rs"]
mod stubs;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "interception/none.rs"]
mod stubs;

mod followed;

use super::error::JvmtiError;
use super::guard::{guard, is_inside};
use super::jni::Jni;
use super::jvmti::Jvmti;
use super::reference::Method;
use crate::host::events;
use jni_sys::{JNIEnv, jmethodID, jobject};
use std::cell::Cell;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

/// One past the last slot of JNI's table that is touched; the table is longer (JNI specification,
/// "JNI Functions").
pub(super) const SLOTS: usize = 144;
/// `NewObject`, with variable parameters, a list of them, and an array.
const NEW_OBJECT: Range<usize> = 28..31;
/// `CallObjectMethod` to `CallVoidMethodA`.
const VIRTUAL: Range<usize> = 34..64;
/// `CallNonvirtualObjectMethod` to `CallNonvirtualVoidMethodA`: the class stands before the method.
const NONVIRTUAL: Range<usize> = 64..94;
/// `CallStaticObjectMethod` to `CallStaticVoidMethodA`.
const STATIC: Range<usize> = 114..144;

/// Which session follows native calls; 0: none, and the stubs do nothing. Written as a session
/// begins and ends.
static SESSION: AtomicU32 = AtomicU32::new(0);
/// The number of the last session that did.
static LAST: AtomicU32 = AtomicU32::new(0);
/// By slot, the function that stood in the table before. Written before the stub is in the table,
/// and never null again.
static ORIGINALS: [AtomicPtr<c_void>; SLOTS] = [const { AtomicPtr::new(null_mut()) }; SLOTS];
/// By slot: whether somebody has put a function there after us, which may call our stub: another
/// stub there could call itself for ever. Written as a session ends.
static OVERLAID: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];

thread_local! {
    /// The method that native code is about to call, between [`entered`] and [`take_called`].
    static CALLED: Cell<Option<Method>> = const { Cell::new(None) };
}

/// Whether native calls can be followed on this architecture.
pub const fn is_supported() -> bool {
    stubs::SUPPORTED
}

/// Begins to follow native calls. Gives whether all of them are: not so where another agent has
/// replaced functions of the table after an earlier session of ours; those are followed as far as
/// its functions call ours.
///
/// # Errors
/// What JVMTI says; nothing is followed then.
pub fn begin(jvmti: Jvmti) -> Result<bool, JvmtiError> {
    if !is_supported() {
        return Ok(false);
    }
    let mut all = true;
    jvmti.change_jni_functions(|table| {
        let mut changed = false;
        for slot in slots() {
            let Some(function) = table.get_mut(slot) else { continue };
            let stub = stubs::address(slot);
            if *function == stub {
                continue;
            }
            // Where the original is back, the other agent has gone.
            if OVERLAID[slot].load(Ordering::Acquire)
                && *function != ORIGINALS[slot].load(Ordering::Acquire)
            {
                all = false;
            } else {
                ORIGINALS[slot].store(*function, Ordering::Release);
                *function = stub;
                changed = true;
            }
        }
        changed
    })?;
    let session = LAST.fetch_add(1, Ordering::AcqRel).wrapping_add(1) % followed::SESSIONS + 1;
    SESSION.store(session, Ordering::Release);
    Ok(all)
}

/// Follows no native call any more; stubs that are called do nothing.
pub fn pause() {
    SESSION.store(0, Ordering::Release);
}

/// Puts the functions back that stood in JNI's table, but for those that somebody else has replaced
/// meanwhile.
///
/// # Errors
/// What JVMTI says; the stubs stay in the table then, and do nothing.
pub fn end(jvmti: Jvmti) -> Result<(), JvmtiError> {
    pause();
    if !is_supported() {
        return Ok(());
    }
    jvmti.change_jni_functions(|table| {
        let mut changed = false;
        for slot in slots() {
            let Some(function) = table.get_mut(slot) else { continue };
            let original = ORIGINALS[slot].load(Ordering::Acquire);
            if *function == stubs::address(slot) {
                *function = original;
                changed = true;
            } else if *function != original && !original.is_null() {
                OVERLAID[slot].store(true, Ordering::Release);
            }
        }
        changed
    })
}

/// The method that native code is about to call on this thread; given once.
pub fn take_called() -> Option<Method> {
    CALLED.take()
}

fn slots() -> impl Iterator<Item = usize> {
    NEW_OBJECT.chain(VIRTUAL).chain(NONVIRTUAL).chain(STATIC)
}

/// Native code calls a function of the table: what it names as the third and fourth argument, and
/// the function's slot. Nothing that is the caller's changes: neither its exception nor its
/// references.
///
/// # Safety
/// Called by a stub, with the arguments that native code handed to the function.
unsafe extern "C" fn entered(
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
    // SAFETY: it is the environment of the thread that calls JNI, and what JNI takes for a method's
    // id.
    unsafe { follow(env, session, method.cast()) };
}

/// # Safety
/// `env` is this thread's, `method` a method's id.
#[cold]
unsafe fn follow(env: *mut JNIEnv, session: u32, method: jmethodID) {
    // A call of our own: the JVM may be in the middle of anything.
    if is_inside() {
        return;
    }
    guard((), || {
        // SAFETY: as the caller promises.
        if let Some(jni) = unsafe { Jni::new(env) } {
            // SAFETY: as above.
            CALLED.set(unsafe { Method::new(method) });
            if jni.aside(|| events::native_call(jni)) {
                followed::add(session, method.cast());
            }
        }
    });
    CALLED.set(None);
}
