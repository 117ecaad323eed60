use super::*;
use std::os::unix::fs::PermissionsExt;

#[test]
fn made_for_this_user_alone_and_removed_whole() {
    let dir = SessionDir::make(None).unwrap();
    let path = dir.path().to_owned();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    fs::write(path.join("jvm-1-2.jft"), "x").unwrap();
    dir.remove();
    assert!(!path.exists());
}

#[test]
fn an_overflow_directory_stays_where_it_has_files() {
    let temp = tempfile::tempdir().unwrap();
    let made = |name: &str| {
        let [path, overflow] =
            ["", "-overflow"].map(|end| temp.path().join(format!("{name}{end}")));
        [&path, &overflow].into_iter().for_each(|path| fs::create_dir(path).unwrap());
        fs::write(path.join(OVERFLOW_FILE), overflow.as_os_str().as_bytes()).unwrap();
        (
            SessionDir {
                path: path.clone(),
                made: true,
                inner: None,
                overflow: Some(overflow.clone()),
                clock_failure: None,
            },
            path,
            overflow,
        )
    };
    let (dir, path, overflow) = made("empty");
    assert_eq!(dir.keep(), None);
    assert!(path.exists() && !overflow.exists() && !path.join(OVERFLOW_FILE).exists());
    let (dir, path, overflow) = made("used");
    fs::write(overflow.join("jvm-1-2.jfo"), "x").unwrap();
    assert_eq!(dir.keep().as_ref(), Some(&overflow));
    assert!(path.join(OVERFLOW_FILE).exists() && overflow.join("jvm-1-2.jfo").exists());
}

#[test]
fn an_asked_directory_must_be_fit() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("s");
    let dir = SessionDir::make(Some(&path)).unwrap();
    fs::write(path.join("file"), "x").unwrap();
    let what = |r: Result<SessionDir, Error>| r.unwrap_err().to_string();
    assert!(what(SessionDir::make(Some(&path))).contains("not empty"));
    dir.remove();
    assert!(!path.exists());

    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(what(SessionDir::make(Some(&path))).contains("chmod 700"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    SessionDir::make(Some(&path)).unwrap().remove();
    assert!(path.exists(), "the user's own directory stays");

    let file = temp.path().join("f");
    fs::write(&file, "x").unwrap();
    assert!(what(SessionDir::make(Some(&file))).contains("not a directory"));
    assert!(what(SessionDir::make(Some(&temp.path().join("no/such")))).contains("no/such"));
}

#[test]
fn what_a_container_plants_is_not_read_and_not_followed() {
    let temp = tempfile::tempdir().unwrap();
    let secret = temp.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let dir = SessionDir::inside(std::process::id()).unwrap();
    let path = dir.path().to_owned();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    fs::write(path.join("jvm-1-2.failed"), "no space").unwrap();
    std::os::unix::fs::symlink(&secret, path.join("jvm-3-4.failed")).unwrap();
    // Opened to read, it would wait for a writer.
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let pipe = path.join("jvm-5-6.failed");
    rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(dir.failures(), ["JVM 1 could not record: no space"]);
    let (inner, moved) = (dir.inner_path().to_owned(), dir.inner_path().with_extension("moved"));
    // The directory is exchanged for a link: what is written then goes where it went before.
    fs::rename(&inner, &moved).unwrap();
    std::os::unix::fs::symlink(temp.path(), &inner).unwrap();
    jfathom_files::replace(&path.join("secret"), 0o600, |file| io::Write::write_all(file, b"new"))
        .unwrap();
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    assert_eq!(fs::read_to_string(moved.join("secret")).unwrap(), "new");
    fs::remove_file(&inner).unwrap();
    fs::rename(&moved, &inner).unwrap();
    dir.remove();
    assert!(!inner.exists());
}
