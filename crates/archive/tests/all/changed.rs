//! Jars whose files change between opening and reading: an error or a notice with a place, never
//! other bytes.

use std::fs::{self, File};
use std::path::Path;

use crate::common::*;
use jfathom_archive::{Additions, Destination, Error, Input, Notice, rewrite};

const CONTENT: &[u8] = b"the content of a class";

fn jar(content: &[u8]) -> Vec<u8> {
    make_zip(&[("A.class", STORED, content), ("b.txt", STORED, b"kept")])
}

fn rewrite_changed(input: &Input, dir: &Dir) -> Error {
    let to = Destination::whole(dir.path("out/a.jar"));
    let e = rewrite(input, &to, &threads(2), change_all, |_| Additions::none()).unwrap_err();
    let left = fs::read_dir(dir.path("out")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing is left");
    e
}

/// Every reader fails, and names the jar.
fn all_fail(change: impl Fn(&Path), says: &str) {
    let dir = Dir::new();
    let path = dir.file("a.jar", &jar(CONTENT));
    let input = Input::open(&path).unwrap();
    assert_eq!(input.read("A.class").unwrap().unwrap(), CONTENT);
    change(&path);
    let errors = [
        input.read("A.class").unwrap_err(),
        input.visit(&threads(2), |_, bytes| bytes.len()).unwrap_err(),
        rewrite_changed(&input, &dir),
    ];
    for e in errors {
        let text = e.to_string();
        assert!(text.contains("a.jar") && text.contains(says), "{text}");
    }
}

#[test]
fn a_jar_that_changed_is_not_read() {
    let changed = "changed after it was opened";
    let replace = |path: &Path, bytes: &[u8]| {
        let new = path.with_extension("new");
        fs::write(&new, bytes).unwrap();
        fs::rename(new, path).unwrap();
    };
    all_fail(|path| replace(path, &jar(CONTENT)), changed);
    all_fail(|path| replace(path, &jar(b"THE CONTENT OF A CLASS")), changed);
    all_fail(|path| fs::write(path, jar(b"another")).unwrap(), changed);
    let truncate =
        |path: &Path, len| File::options().write(true).open(path).unwrap().set_len(len).unwrap();
    all_fail(|path| truncate(path, 40), changed);
    all_fail(|path| truncate(path, 0), changed);
    all_fail(|path| truncate(path, 1 << 20), changed);
    all_fail(|path| fs::remove_file(path).unwrap(), "No such file");
}

/// The time and the length of the file stay as they were: only its CRCs tell.
#[test]
fn other_bytes_of_a_jar_are_never_taken_for_its_own() {
    let dir = Dir::new();
    let path = dir.file("a.jar", &jar(CONTENT));
    let input = Input::open(&path).unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, jar(b"THE CONTENT OF A CLASS")).unwrap();
    File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let e = input.read("A.class").unwrap_err().to_string();
    assert!(e.contains("a.jar!A.class") && e.contains("CRC"), "{e}");
    let seen = input.visit(&threads(2), |_, bytes| bytes.to_vec()).unwrap();
    assert!(seen.values.is_empty());
    assert!(
        matches!(&*seen.notices, [Notice::EntryUnreadable { reason, .. }] if reason.contains("CRC"))
    );
    let e = rewrite_changed(&input, &dir).to_string();
    assert!(e.contains("a.jar") && e.contains("changed after it was opened"), "{e}");
}

#[test]
fn a_jar_that_changes_during_a_visit_is_an_error() {
    let dir = Dir::new();
    let path = dir.file("a.jar", &jar(CONTENT));
    let input = Input::open(&path).unwrap();
    let e = input.visit(&threads(2), |_, _| fs::write(&path, b"shorter").unwrap()).unwrap_err();
    assert!(e.to_string().contains("changed after it was opened"), "{e}");
}

/// The state of a jar is that of its entries, even when the file is gone.
#[test]
fn identities_follow_the_entries() {
    let dir = Dir::new();
    let identity = |input: &Input| {
        let mut pieces = Vec::new();
        assert!(input.identify(&mut |piece| pieces.extend_from_slice(piece)));
        pieces
    };
    let open = |bytes: &[u8]| Input::open(dir.file("a.jar", bytes)).unwrap();
    let first = open(&jar(CONTENT));
    let same = open(&jar(CONTENT));
    assert_eq!(identity(&first), identity(&same));
    assert_ne!(identity(&first), identity(&open(&jar(b"THE CONTENT OF A CLASS"))));
    let renamed = make_zip(&[("B.class", STORED, CONTENT), ("b.txt", STORED, b"kept")]);
    assert_ne!(identity(&first), identity(&open(&renamed)));
}
