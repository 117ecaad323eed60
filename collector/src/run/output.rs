//! The path of the profile that a recording writes.

use crate::Error;
use jfathom_files::output::{Output, STDOUT};
use jfathom_profile::Profile;
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    path::{Path, PathBuf},
};

/// Checks before the command runs that `path` can be written.
///
/// # Errors
/// Fails if it cannot. If `force` is not set, fails also if a file is there that is no profile of
/// this user, or if its name with `.old` is not free for it.
pub(crate) fn check(path: &Path, force: bool) -> Result<(), Error> {
    let error = |cause| Error::Output { path: path.to_owned(), cause, kept: None, exit: None };
    let output = Output::find(path).map_err(error)?;
    if !force && output.check_keeping(is_profile).is_err() {
        return Err(Error::OutputExists(path.to_owned()));
    }
    output.check().map_err(error)
}

/// Whether a file that another recording replaces is a profile. It is kept as `.old`.
pub(crate) fn is_profile(mut file: File) -> bool {
    Profile::is_profile(&mut file)
}

/// Whether two paths mean one file, which may not be there so far.
pub(crate) fn are_one(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder
            .zip(path.file_name().map(OsString::from))
            .map_or(path, |(folder, name)| folder.join(name))
    };
    place(one) == place(other)
}

/// The absolute path of an output; standard output stays as it is.
pub(crate) fn absolute(output: &Path) -> std::io::Result<PathBuf> {
    if output == Path::new(STDOUT) { Ok(output.to_owned()) } else { std::path::absolute(output) }
}

/// The path of the profile of one JVM if each has its own: the pid stands for `%p` in the name,
/// else before the extension.
pub(crate) fn of_jvm(output: &Path, pid: u64) -> PathBuf {
    match output.file_name().and_then(OsStr::to_str) {
        Some(name) if name.contains(PID) => {
            output.with_file_name(name.replace(PID, &pid.to_string()))
        }
        _ => numbered(output, pid),
    }
}

/// What stands for the process id in a name.
const PID: &str = "%p";

/// A path with a number before its extension: `profile.1000.jfp`.
pub fn numbered(output: &Path, number: u64) -> PathBuf {
    match (output.file_stem(), output.extension()) {
        (Some(stem), Some(extension)) => {
            let mut name = stem.to_owned();
            name.push(format!(".{number}."));
            name.push(extension);
            output.with_file_name(name)
        }
        (Some(stem), None) => {
            let mut name = stem.to_owned();
            name.push(format!(".{number}"));
            output.with_file_name(name)
        }
        (None, _) => output.join(format!("profile.{number}.jfp")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, io::Write};

    #[test]
    fn refuses_before_the_command_runs() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("p.jfp");
        check(&file, false).unwrap();
        assert!(!file.exists() && fs::read_dir(temp.path()).unwrap().next().is_none());
        fs::write(&file, "x").unwrap();
        assert!(matches!(check(&file, false), Err(Error::OutputExists(_))));
        // A profile gives way, unless its new name is taken by something else.
        fs::write(&file, b"JFPROF\x1a\n").unwrap();
        check(&file, false).unwrap();
        let old = temp.path().join("p.jfp.old");
        std::os::unix::fs::symlink("p.jfp", &old).unwrap();
        assert!(matches!(check(&file, false), Err(Error::OutputExists(_))));
        fs::remove_file(&old).unwrap();
        check(&file, true).unwrap();
        assert!(matches!(check(temp.path(), true), Err(Error::Output { .. })));
        let message = check(&temp.path().join("no/such/p.jfp"), false).unwrap_err().to_string();
        check(Path::new(STDOUT), false).unwrap();
        check(Path::new("/dev/full"), false).unwrap();
        assert!(message.contains("no/such/p.jfp") && message.contains("-o"), "{message}");
    }

    #[test]
    fn one_file_under_two_names() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        std::os::unix::fs::symlink(folder, folder.join("again")).unwrap();
        assert!(are_one(&folder.join("p.jfp"), &folder.join("again/p.jfp")));
        assert!(are_one(Path::new("p.jfp"), Path::new("./p.jfp")));
        assert!(!are_one(&folder.join("p.jfp"), &folder.join("q.jfp")));
        assert!(!are_one(Path::new("none/p.jfp"), Path::new("p.jfp")));
    }

    #[test]
    fn each_jvm_has_a_name_of_its_own() {
        for (output, expected) in [
            ("p.jfp", "p.7.jfp"),
            ("d.x/p", "d.x/p.7"),
            ("a.b.jfp", "a.b.7.jfp"),
            ("/", "/profile.7.jfp"),
        ] {
            assert_eq!(of_jvm(Path::new(output), 7), Path::new(expected));
        }
    }

    #[test]
    fn a_link_that_waits_for_the_temporary_file_is_not_written_through() {
        let temp = tempfile::tempdir().unwrap();
        let [victim, session] = ["victim", "session"].map(|name| temp.path().join(name));
        fs::write(&victim, "precious").unwrap();
        fs::create_dir(&session).unwrap();
        let pid = std::process::id();
        for name in [format!(".jvm-1-2.jfc.{pid}.tmp"), "jvm-1-2.jfc".to_owned()] {
            std::os::unix::fs::symlink(&victim, session.join(name)).unwrap();
        }
        jfathom_files::replace(&session.join("jvm-1-2.jfc"), 0o600, |file| {
            file.write_all(b"records")
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
        let written = session.join("jvm-1-2.jfc");
        assert!(fs::symlink_metadata(&written).unwrap().is_file());
        assert_eq!(fs::read_to_string(&written).unwrap(), "records");
    }
}
