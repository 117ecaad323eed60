//! `cargo +nightly fuzz run class_file`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::class_file(data));
