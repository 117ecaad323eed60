//! `cargo +nightly fuzz run records`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::records(data));
