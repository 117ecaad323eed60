use super::*;
use crate::assembly::Assembly;
use crate::class::ClassFile;

/// A class whose pool holds `entries`; the class's own name is the last but three.
fn class(entries: &[u8], count: u16) -> Vec<u8> {
    let mut out = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52];
    push_u2(&mut out, count + 1);
    out.extend_from_slice(entries);
    out.extend_from_slice(&[0; 14]);
    out
}

/// Utf8 "A", Class A, Utf8 "m", Utf8 "()V", NameAndType m ()V, Methodref A.m
const ENTRIES: [u8; 27] = [
    1, 0, 1, b'A', 7, 0, 1, 1, 0, 1, b'm', 1, 0, 3, b'(', b')', b'V', 12, 0, 3, 0, 4, 10, 0, 2, 0,
    5,
];

#[test]
fn equal_entries_are_made_once() {
    let bytes = class(&ENTRIES, 6);
    let parsed = ClassFile::parse(&bytes).expect("a class");
    let mut tail = PoolTail::new(parsed.pool());
    assert_eq!(tail.methodref(b"A", b"m", b"()V"), Ok(PoolIx(6)));
    assert_eq!(tail.utf8(b"m"), Ok(PoolIx(3)));
    assert!(tail.is_empty());
    assert_eq!(tail.methodref(b"A", b"n", b"()V"), Ok(PoolIx(9)));
    assert_eq!(tail.interface_methodref(b"A", b"n", b"()V"), Ok(PoolIx(10)));
    assert_eq!(tail.methodref(b"A", b"n", b"()V"), Ok(PoolIx(9)));
    assert_eq!((tail.string(b"A"), tail.string(b"A")), (Ok(PoolIx(11)), Ok(PoolIx(11))));
    let mut integers = Vec::new();
    for round in 0..2 {
        for value in -500..500 {
            let ix = tail.integer(value).expect("room");
            if round == 0 {
                integers.push(ix)
            } else {
                assert_eq!(ix, integers[(value + 500) as usize])
            }
        }
    }
    let mut out = Vec::new();
    Assembly::new().finish(&parsed, &tail, &mut out).expect("no edits");
    let written = ClassFile::parse(&out).expect("a class");
    assert_eq!(written.pool().count(), tail.count());
    assert_eq!(written.pool().member_names(PoolIx(9)).map(|names| names.name), Ok(&b"n"[..]));
    assert_eq!(written.pool().integer(integers[7]), Ok(-493));
    assert_eq!(written.pool().string(PoolIx(11)), Ok(&b"A"[..]));
    let storage = tail.into_storage();
    assert!(PoolTail::with(parsed.pool(), storage).is_empty());
}

#[test]
fn the_pool_ends_at_65535_slots() {
    let mut entries = Vec::new();
    for value in 0..65_530u32 {
        entries.push(3);
        entries.extend_from_slice(&value.to_be_bytes());
    }
    let bytes = class(&entries, 65_530);
    let parsed = ClassFile::parse(&bytes).expect("a class");
    let mut tail = PoolTail::new(parsed.pool());
    // Slots 65,531 to 65,534: the count is one more than the last.
    for value in -4..0 {
        tail.integer(value).expect("room");
    }
    assert_eq!(tail.count(), u16::MAX);
    assert_eq!(tail.integer(-9).map_err(|error| error.kind()), Err(ErrorKind::PoolFull));
    assert_eq!(tail.integer(-4), Ok(PoolIx(65_531)));
    let mut out = Vec::new();
    Assembly::new().finish(&parsed, &tail, &mut out).expect("no edits");
    assert_eq!(ClassFile::parse(&out).map(|class| class.pool().count()), Ok(u16::MAX));
    assert_eq!(
        tail.utf8(&[b'x'; 65_536]).map_err(|error| error.kind()),
        Err(ErrorKind::Utf8TooLong(65_536))
    );
}

#[test]
fn edits_must_not_overlap() {
    let bytes = class(&ENTRIES, 6);
    let parsed = ClassFile::parse(&bytes).expect("a class");
    let tail = PoolTail::new(parsed.pool());
    let mut assembly = Assembly::new();
    assembly.replace(parsed.access_range(), &[0, 0x21]);
    let mut out = vec![9];
    assembly.finish(&parsed, &tail, &mut out).expect("one edit");
    assert_eq!(ClassFile::parse(&out[1..]).map(|class| class.access()), Ok(0x21));
    out.truncate(1);
    for range in [parsed.access_range(), 9..10, bytes.len()..bytes.len() + 1] {
        assembly.replace(range, &[]);
        let error = assembly.finish(&parsed, &tail, &mut out).expect_err("an overlap");
        assert_eq!((error.kind(), &out[..]), (ErrorKind::OverlappingEdits, &[9][..]));
        assembly.clear();
        assembly.replace(parsed.access_range(), &[0, 0x21]);
    }
}

#[test]
fn dynamic_constants_are_read() {
    // Utf8 "x", Utf8 "I", NameAndType x I, Dynamic #7 x I, MethodHandle 6 → 3, Long (two slots),
    // Double 1.0 (two slots)
    let mut entries =
        vec![1, 0, 1, b'x', 1, 0, 1, b'I', 12, 0, 1, 0, 2, 17, 0, 7, 0, 3, 15, 6, 0, 3];
    entries.extend([5, 0, 0, 0, 1, 0, 0, 0, 2, 6, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]);
    let bytes = class(&entries, 9);
    let parsed = ClassFile::parse(&bytes).expect("a class");
    let pool = parsed.pool();
    let dynamic = pool.dynamic(PoolIx(4)).expect("a dynamic constant");
    assert_eq!(
        (dynamic.tag, dynamic.bootstrap, dynamic.name_and_type),
        (Tag::Dynamic, 7, PoolIx(3))
    );
    assert_eq!(
        pool.method_handle(PoolIx(5)).map(|handle| (handle.kind, handle.reference)),
        Ok((6, PoolIx(3)))
    );
    assert_eq!((pool.long(PoolIx(6)), pool.double(PoolIx(8))), (Ok(0x1_0000_0002), Ok(1.0)));
    assert_eq!(
        (pool.tag(PoolIx(7)), pool.tag(PoolIx(0)), pool.tag(PoolIx(99))),
        (None, None, None)
    );
    let error = pool.utf8(PoolIx(3)).expect_err("a NameAndType");
    assert_eq!(error.to_string(), "constant pool index 3 is not a Utf8 at offset 0x12");
    assert_eq!(pool.entries().count(), 7);
}
