//! The agent's library, which lies in this program as data.

/// The ELF file, linked before this crate is compiled (`build.rs`).
pub(crate) const BYTES: &[u8] = include_bytes!(env!("JFATHOM_AGENT_LIBRARY"));

#[cfg(test)]
mod tests {
    #[test]
    fn the_library_is_an_elf_file() {
        assert_eq!(super::BYTES[..4], *b"\x7fELF");
    }
}
