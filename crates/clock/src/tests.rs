use super::*;
use std::fs;
use std::io::Write;

#[test]
fn the_library_is_small_and_self_contained() {
    assert!(LIBRARY.starts_with(b"\x7fELF"), "{} bytes", LIBRARY.len());
    assert!(LIBRARY.len() < 16 << 10, "{} bytes", LIBRARY.len());
    let symbol = b"Java_jfathom_runtime_TscLibrary_read\0";
    assert!(LIBRARY.windows(symbol.len()).any(|bytes| bytes == symbol));
    let nanos = b"Java_jfathom_runtime_ThreadCpu_nanos\0";
    assert!(LIBRARY.windows(nanos.len()).any(|bytes| bytes == nanos));
    let address = b"Java_jfathom_runtime_VmSymbols_address\0";
    for symbol in [&address[..]].into_iter().chain(VM_SYMBOLS.map(CStr::to_bytes_with_nul)) {
        let is_there = LIBRARY.windows(symbol.len()).any(|bytes| bytes == symbol);
        assert!(is_there, "{}", String::from_utf8_lossy(symbol));
    }
    // DT_NEEDED would name a library that another system may not have.
    assert!(!LIBRARY.windows(4).any(|bytes| bytes == b"libc"));
}

#[test]
fn the_counter_rises() {
    let before = now().unwrap();
    let after = now().unwrap();
    assert!(after >= before, "{before} {after}");
}

#[test]
fn a_thread_has_run_for_no_longer_than_time_has_passed() {
    let since = std::time::Instant::now();
    let before = thread_cpu_nanos().unwrap();
    let mut sum = 0_u64;
    while since.elapsed().as_millis() < 3 {
        sum = std::hint::black_box(sum.wrapping_add(1));
    }
    let ran = thread_cpu_nanos().unwrap() - before;
    let passed = i64::try_from(since.elapsed().as_nanos()).unwrap();
    assert!(0 < ran && ran <= passed, "{ran} of {passed}");
    let before = thread_cpu_nanos().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert!(thread_cpu_nanos().unwrap() - before < 10_000_000);
}

#[test]
fn a_file_can_be_executed_unless_its_file_system_forbids_it() {
    let mut file = tempfile::tempfile_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    file.write_all(LIBRARY).unwrap();
    assert!(is_executable(&file));
    // procfs is mounted noexec.
    assert!(!is_executable(fs::File::open("/proc/self/status").unwrap()));
}
