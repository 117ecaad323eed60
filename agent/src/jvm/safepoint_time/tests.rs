use super::*;

/// A file with these counters, as version 2.0 of the format has them.
fn file(counters: &[(&str, u64)]) -> Vec<u8> {
    let mut bytes = vec![0; 32];
    bytes[..4].copy_from_slice(&MAGIC);
    bytes[24..28].copy_from_slice(&32_u32.to_le_bytes());
    bytes[28..32].copy_from_slice(&(counters.len() as u32).to_le_bytes());
    for (name, value) in counters {
        let start = bytes.len();
        let data = (20 + name.len() + 1).next_multiple_of(8);
        let words = [data as u32 + 8, 20, 0, 0, data as u32];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(name.as_bytes());
        bytes.resize(start + data, 0);
        bytes.extend(value.to_le_bytes());
    }
    bytes
}

#[test]
fn a_counter_is_found_by_its_whole_name() {
    let bytes = file(&[
        ("sun.rt.safepointTimes", 1),
        ("sun.rt.safepointTime", 42),
        ("sun.rt.safepoint", 3),
    ]);
    let at = find(&bytes, COUNTER).expect("it is there");
    assert_eq!(read(&bytes, at as usize), Some(42));
    assert_eq!(find(&bytes, b"sun.rt.safepoints"), None);
}

#[test]
fn damaged_files_have_no_counter() {
    let bytes = file(&[("sun.rt.safepoints", 1), ("sun.rt.safepointTime", 42)]);
    for length in 0..bytes.len() {
        let found = find(&bytes[..length], COUNTER);
        assert!(found.is_none_or(|at| at < bytes.len() as u64));
    }
    for at in 0..bytes.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            // Whatever is found is read with its bounds checked.
            let _ = find(&bytes, COUNTER);
        }
    }
}

#[test]
fn other_files_have_no_counter() {
    assert_eq!(find(b"", COUNTER), None);
    assert_eq!(find(&[0; 64], COUNTER), None);
}
