//! `cargo +nightly fuzz run jfr`, or, with any compiler, the target on files: `cargo run --bin jfr
//! FILE…`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::jfr(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    jfathom_fuzz::replay(jfathom_fuzz::jfr)
}
