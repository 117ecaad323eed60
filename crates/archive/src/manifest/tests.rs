use super::JarManifest;
use crate::ManifestEdit;

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&b| b == b'\n').collect()
}

#[test]
fn what_is_not_edited_is_written_back() {
    for text in [
        "Manifest-Version: 1.0\r\n\r\n",
        "A: b\n\n\nName: x\nC: d\n\n",
        "A: b\rC: d\r\rName: x\r\r",
        "A: long\r\n er\r\n\r\nName: a/b\r\n c\r\n\r\n",
        "no attribute\nA: b\n\n",
        "A:b\nC:\nD: \n\n",
        "\nName: x\n\n",
    ] {
        let parsed = JarManifest::parse(text.as_bytes());
        assert_eq!(String::from_utf8(parsed.to_bytes()).unwrap(), text);
    }
}

#[test]
fn a_missing_last_line_end_is_added() {
    assert_eq!(JarManifest::parse(b"A: b").to_bytes(), b"A: b\r\n\r\n");
    assert_eq!(JarManifest::parse(b"A: b\n\nName: x").to_bytes(), b"A: b\n\nName: x\r\n");
    assert_eq!(JarManifest::parse(b"").to_bytes(), b"\r\n");
}

#[test]
fn an_attribute_set_in_front_of_sections_without_a_blank_line_is_still_main() {
    let mut manifest = JarManifest::parse(b"A: b");
    manifest.main_mut().set("C", "d");
    assert_eq!(manifest.to_bytes(), b"A: b\r\nC: d\r\n\r\n");
}

#[test]
fn values_are_unfolded_and_names_ignore_case() {
    let manifest = JarManifest::parse(
        "Class-Path: a.jar b\r\n .jar ü\r\n\r\nName: x/\r\n y\r\nSealed: true\r\n".as_bytes(),
    );
    assert_eq!(manifest.main().get("class-PATH"), Some("a.jar b.jar ü"));
    let [entry] = manifest.entries().collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(entry.get("Name"), Some("x/y"));
    assert_eq!(entry.attributes().collect::<Vec<_>>(), [("Name", "x/y"), ("Sealed", "true")]);
}

#[test]
fn a_character_cut_by_a_fold_is_read_whole() {
    let manifest = JarManifest::parse(b"A: \xc3\r\n \xbc\r\n\r\n");
    assert_eq!(manifest.main().get("A"), Some("ü"));
}

#[test]
fn long_values_are_folded_at_72_bytes_between_characters() {
    for unit in ["x", "ü", "\u{1f600}", "ab ü"] {
        for count in 0..200 {
            let mut manifest = JarManifest::default();
            let value = format!("v{}", unit.repeat(count));
            manifest.main_mut().set("Class-Path", &value);
            let bytes = manifest.to_bytes();
            for line in lines(&bytes) {
                assert!(line.len() <= 72 && line.ends_with(b"\r\n"), "{line:?}");
                assert!(std::str::from_utf8(line).is_ok());
            }
            assert_eq!(JarManifest::parse(&bytes).main().get("Class-Path"), Some(value.as_str()));
        }
    }
}

#[test]
fn a_value_cannot_begin_a_new_attribute() {
    let mut manifest = JarManifest::default();
    manifest.main_mut().set("A", "b\r\nMain-Class: evil\n\nName: x");
    let back = JarManifest::parse(&manifest.to_bytes());
    assert_eq!(back.main().get("Main-Class"), None);
    assert_eq!(back.entries().count(), 0);
}

#[test]
fn digests_go_and_other_attributes_stay() {
    let mut manifest = JarManifest::parse(
        b"A: b\nSHA-256-Digest-Manifest: main attributes are the signer's file's\n\n\
          Name: x\nSHA-256-Digest: 1\nSHA1-Digest-de: 2\n\n\
          Name: y\nsha-512-digest: 3\nSealed: true\n\nName: z\n\n",
    );
    assert!(manifest.remove_digests());
    assert_eq!(
        String::from_utf8(manifest.to_bytes()).unwrap(),
        "A: b\nSHA-256-Digest-Manifest: main attributes are the signer's file's\n\nName: \
         y\nSealed: true\n\nName: z\n\n"
    );
    assert!(!manifest.remove_digests());
}

#[test]
fn words_are_added_once() {
    let mut manifest = JarManifest::default();
    for word in ["a/b", "c", "a/b"] {
        manifest.apply(&[ManifestEdit::add_word("Add-Exports", word)]);
    }
    assert_eq!(manifest.main().get("Add-Exports"), Some("a/b c"));
    manifest.apply(&[ManifestEdit::Remove { name: "add-exports".into() }]);
    assert_eq!(manifest.main().get("Add-Exports"), None);
}

/// Each further line of a value was once a reason to decode all lines again: two days of work for
/// this manifest.
#[test]
fn a_value_of_two_hundred_thousand_words_is_read_at_once() {
    let words: Vec<String> =
        (0..200_000).map(|number| format!("lib/dependency-{number}.jar")).collect();
    let mut manifest = JarManifest::default();
    manifest.main_mut().set("Class-Path", &words.join(" "));
    let read = JarManifest::parse(&manifest.to_bytes());
    assert!(read.main().get("Class-Path").unwrap().split(' ').eq(words));
}

#[test]
fn a_manifest_of_nothing_but_lines_is_written_back_and_read_in_part() {
    let text = "a: b\n".repeat(super::ATTRIBUTES + 7) + "Main-Class: late\n\nName: x\n\n";
    let manifest = JarManifest::parse(text.as_bytes());
    assert_eq!(manifest.main().attributes().count(), super::ATTRIBUTES);
    assert_eq!(manifest.main().get("Main-Class"), None);
    assert_eq!(manifest.to_bytes(), text.as_bytes());
}
