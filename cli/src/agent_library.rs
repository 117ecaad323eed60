//! The agent's library, which lies in this program as data.

use jfathom_collector::{JfrAgent, JvmArchives, jfr_agent_task, unpack_agent};
use std::ffi::OsString;

/// The ELF file, linked before this crate is compiled (`build.rs`).
pub(crate) const BYTES: &[u8] = include_bytes!(env!("JFATHOM_AGENT_LIBRARY"));

/// The library, unpacked, if it is to start JFR in the JVM of a command. None as well where it
/// cannot be unpacked: JFR then prints, and records all the same.
pub(crate) fn for_jfr(command: &[OsString], archives: &JvmArchives) -> Option<JfrAgent> {
    let task = jfr_agent_task(command, std::env::var_os("PATH").as_deref(), archives)?;
    Some(JfrAgent { library: unpack_agent(BYTES).ok()?, task })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_library_is_an_elf_file() {
        assert_eq!(super::BYTES[..4], *b"\x7fELF");
    }
}
