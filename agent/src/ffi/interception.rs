//! JNI function interception (JVMTI specification, "JNI Function Interception"): while a session
//! lasts, the functions of JNI's table by which native code calls methods pass through here, so
//! that the methods which native code calls are followed.
//!
//! A stub for each function calls [`entered`](native_call::entered) with the caller's own
//! arguments, and then goes on to the function that stood in the table before. The stubs are
//! machine code for the architecture at hand, since a third of the functions have variable
//! parameters. They stay valid for the JVM's life: native code may have kept their addresses.

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
mod native_call;

pub use native_call::take_called;

use super::error::JvmtiError;
use super::jvmti::Jvmti;
use super::table::JNI_SLOTS as SLOTS;
use native_call::{NEW_OBJECT, NONVIRTUAL, ORIGINALS, SESSION, STATIC, VIRTUAL};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The number of the last session that followed native calls. Written as a session begins.
static LAST: AtomicU32 = AtomicU32::new(0);
/// By slot: whether another agent has put a function there after ours, which may call our stub. A
/// second stub of ours in that slot could then call itself for ever. Written as a session ends.
static OVERLAID: [AtomicBool; SLOTS] = [const { AtomicBool::new(false) }; SLOTS];

/// Whether native calls can be followed on this architecture.
pub const fn is_supported() -> bool {
    stubs::SUPPORTED
}

/// Begins to follow native calls. Returns whether all of them are followed: not if another agent
/// has replaced functions of the table after an earlier session of ours. Those functions are
/// followed as far as they call ours.
///
/// # Errors
/// JVMTI's; nothing is followed then.
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
            // If the original is back, the other agent has gone.
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

/// Ends the following of native calls: stubs that are called do nothing.
pub fn pause() {
    SESSION.store(0, Ordering::Release);
}

/// Puts the original functions back into JNI's table, but for those that another agent has
/// replaced meanwhile.
///
/// # Errors
/// JVMTI's; the stubs stay in the table then, and do nothing.
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

fn slots() -> impl Iterator<Item = usize> {
    NEW_OBJECT.chain(VIRTUAL).chain(NONVIRTUAL).chain(STATIC)
}
