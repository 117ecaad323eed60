//! `cargo +nightly fuzz run engine`, or, with any compiler, the target on files: `cargo run --bin
//! engine FILE…`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::engine(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    jfathom_fuzz::replay(jfathom_fuzz::engine)
}
