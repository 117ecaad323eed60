//! `cargo +nightly fuzz run jar`, or, with any compiler, the target on files: `cargo run --bin jar
//! FILE…`.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::jar(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    jfathom_fuzz::replay(jfathom_fuzz::jar)
}
