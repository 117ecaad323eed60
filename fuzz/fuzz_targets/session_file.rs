//! `cargo +nightly fuzz run session_file`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::session_file(data));
