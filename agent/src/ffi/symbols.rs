//! Variables of the JVM's own library.

use jfathom_clock::VM_SYMBOLS;
use jni_sys::jlong;
use std::ffi::{c_char, c_int, c_void};

unsafe extern "C" {
    /// POSIX dlsym(3).
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The address of the variable at this place of [`VM_SYMBOLS`]. Zero if there is none among the
/// libraries whose symbols all others see: the launcher `java` loads the JVM so, and programs that
/// load it otherwise may not.
pub fn vm_symbol(which: c_int) -> jlong {
    let name = usize::try_from(which).ok().and_then(|at| VM_SYMBOLS.get(at));
    let Some(name) = name else { return 0 };
    // SAFETY: the name ends with a zero, and the null handle, RTLD_DEFAULT, is always valid.
    let address = unsafe { dlsym(std::ptr::null_mut(), name.as_ptr()) };
    address.addr() as jlong
}
