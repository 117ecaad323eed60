//! The store: what is put is got, the directory is private, room is made, nothing half is ever
//! seen.

use jfathom_archive::ByteCache;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};

#[test]
fn what_is_put_is_got() {
    let folder = tempfile::tempdir().expect("a directory");
    let store = ByteCache::at(folder.path().join("a/b")).expect("a store");
    assert_eq!(store.get("key"), None);
    store.put("key", b"first").expect("put");
    store.put("key", b"second").expect("put");
    assert_eq!(store.get("key").as_deref(), Some(&b"second"[..]));
    let mode = |path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(
        (mode(store.directory().to_owned()), mode(store.directory().join("key"))),
        (0o700, 0o600)
    );
    store.remove("key");
    assert_eq!(
        (store.get("key"), fs::read_dir(store.directory()).expect("a folder").count()),
        (None, 0)
    );
    for key in ["", "../key", "a/b", ".new-1", "a b"] {
        assert!(store.put(key, b"").is_err() && store.get(key).is_none(), "{key:?}");
    }
}

#[test]
fn the_oldest_go_when_room_is_short() {
    let folder = tempfile::tempdir().expect("a directory");
    let store = ByteCache::at(folder.path()).expect("a store").with_most_bytes(2500);
    let age = |name: &str, days: u64| {
        let file =
            fs::OpenOptions::new().append(true).open(folder.path().join(name)).expect("a file");
        file.set_modified(SystemTime::now() - Duration::from_secs(days * 86_400)).expect("a time");
    };
    store.put("old", &[0; 1000]).expect("put");
    age("old", 3);
    store.put("older", &[0; 1000]).expect("put");
    age("older", 9);
    // A use counts.
    assert!(store.get("older").is_some());
    fs::write(folder.path().join(".new-1-0"), b"abandoned").expect("written");
    age(".new-1-0", 2);
    fs::write(folder.path().join(".new-1-1"), b"being written").expect("written");
    store.put("new", &[0; 1000]).expect("put");
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, [".new-1-1", "new", "older"]);
}

#[test]
fn a_directory_that_will_not_do_is_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let problem = |path: std::path::PathBuf| ByteCache::at(path).expect_err("no store").problem;
    let file = folder.path().join("file");
    fs::write(&file, b"").expect("written");
    assert!(problem(file.join("below")).starts_with("cannot make the directory"));
    let open = folder.path().join("open");
    fs::create_dir(&open).expect("a folder");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("a mode");
    assert_eq!(problem(open), "other users can write to it (mode 777); `chmod go-w` it");
    // Nothing can be written: an error, no panic.
    let gone = folder.path().join("gone");
    let store = ByteCache::at(&gone).expect("a store");
    fs::remove_dir(&gone).expect("removed");
    assert!(store.put("key", b"x").is_err());
}

#[test]
fn writers_at_once_leave_whole_files() {
    let folder = tempfile::tempdir().expect("a directory");
    let contents: Vec<Vec<u8>> =
        (0..4u8).map(|byte| vec![byte; 100_000 + usize::from(byte)]).collect();
    std::thread::scope(|scope| {
        for content in &contents {
            scope.spawn(|| {
                let store = ByteCache::at(folder.path()).expect("a store");
                for _ in 0..25 {
                    store.put("key", content).expect("put");
                    let seen = store.get("key").expect("something");
                    assert!(contents.contains(&seen), "{} bytes", seen.len());
                }
            });
        }
    });
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}
