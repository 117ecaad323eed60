//! What attaching leaves in `/tmp` of a JVM that is killed: one that ends in order removes it
//! itself (HotSpot, `attachListener_posix.cpp`).

use std::fs;

/// Removes the socket and the trigger file of a JVM that has been killed and waited for.
pub fn remove_attach_files(pid: u32) {
    for name in ["java", "attach"] {
        // Mostly there is none: nothing was attached.
        let _ = fs::remove_file(format!("/tmp/.{name}_pid{pid}"));
    }
}
