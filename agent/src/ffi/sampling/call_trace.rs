//! HotSpot's `AsyncGetCallTrace` (forte.cpp), which the JVM exports without declaring it anywhere.

use super::super::symbols;
use jni_sys::{JNIEnv, jint, jmethodID};
use std::ffi::c_void;

/// `ASGCT_CallFrame`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Frame {
    /// The index in the bytecode, or a negative number.
    pub location: jint,
    /// Null where the method had no id when the stack was walked.
    pub method: jmethodID,
}

/// `ASGCT_CallTrace`.
#[repr(C)]
struct Trace {
    env: *mut JNIEnv,
    /// How many frames were written. Zero without Java frames, negative where the stack cannot be
    /// walked.
    count: jint,
    frames: *mut Frame,
}

/// `AsyncGetCallTrace`: the trace, the most frames, the context that the signal handler got.
type Function = unsafe extern "C" fn(*mut Trace, jint, *mut c_void);

/// The JVM's function.
#[derive(Clone, Copy)]
pub struct CallTrace(Function);

impl CallTrace {
    /// None if the JVM has no such function, or does not show it.
    pub fn find() -> Option<Self> {
        let address = symbols::find(c"AsyncGetCallTrace");
        // SAFETY: the JVM's function of this name has this type.
        (!address.is_null())
            .then(|| Self(unsafe { std::mem::transmute::<*mut c_void, Function>(address) }))
    }

    /// Writes the current thread's stack, the innermost frame first. Returns how many frames it
    /// has; none that is not positive has written any.
    ///
    /// # Safety
    /// Called in a signal handler that got this context, on a thread that has this environment;
    /// `frames` has space for `most`.
    pub unsafe fn walk(
        self,
        env: *mut JNIEnv,
        frames: *mut Frame,
        most: jint,
        context: *mut c_void,
    ) -> jint {
        let mut trace = Trace { env, count: 0, frames };
        // SAFETY: as the caller promises.
        unsafe { self.0(&mut trace, most, context) };
        trace.count
    }
}
