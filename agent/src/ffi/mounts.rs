//! For how long virtual threads are parked, by HotSpot's extension events `VirtualThreadMount` and
//! `VirtualThreadUnmount`.
//!
//! A thread's parked time travels with it in JVMTI's thread-local storage: at an unmount this gets
//! what has no record so far, less the time. So at the mount the sum is there in one addition, and
//! nothing needs a lock or a table. While the thread is mounted the sum is in a word of the OS
//! thread, where the runtime reads it and sets it to zero. A thread that was parked before the
//! events were on brings a wrong sum. The runtime sets the word to zero when a thread comes inside.
//!
//! The callbacks run on each mount of the program: they call no Java code, take no lock of ours,
//! allocate nothing themselves and have nothing that could panic. The JVM allocates its state of a
//! virtual thread for agents when the thread's storage is first set.

use super::clock::{ChosenClock, SessionClock};
use super::error::JvmError;
use super::jvmti::Jvmti;
use super::reference::Object;
use super::table::{Env, Thread};
use jni_sys::JNIEnv;
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Which clock the callbacks read; none while no session wants parked times.
static CLOCK: ChosenClock = ChosenClock::new();
/// `HEADER_PAUSED` of the session, at the same address in all of them.
static PAUSED: OnceLock<&'static AtomicU64> = OnceLock::new();

thread_local! {
    /// Ticks for which the virtual thread on this OS thread was parked, as far as they have no
    /// record. The runtime has its address.
    static PARKED: Cell<u64> = const { Cell::new(0) };
}

/// In the thread-local storage of a mounted thread: no unmount is to be ended.
const MOUNTED: u64 = 1;

/// The environment whose storage is used, once one has watched.
static ENVIRONMENT: OnceLock<Jvmti> = OnceLock::new();

/// Sees when the current thread parks, a virtual one. JDK 21 sends no events for a thread that
/// agents have not looked at since it began; its storage is such a look.
pub fn watch() {
    if let Some(jvmti) = ENVIRONMENT.get()
        && jvmti.thread_local() == Some(0)
    {
        jvmti.set_thread_local(MOUNTED);
    }
}

/// Ticks for which a thread is parked and that have no record; zero if it has a carrier.
pub fn parked_so_far(thread: Object<'_>) -> i64 {
    let sum = ENVIRONMENT.get().and_then(|jvmti| jvmti.thread_local_of(thread));
    match (sum, now()) {
        (Some(sum), Some(now)) if sum > MOUNTED => sum.wrapping_add(now).cast_signed(),
        _ => 0,
    }
}

/// The address of this OS thread's word, for its life.
pub fn parked_place() -> i64 {
    PARKED.with(|parked| parked.as_ptr().addr().cast_signed() as i64)
}

/// Watches all virtual threads from here on. The clock must stay the same for the JVM's life.
///
/// # Errors
/// Fails if the JVM cannot tell; nothing is watched then.
pub fn begin(
    jvmti: Jvmti,
    clock: SessionClock,
    paused: &'static AtomicU64,
) -> Result<(), JvmError> {
    if !jvmti.add_virtual_threads().map_err(JvmError::MountEvents)? {
        return Err(JvmError::NoVirtualThreads);
    }
    let Some(events) = events(jvmti) else {
        jvmti.relinquish_virtual_threads();
        return Err(JvmError::NoMountEvents);
    };
    ENVIRONMENT.get_or_init(|| jvmti);
    PAUSED.get_or_init(|| paused);
    CLOCK.set(clock);
    let on = events.into_iter().try_for_each(|(event, callback)| {
        // SAFETY: the events' parameters are those of the callbacks (HotSpot, jvmtiExtensions.cpp).
        unsafe { jvmti.set_extension_event(event, Some(callback)) }
    });
    on.map_err(|error| {
        end(jvmti);
        JvmError::MountEvents(error)
    })
}

/// Watches no more. Callbacks that run at the moment do no harm: all that they write is theirs.
pub fn end(jvmti: Jvmti) {
    if !CLOCK.clear() {
        return;
    }
    for (event, _) in events(jvmti).into_iter().flatten() {
        // SAFETY: without a callback. If the JVM refuses, the callbacks do nothing.
        let _ = unsafe { jvmti.set_extension_event(event, None) };
    }
    jvmti.relinquish_virtual_threads();
}

/// The callbacks with the numbers of their events.
fn events(jvmti: Jvmti) -> Option<[(i32, *const c_void); 2]> {
    let unmount = jvmti.extension_event(b"com.sun.hotspot.events.VirtualThreadUnmount")?;
    let mount = jvmti.extension_event(b"com.sun.hotspot.events.VirtualThreadMount")?;
    Some([(unmount, unmounted as *const c_void), (mount, mounted as *const c_void)])
}

/// The program's time in ticks: without the pauses, which are no time of any thread.
fn now() -> Option<u64> {
    let time = CLOCK.now()?;
    Some(time.wrapping_sub(PAUSED.get()?.load(Ordering::Acquire)))
}

/// VirtualThreadUnmount: the current thread, a virtual one, is about to leave its carrier.
unsafe extern "system" fn unmounted(env: *mut Env, _jni: *mut JNIEnv, _thread: Thread) {
    let Some(now) = now() else { return };
    // A tick more is within the clock's error.
    let sum = PARKED.replace(0).wrapping_sub(now).max(MOUNTED + 1);
    // SAFETY: the JVM hands its own environment. If it fails, the mount finds no sum.
    unsafe { Jvmti::new(env) }.set_thread_local(sum);
}

/// VirtualThreadMount: the current thread, a virtual one, has a carrier.
unsafe extern "system" fn mounted(env: *mut Env, _jni: *mut JNIEnv, _thread: Thread) {
    // SAFETY: the JVM hands its own environment.
    let jvmti = unsafe { Jvmti::new(env) };
    match jvmti.thread_local() {
        None | Some(0 | MOUNTED) => PARKED.set(0),
        Some(sum) => {
            PARKED.set(now().map_or(0, |now| sum.wrapping_add(now)));
            // If it fails, the next unmount overwrites the sum.
            jvmti.set_thread_local(MOUNTED);
        }
    }
}
