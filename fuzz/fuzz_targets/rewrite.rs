//! `cargo +nightly fuzz run rewrite`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::rewrite(data));
