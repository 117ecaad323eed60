//! `cargo +nightly fuzz run profile_file`
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| jfathom_fuzz::profile_file(data));
