//! Variables and functions of the JVM's own library.

use jfathom_clock::VM_SYMBOLS;
use jni_sys::jlong;
use std::ffi::{CStr, c_int, c_void};

/// The address of a variable or function. Null if there is none among the libraries whose symbols
/// all others see: the launcher `java` loads the JVM so, and programs that load it otherwise may
/// not.
pub fn find(name: &CStr) -> *mut c_void {
    // SAFETY: the name is a C string.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// The address of the variable at this place of [`VM_SYMBOLS`]. Zero if [`find`] does not see it.
pub fn vm_symbol(which: c_int) -> jlong {
    let name = usize::try_from(which).ok().and_then(|at| VM_SYMBOLS.get(at));
    name.map_or(0, |name| find(name).addr() as jlong)
}
