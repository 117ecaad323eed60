//! `cargo +nightly fuzz run live_lines`, or, with any compiler, the target on files: `cargo run
//! --bin live_lines FILE…`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::live_lines(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    jfathom_fuzz::replay(jfathom_fuzz::live_lines)
}
