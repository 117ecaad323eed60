use super::*;

#[test]
fn features_of_versions() {
    for (version, expected) in [
        ("17.0.12", Some(17)),
        ("1.8.0_392", Some(8)),
        ("25", Some(25)),
        ("21-ea", Some(21)),
        ("", None),
        ("x", None),
    ] {
        assert_eq!(feature(version), expected, "{version}");
    }
}

#[test]
fn homes_that_are_none_say_what_to_do() {
    let folder = tempfile::tempdir().expect("a directory");
    let error = |home: &Path| find(Some(home)).expect_err("no JDK").to_string();
    let there = folder.path();
    assert!(
        error(&there.join("none"))
            .contains("there is no such directory; pass the home directory of a JDK 9")
    );
    assert!(error(there).contains("has neither lib/modules nor jmods; pass"));
    let file = there.join("release");
    std::fs::write(&file, "JAVA_VERSION=\"1.8.0_392\"\n").expect("a file");
    assert!(error(&file).contains("is no directory"));
    assert!(
        error(there).contains(
            "is Java 1.8.0_392, which has no modules; pass the home directory of a JDK 9"
        )
    );
    std::fs::remove_file(&file).expect("removed");
    std::fs::create_dir_all(there.join("jre/lib")).expect("folders");
    std::fs::write(there.join("jre/lib/rt.jar"), "").expect("a file");
    assert!(error(there).contains("is Java 8 or before, which"));
}
