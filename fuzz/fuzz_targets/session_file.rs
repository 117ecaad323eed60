//! `cargo +nightly fuzz run session_file`, or, with any compiler, the target on files: `cargo run
//! --bin session_file FILE…`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::session_file(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    jfathom_fuzz::replay(jfathom_fuzz::session_file)
}
