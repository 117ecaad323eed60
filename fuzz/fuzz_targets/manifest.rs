//! `cargo +nightly fuzz run manifest`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::manifest(data));
