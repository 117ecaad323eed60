//! The handler of SIGPROF.

use super::super::clock::{ChosenClock, SessionClock};
use super::super::jni;
use super::SamplingError;
use super::call_trace::CallTrace;
use super::slots::{DEPTH, Sample, SlotMemory};
use jfathom_trace::slots::{Gate, SlotConsumer};
use jni_sys::JNI_VERSION_1_8;
use rustix::io::Errno;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{addr_of, null, null_mut};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What the handler works with. Made once, before the handler is installed.
struct Tools {
    call_trace: CallTrace,
    memory: SlotMemory,
}

static TOOLS: OnceLock<Tools> = OnceLock::new();
/// The word of the [`Gate`] that handlers pass: open while a session samples.
static GATE: AtomicU64 = AtomicU64::new(0);
/// The session's clock.
static CLOCK: ChosenClock = ChosenClock::new();
/// Samples whose stack the JVM could not walk. Counted by handlers; set to zero as sampling begins.
static UNWALKABLE: AtomicU64 = AtomicU64::new(0);
/// Samples that found no free slot. Counted and set to zero in the same way.
static NO_SPACE: AtomicU64 = AtomicU64::new(0);
/// Kernel ids of threads that the JVM does not know, at their remainder by the length; zero where
/// there is none. Written by handlers, set to zero by the agent's thread.
static UNKNOWN: [AtomicU32; 64] = [const { AtomicU32::new(0) }; 64];
/// Where the agent's thread stands in the slots.
static CONSUMER: Mutex<SlotConsumer> = Mutex::new(SlotConsumer::new());

/// Makes what the handler works with, and installs it.
pub fn prepare() -> Result<(), SamplingError> {
    if TOOLS.get().is_none() {
        let call_trace = CallTrace::find().ok_or(SamplingError::NoCallTrace)?;
        let memory = SlotMemory::map().map_err(SamplingError::Memory)?;
        TOOLS.get_or_init(|| Tools { call_trace, memory });
    }
    install()
}

/// Lets handlers take samples.
pub fn open(clock: SessionClock) {
    drain(|_| {});
    for count in [&UNWALKABLE, &NO_SPACE] {
        count.store(0, Ordering::Relaxed);
    }
    unknown_threads().for_each(drop);
    CLOCK.set(clock);
    Gate::new(&GATE).open();
}

/// Lets no more handlers take samples.
pub fn close() {
    Gate::new(&GATE).close();
}

/// Whether no handler is running.
pub fn is_quiet() -> bool {
    Gate::new(&GATE).is_empty()
}

pub fn lost() -> (u64, u64) {
    (UNWALKABLE.load(Ordering::Relaxed), NO_SPACE.load(Ordering::Relaxed))
}

pub fn unknown_threads() -> impl Iterator<Item = u32> {
    UNKNOWN.iter().map(|id| id.swap(0, Ordering::Relaxed)).filter(|id| *id != 0)
}

pub fn drain(each: impl FnMut(Sample<'_>)) {
    if let Some(tools) = TOOLS.get() {
        let mut consumer = CONSUMER.lock().unwrap_or_else(PoisonError::into_inner);
        tools.memory.drain(&mut consumer, each);
    }
}

pub fn release_memory() {
    let Some(tools) = TOOLS.get() else { return };
    drain(|_| {});
    if is_quiet() {
        // SAFETY: the gate is closed and no handler is inside, so no slot is claimed. Only whoever
        // holds the session's sampling opens it.
        unsafe { tools.memory.release() };
    }
}

/// Whether the signal is ours.
pub fn has_signal() -> bool {
    disposition().is_ok_and(|action| action.sa_sigaction == address())
}

fn address() -> libc::sighandler_t {
    (on_signal as *const c_void).addr()
}

fn disposition() -> Result<libc::sigaction, Errno> {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is changed; the structure is ours, and zeros are a value of it.
    unsafe {
        match libc::sigaction(libc::SIGPROF, null(), action.as_mut_ptr()) {
            0 => Ok(action.assume_init()),
            _ => Err(last_error()),
        }
    }
}

fn install() -> Result<(), SamplingError> {
    let before = disposition().map_err(SamplingError::Handler)?.sa_sigaction;
    if before == address() {
        return Ok(());
    }
    if before != libc::SIG_DFL && before != libc::SIG_IGN {
        return Err(SamplingError::SignalTaken);
    }
    // SAFETY: zeros are a value of the structure: no flags, no signal blocked.
    let mut action: libc::sigaction = unsafe { MaybeUninit::zeroed().assume_init() };
    action.sa_sigaction = address();
    action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
    // SAFETY: the handler has the parameters that SA_SIGINFO asks for, keeps to what handlers may
    // do, and lies in a library that is never unloaded.
    match unsafe { libc::sigaction(libc::SIGPROF, addr_of!(action), null_mut()) } {
        0 => Ok(()),
        _ => Err(SamplingError::Handler(last_error())),
    }
}

fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::INVAL)
}

/// SIGPROF arrives on this thread.
unsafe extern "C" fn on_signal(_signal: c_int, _info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the thread's own errno, which the interrupted code may be about to read.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: as above.
    let before = unsafe { *errno };
    let gate = Gate::new(&GATE);
    if gate.enter() {
        // SAFETY: the kernel hands the context.
        unsafe { take_sample(context) };
    }
    gate.leave();
    // SAFETY: as above.
    unsafe { *errno = before };
}

/// Samples the current thread.
///
/// # Safety
/// Called in a signal handler that got this context.
unsafe fn take_sample(context: *mut c_void) {
    let (Some(tools), Some(time)) = (TOOLS.get(), CLOCK.now()) else { return };
    // SAFETY: it has no conditions.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) } as u32;
    let env = jni::interface(JNI_VERSION_1_8);
    if env.is_null() {
        UNKNOWN[thread as usize % UNKNOWN.len()].store(thread, Ordering::Relaxed);
        return;
    }
    let Some((claim, slot)) = tools.memory.claim() else {
        NO_SPACE.fetch_add(1, Ordering::Relaxed);
        return;
    };
    // SAFETY: the slot is ours until it is published; the environment is this thread's, and the
    // context the handler's.
    let count = unsafe {
        let frames = (&raw mut (*slot).frames).cast();
        let count = tools.call_trace.walk(env.cast(), frames, DEPTH as i32, context);
        (&raw mut (*slot).time).write(time);
        (&raw mut (*slot).thread).write(thread);
        (&raw mut (*slot).count).write(count);
        count
    };
    tools.memory.publish(claim);
    if count < 0 {
        UNWALKABLE.fetch_add(1, Ordering::Relaxed);
    }
}
