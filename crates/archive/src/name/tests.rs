use super::EntryName;

#[test]
fn names_say_what_they_are() {
    let class = EntryName::from("META-INF/versions/11/com/acme/Foo.class");
    assert!(class.is_class() && !class.is_directory() && !class.is_nested_archive());
    assert_eq!(class.release(), Some(11));
    assert_eq!(class.class_name(), Some("com/acme/Foo"));
    assert_eq!(
        EntryName::from("BOOT-INF/classes/com/acme/Foo.class").class_name(),
        Some("com/acme/Foo")
    );
    assert_eq!(EntryName::from("META-INF/versions/8/Foo.class").release(), None);
    assert_eq!(EntryName::from("META-INF/versions/+9/Foo.class").release(), None);
    assert_eq!(EntryName::from("META-INF/versions/99999/Foo.class").release(), None);
    assert_eq!(EntryName::from("readme").class_name(), None);
    assert!(EntryName::from("BOOT-INF/lib/a.JAR").is_nested_archive());
    assert!(!EntryName::from("jar").is_nested_archive());
    assert!(EntryName::from("com/").is_directory());
}

#[test]
fn only_tame_names_become_paths() {
    assert_eq!(EntryName::from("a/b.class").relative_path(), Some("a/b.class".into()));
    assert_eq!(EntryName::from("a/b/").relative_path(), Some("a/b".into()));
    for odd in ["/a", "../a", "a/../b", "a/./b", "a//b", "a\\b", "C:a", "a\0b", "", "/", ".."] {
        assert_eq!(EntryName::from(odd).relative_path(), None, "{odd:?}");
    }
    assert_eq!(EntryName::new([0xff, b'a']).relative_path(), None);
}

#[test]
fn shown_names_hold_no_control_characters() {
    assert_eq!(EntryName::from("a\x1b[2J\0\n").to_string(), "a\\u{1b}[2J\\u{0}\\n");
}
