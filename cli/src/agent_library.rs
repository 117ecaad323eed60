//! The agent's library, which lies in this program as data.

use jfathom_collector::{needs_jfr_agent, unpack_agent};
use std::{ffi::OsString, path::PathBuf};

/// The ELF file, linked before this crate is compiled (`build.rs`).
pub(crate) const BYTES: &[u8] = include_bytes!(env!("JFATHOM_AGENT_LIBRARY"));

/// The library, unpacked, if it is to start JFR in the JVM of a command. None as well where it
/// cannot be unpacked: JFR then prints, and records all the same.
pub(crate) fn for_jfr(command: &[OsString]) -> Option<PathBuf> {
    let is_needed = needs_jfr_agent(command, std::env::var_os("PATH").as_deref());
    is_needed.then(|| unpack_agent(BYTES).ok()).flatten()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_library_is_an_elf_file() {
        assert_eq!(super::BYTES[..4], *b"\x7fELF");
    }
}
