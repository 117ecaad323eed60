use super::*;

#[test]
fn the_forms_of_jvms_4_4_7() {
    let text = "a\0é\u{7ff}\u{800}\u{ffff}\u{1f600}";
    let bytes = encode(text);
    assert_eq!(
        *bytes,
        [
            0x61, 0xc0, 0x80, 0xc3, 0xa9, 0xdf, 0xbf, 0xe0, 0xa0, 0x80, 0xef, 0xbf,
            0xbf, // up to U+FFFF
            0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, // two surrogates
        ]
    );
    assert_eq!(decode(&bytes).as_deref(), Some(text));
    assert!(matches!(decode(b"java/lang/Object"), Some(Cow::Borrowed("java/lang/Object"))));
    assert!(matches!(encode("plain"), Cow::Borrowed(b"plain")));
    assert_eq!(decode(b"").as_deref(), Some(""));
}

#[test]
fn damage_is_told() {
    for bytes in [
        &[0xff][..],
        &[0],
        &[0xc3],
        &[0xe0, 0xa0],
        &[0xc3, 0x41],
        &[0xf0, 0x9f, 0x98, 0x80],
        &[0xed, 0xa0, 0xbd],
    ] {
        assert_eq!(decode(bytes), None, "{bytes:?}");
        assert!(!decode_lossy(bytes).is_empty());
    }
    assert_eq!(decode_lossy(&[0xed, 0xa0, 0xbd]), "\u{fffd}");
}
