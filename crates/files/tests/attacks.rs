//! What another user or a container can put into a directory, and what becomes of it.

use jfathom_files::{Access, Directory, Refusal, output, trusted_directory};
use rustix::fs::{FileType, Mode, OFlags};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink},
    path::{Path, PathBuf},
};

/// A user of whom nothing is here.
const NOBODY: u32 = 65534;

fn refusal(error: &io::Error) -> Option<&Refusal> {
    error.get_ref()?.downcast_ref()
}

fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        eprintln!("skipped: only root can give files to another user");
    }
    root
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn pipe(path: &Path) {
    rustix::fs::mknodat(rustix::fs::CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// A device that is always full (full(4)): one of the test's own where root can make one, so that
/// no mistake harms the system's.
fn full_device(folder: &Path) -> PathBuf {
    let own = folder.join("full");
    let (kind, mode) = (FileType::CharacterDevice, Mode::RUSR | Mode::WUSR);
    let made = rustix::fs::mknodat(rustix::fs::CWD, &own, kind, mode, rustix::fs::makedev(1, 7));
    if made.is_ok() && fs::OpenOptions::new().write(true).open(&own).is_ok() {
        return own;
    }
    let _ = fs::remove_file(own);
    PathBuf::from("/dev/full")
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn what_has_the_name_already_is_never_written_to() {
    let temp = tempfile::tempdir().unwrap();
    let victim = temp.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let shared = temp.path().join("shared");
    fs::create_dir(&shared).unwrap();
    let directory = Directory::open(&shared).unwrap();
    for (name, target) in [("link", victim.as_path()), ("dangling", Path::new("../new"))] {
        symlink(target, shared.join(name)).unwrap();
        assert_eq!(
            directory.create_file(OsStr::new(name), 0o600).unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        let made = directory.create_directory(OsStr::new(name), 0o700);
        assert_eq!(made.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        // Replaced is the link, and never what it leads to.
        directory.replace(OsStr::new(name), 0o600, |file| file.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(shared.join(name)).unwrap().is_file());
    }
    assert!(!temp.path().join("new").exists());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    for name in ["../victim", "..", "a/b", ""] {
        assert!(directory.create_file(OsStr::new(name), 0o600).is_err(), "{name}");
        assert!(directory.replace(OsStr::new(name), 0o600, |_| Ok(())).is_err(), "{name}");
    }
    assert_eq!(count(&shared), 2);
}

#[test]
fn only_a_regular_file_of_this_user_is_read() {
    let temp = tempfile::tempdir().unwrap();
    let directory = Directory::open(temp.path()).unwrap();
    fs::write(temp.path().join("file"), "12345").unwrap();
    assert_eq!(directory.read(OsStr::new("file"), 5).unwrap(), b"12345");
    let large = directory.read(OsStr::new("file"), 4).unwrap_err();
    assert_eq!(refusal(&large), Some(&Refusal::TooLarge { limit: 4 }));
    symlink("file", temp.path().join("link")).unwrap();
    fs::create_dir(temp.path().join("folder")).unwrap();
    // Nobody writes to it: an open that waits would never end.
    pipe(&temp.path().join("pipe"));
    for name in ["link", "folder", "pipe"] {
        let error = directory.read(OsStr::new(name), 9).unwrap_err();
        assert_eq!(refusal(&error), Some(&Refusal::NotAFile), "{name}");
        assert!(directory.open_file(OsStr::new(name), Access::ReadWrite).is_err(), "{name}");
    }
    if is_root() {
        chown(temp.path().join("file"), Some(NOBODY), None).unwrap();
        let error = directory.read(OsStr::new("file"), 9).unwrap_err();
        assert_eq!(refusal(&error), Some(&Refusal::Owner { uid: NOBODY }));
        directory.open_file(OsStr::new("file"), Access::Read).unwrap();
    }
}

#[test]
fn a_directory_that_is_moved_away_is_still_the_one_that_was_opened() {
    let temp = tempfile::tempdir().unwrap();
    let [folder, moved, victim] = ["folder", "moved", "victim"].map(|name| temp.path().join(name));
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&victim).unwrap();
    fs::write(victim.join("file"), "precious").unwrap();
    let directory = Directory::open(&folder).unwrap();
    fs::rename(&folder, &moved).unwrap();
    symlink(&victim, &folder).unwrap();
    directory.replace(OsStr::new("file"), 0o600, |file| file.write_all(b"new")).unwrap();
    directory.create_directories(Path::new("a/b"), 0o700).unwrap();
    assert_eq!(fs::read_to_string(victim.join("file")).unwrap(), "precious");
    assert_eq!(fs::read_to_string(moved.join("file")).unwrap(), "new");
    assert_eq!((count(&victim), count(&moved)), (1, 2));
    let mut names = directory.names().unwrap();
    names.sort();
    assert_eq!(names, ["a", "file"]);
    // The same between two steps of one path.
    symlink(&victim, moved.join("a/link")).unwrap();
    assert!(directory.create_directories(Path::new("a/link/c"), 0o700).is_err());
    assert!(directory.beneath(Path::new("a/link")).is_err());
}

#[test]
fn a_failure_keeps_what_was_there() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("file");
    fs::write(&file, "old").unwrap();
    set_mode(&file, 0o640);
    let failed = output::write(&file, 0o666, |out| {
        out.write_all(b"new")?;
        Err::<(), _>(io::ErrorKind::StorageFull.into())
    });
    assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    output::write(&file, 0o666, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640, "the mode stays");
    assert_eq!(count(temp.path()), 1);
}

#[test]
fn a_file_that_was_made_meanwhile_is_not_replaced() {
    let temp = tempfile::tempdir().unwrap();
    let [file, link] = ["file", "link"].map(|name| temp.path().join(name));
    let found = [&file, &link].map(|path| output::Output::find(path).unwrap());
    fs::write(&file, "precious").unwrap();
    symlink("nowhere", &link).unwrap();
    for output in found {
        assert!(!output.replaces());
        let error = output.write_new(0o666, |out| out.write_all(b"new")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    }
    let there = output::Output::find(&file).unwrap().write_new(0o666, |_| Ok(()));
    assert_eq!(there.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    assert_eq!(count(temp.path()), 2, "no temporary file is left");
    let new = output::Output::find(&temp.path().join("new")).unwrap();
    new.write_new(0o666, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(temp.path().join("new")).unwrap(), "new");
}

#[test]
fn a_file_is_kept_under_its_old_name_or_not_replaced() {
    let temp = tempfile::tempdir().unwrap();
    let [file, old, victim] = ["p", "p.old", "victim"].map(|name| temp.path().join(name));
    let is_ours = |mut file: fs::File| {
        let mut text = String::new();
        file.read_to_string(&mut text).is_ok() && text.starts_with("ours")
    };
    let write = |text: &str| {
        let found = output::Output::find(&file)?;
        found.write_keeping(0o666, is_ours, |out| out.write_all(text.as_bytes()))
    };
    write("ours 1").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    write("ours 2").unwrap();
    write("ours 3").unwrap();
    let read = |path| fs::read_to_string(path).unwrap();
    assert_eq!((read(&file).as_str(), read(&old).as_str()), ("ours 3", "ours 2"));
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o600, "the mode stays");

    // Whatever else has the old name, a link too, stays, and so does the file.
    fs::write(&victim, "ours, precious").unwrap();
    let in_the_way: [&dyn Fn(); 3] =
        [&|| fs::write(&old, "theirs").unwrap(), &|| symlink(&victim, &old).unwrap(), &|| {
            fs::create_dir(&old).unwrap()
        }];
    for put in in_the_way {
        fs::remove_file(&old).unwrap();
        put();
        assert_eq!(write("ours 4").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!((read(&file).as_str(), read(&victim).as_str()), ("ours 3", "ours, precious"));
    }
    fs::remove_dir(&old).unwrap();
    fs::write(&file, "theirs").unwrap();
    assert_eq!(write("ours 4").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    assert_eq!(read(&file), "theirs");
    assert_eq!(count(temp.path()), 2, "no temporary file is left");
}

#[test]
fn a_new_output_has_the_mode_that_the_umask_leaves() {
    let temp = tempfile::tempdir().unwrap();
    fs::write(temp.path().join("plain"), "").unwrap();
    output::write(&temp.path().join("new"), 0o666, |_| Ok(())).unwrap();
    let [plain, new] =
        ["plain", "new"].map(|name| fs::metadata(temp.path().join(name)).unwrap().mode());
    assert_eq!(plain, new);
}

#[test]
fn devices_and_pipes_are_written_to_and_stay() {
    let temp = tempfile::tempdir().unwrap();
    let full = &full_device(temp.path());
    let before = fs::metadata(full).unwrap();
    let error = output::write(full, 0o666, |out| out.write_all(b"x")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    let after = fs::metadata(full).unwrap();
    assert_eq!((before.ino(), before.mode()), (after.ino(), after.mode()));
    let _ = fs::remove_file(temp.path().join("full"));

    let path = temp.path().join("pipe");
    pipe(&path);
    let read = OFlags::RDONLY | OFlags::NONBLOCK;
    let mut reader = fs::File::from(rustix::fs::open(&path, read, Mode::empty()).unwrap());
    let link = temp.path().join("link");
    symlink("pipe", &link).unwrap();
    for path in [&path, &link] {
        output::write(path, 0o666, |out| out.write_all(b"through")).unwrap();
        let mut text = [0; 16];
        assert_eq!(reader.read(&mut text).unwrap(), 7);
        assert_eq!(&text[..7], b"through");
    }
    assert_eq!(count(temp.path()), 2);
    assert!(output::Output::find(temp.path()).is_err());
}

#[test]
fn an_open_file_by_its_name_is_written_on() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("file");
    fs::write(&path, "before ").unwrap();
    let open = fs::OpenOptions::new().append(true).open(&path).unwrap();
    let inode = open.metadata().unwrap().ino();
    let number = std::os::fd::AsRawFd::as_raw_fd(&open);
    for name in [format!("/proc/self/fd/{number}"), format!("/dev/fd/{number}")] {
        output::write(Path::new(&name), 0o666, |out| out.write_all(b"after ")).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), "before after after ");
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
}

#[test]
fn a_link_that_the_user_named_leads_to_what_is_replaced() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir(temp.path().join("inner")).unwrap();
    let [file, link, new] = ["inner/file", "link", "new"].map(|name| temp.path().join(name));
    fs::write(&file, "old").unwrap();
    symlink("inner/file", &link).unwrap();
    symlink("inner/none", &new).unwrap();
    output::write(&link, 0o666, |out| out.write_all(b"new")).unwrap();
    output::write(&new, 0o666, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::read_to_string(temp.path().join("inner/none")).unwrap(), "new");
    assert!([link, new].iter().all(|link| fs::symlink_metadata(link).unwrap().is_symlink()));
    assert_eq!((count(temp.path()), count(&temp.path().join("inner"))), (3, 2));
}

#[test]
fn a_link_of_another_user_in_a_shared_directory_is_refused() {
    if !is_root() {
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    let victim = temp.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    let shared = temp.path().join("shared");
    fs::create_dir(&shared).unwrap();
    set_mode(&shared, 0o1777);
    let link = shared.join("p.jfp");
    symlink(&victim, &link).unwrap();
    symlink(temp.path(), shared.join("folder")).unwrap();
    for path in [&link, &shared.join("folder")] {
        std::os::unix::fs::lchown(path, Some(NOBODY), None).unwrap();
    }
    for path in [&link, &shared.join("folder/victim")] {
        let error = output::write(path, 0o666, |out| out.write_all(b"new")).unwrap_err();
        assert!(
            matches!(refusal(&error), Some(Refusal::ForeignLink { uid: NOBODY, .. })),
            "{error}"
        );
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    // The directory's owner could do what it likes there anyway.
    chown(&shared, Some(NOBODY), None).unwrap();
    output::write(&link, 0o666, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&victim).unwrap(), "new");
}

#[test]
fn a_trusted_directory_has_no_part_that_another_user_can_change() {
    let temp = tempfile::tempdir().unwrap();
    let root = temp.path().canonicalize().unwrap();
    let (_, path) = trusted_directory(&root.join("a/b/../c")).unwrap();
    assert_eq!(path, root.join("a/c"));
    assert_eq!(fs::metadata(root.join("a")).unwrap().mode() & 0o777, 0o700);
    symlink("a", root.join("link")).unwrap();
    assert_eq!(trusted_directory(&root.join("link/c")).unwrap().1, root.join("a/c"));

    let untrusted = |path: &Path| match refusal(&trusted_directory(path).unwrap_err()) {
        Some(Refusal::Untrusted { path, why }) => (path.clone(), (**why).clone()),
        other => panic!("{other:?}"),
    };
    set_mode(&root.join("a"), 0o777);
    assert_eq!(untrusted(&root.join("a/c")), (root.join("a"), Refusal::Writable { mode: 0o777 }));
    set_mode(&root.join("a"), 0o770);
    assert_eq!(
        untrusted(&root.join("link/c")),
        (root.join("a"), Refusal::Writable { mode: 0o770 })
    );
    set_mode(&root.join("a"), 0o1777);
    trusted_directory(&root.join("a/c")).unwrap();
    assert!(trusted_directory(Path::new("a")).is_err());
    if is_root() {
        chown(root.join("a/c"), Some(NOBODY), None).unwrap();
        assert_eq!(
            untrusted(&root.join("a/c/d")),
            (root.join("a/c"), Refusal::Owner { uid: NOBODY })
        );
        assert!(!root.join("a/c/d").exists());
        std::os::unix::fs::lchown(root.join("link"), Some(NOBODY), None).unwrap();
        assert_eq!(
            untrusted(&root.join("link")),
            (root.join("link"), Refusal::Owner { uid: NOBODY })
        );
    }
}
