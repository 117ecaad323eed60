use super::*;

fn area(committed: u64, entries: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let mut bytes = committed.to_le_bytes().to_vec();
    for (kind, length, text) in entries {
        bytes.extend(kind.to_le_bytes());
        bytes.extend(length.to_le_bytes());
        bytes.extend(*text);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
    }
    bytes
}

#[test]
fn reads_what_is_committed() {
    let two = [(1, 2, &b"17"[..]), (99, 9, b"unknown k")];
    let texts = |committed| {
        entries(&area(committed, &two)).into_iter().map(|e| (e.kind, e.text)).collect::<Vec<_>>()
    };
    assert_eq!(texts(0), []);
    assert_eq!(texts(16), [(1, "17".to_owned())]);
    assert_eq!(texts(40), [(1, "17".to_owned()), (99, "unknown k".to_owned())]);
    // The last entry's padding need not be committed; its text must be.
    assert_eq!(texts(33).len(), 2);
    assert_eq!(texts(32).len(), 1);
}

#[test]
fn hostile_lengths_end_the_list() {
    assert_eq!(entries(&area(u64::MAX, &[(1, u32::MAX, b"x")])), []);
    assert_eq!(entries(&[]), []);
    assert_eq!(entries(&[0xff; 9]), []);
}

#[test]
fn manifest_fields() {
    let entry = |text: &str| InfoEntry { kind: l::INFO_MANIFEST, text: text.to_owned() };
    let seen = entry("5\t7\tabc\tjar:file:/a\tb!/m").manifest().unwrap();
    assert_eq!((seen.ids.start, seen.ids.len, seen.plan.as_str()), (5, 7, "abc"));
    assert_eq!(seen.place, "jar:file:/a\tb!/m");
    assert_eq!(entry("5\t7\tabc").manifest(), None);
    assert_eq!(entry("-1\t7\tabc\tx").manifest(), None);
    assert_eq!(InfoEntry { kind: 1, ..entry("5\t7\tabc\tx") }.manifest(), None);
}

#[test]
fn caught_class_fields() {
    let entry = |text: &str| InfoEntry { kind: l::INFO_CAUGHT_CLASS, text: text.to_owned() };
    assert_eq!(entry("17\ta.Failure").caught_class(), Some((17, "a.Failure")));
    assert_eq!(entry("17\ta\tb").caught_class(), Some((17, "a\tb")));
    for text in ["", "17", "-1\ta", "4294967296\ta", "\ta"] {
        assert_eq!(entry(text).caught_class(), None, "{text}");
    }
    assert_eq!(InfoEntry { kind: 1, ..entry("17\ta") }.caught_class(), None);
}
