use super::*;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

fn private(path: PathBuf) -> PathBuf {
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    path.canonicalize().unwrap()
}

#[test]
fn a_library_lies_in_the_session_directory() {
    let temp = tempfile::tempdir().unwrap();
    let session = private(temp.path().join("session"));
    let library = place_clock_library(&session, &[]).unwrap().unwrap();
    assert_eq!(fs::read(&library).unwrap(), LIBRARY);
    assert_eq!(library.parent(), Some(&*session));
    assert_eq!(fs::metadata(&library).unwrap().mode() & 0o777, 0o500);
    assert_eq!(fs::read_link(session.join(CLOCK_LINK)).unwrap(), library);
    assert_eq!(place_clock_library(&session, &[]).unwrap(), Some(library));
}

#[test]
fn a_directory_that_others_can_change_is_passed_over() {
    let temp = tempfile::tempdir().unwrap();
    let session = private(temp.path().join("session"));
    fs::set_permissions(&session, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(place_clock_library(&session, &[]).is_err());
    assert!(!session.join(CLOCK_LINK).exists());
    let cache = temp.path().join("cache/jfathom/clock");
    let library = place_clock_library(&session, std::slice::from_ref(&cache)).unwrap().unwrap();
    assert_eq!(library.parent(), Some(&*cache.canonicalize().unwrap()));
    assert_eq!(fs::metadata(&cache).unwrap().mode() & 0o777, 0o700);
    assert_eq!(fs::read_link(session.join(CLOCK_LINK)).unwrap(), library);
}

#[test]
fn a_damaged_library_is_written_anew() {
    let temp = tempfile::tempdir().unwrap();
    let session = private(temp.path().join("session"));
    let library = place_clock_library(&session, &[]).unwrap().unwrap();
    fs::remove_file(&library).unwrap();
    fs::write(&library, "junk").unwrap();
    place_clock_library(&session, &[]).unwrap();
    assert_eq!(fs::read(&library).unwrap(), LIBRARY);
}
