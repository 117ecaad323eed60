//! Unpacking into directories of one's own and of others.

use super::*;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

/// Stands for the library.
const LIBRARY: &[u8] = b"\x7fELF and what follows";

#[test]
fn unpacks_once_and_mends_a_changed_file() {
    let temp = tempfile::tempdir().unwrap();
    let base = temp.path().join("cache/jfathom");
    let library = unpack_below(&base, LIBRARY).unwrap();
    assert_eq!(fs::read(&library).unwrap(), LIBRARY);
    let inode = fs::metadata(&library).unwrap().ino();
    assert_eq!(unpack_below(&base, LIBRARY).unwrap(), library);
    assert_eq!(fs::metadata(&library).unwrap().ino(), inode, "an intact file stays");
    assert_eq!(fs::metadata(&library).unwrap().mode() & 0o777, 0o500);
    fs::remove_file(&library).unwrap();
    fs::write(&library, "damaged").unwrap();
    assert_eq!(fs::read(unpack_below(&base, LIBRARY).unwrap()).unwrap(), LIBRARY);
    let folder = library.parent().unwrap();
    assert_eq!(fs::read_link(folder.join(PROGRAM)).unwrap(), std::env::current_exe().unwrap());
    assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
}

#[test]
fn removes_other_versions_after_a_month() {
    let temp = tempfile::tempdir().unwrap();
    for (name, days) in [("agent-1", 31), ("agent-2", 29), ("index", 31)] {
        let folder = temp.path().join(name);
        fs::create_dir(&folder).unwrap();
        let file = fs::File::create(folder.join(FILE)).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(days * 24 * 3600))
            .unwrap();
    }
    unpack_below(temp.path(), LIBRARY).unwrap();
    let there = |name: &str| temp.path().join(name).exists();
    assert_eq!(["agent-1", "agent-2", "index"].map(there), [false, true, true]);
}

#[test]
fn refuses_a_path_that_a_jvm_flag_cannot_name() {
    let temp = tempfile::tempdir().unwrap();
    let base = temp.path().join("a=b/jfathom");
    let error = unpack_below(&base, LIBRARY).unwrap_err();
    assert_eq!((error.path, error.source.to_string()), (base, "it contains `=`".to_owned()));
}

#[test]
fn refuses_directories_that_others_can_change() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    let above = root.join("above");
    let base = above.join("base");
    fs::create_dir_all(&base).unwrap();
    // Whoever can write to what lies above can put another directory in its place.
    for open in [&base, &above] {
        fs::set_permissions(open, fs::Permissions::from_mode(0o777)).unwrap();
        let error = unpack_below(&base, LIBRARY).unwrap_err();
        assert_eq!(error.path, base);
        let reason = error.source.to_string();
        assert!(
            reason.contains(&open.display().to_string()) && reason.contains("chmod"),
            "{reason}"
        );
        assert_eq!(fs::read_dir(&base).unwrap().count(), 0);
        fs::set_permissions(open, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let link = root.join("link");
    symlink("above/base", &link).unwrap();
    let library = unpack_below(&link, LIBRARY).unwrap();
    assert!(library.starts_with(&base), "by a path without links: {}", library.display());
    // A link in the place of the library, or of its folder, is replaced or refused, and never
    // followed.
    let victim = root.join("victim");
    fs::write(&victim, LIBRARY).unwrap();
    fs::remove_file(&library).unwrap();
    symlink(&victim, &library).unwrap();
    unpack_below(&base, LIBRARY).unwrap();
    assert!(fs::symlink_metadata(&library).unwrap().is_file());
    let folder = library.parent().unwrap();
    fs::rename(folder, root.join("moved")).unwrap();
    symlink(root.join("moved"), folder).unwrap();
    assert!(unpack_below(&base, LIBRARY).is_err());
}

#[test]
fn other_contents_have_other_names() {
    let contents: [&[u8]; 5] = [b"", b"a", b"a\0", b"12345678", b"123456781"];
    let hashes: std::collections::HashSet<u64> = contents.into_iter().map(hash).collect();
    assert_eq!(hashes.len(), contents.len());
}
