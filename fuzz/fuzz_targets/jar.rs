//! `cargo +nightly fuzz run jar`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::jar(data));
