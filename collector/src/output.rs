//! The files that a recording writes: under a temporary name first, renamed when whole.

use crate::Error;
use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

/// Checks before anything is run that `path` can be written, and that it does not exist unless `force` is set.
pub(crate) fn check(path: &Path, force: bool) -> Result<(), Error> {
    let error = |source| Error::Output { path: path.to_owned(), source, kept: None };
    match fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Err(error(io::ErrorKind::IsADirectory.into())),
        Ok(_) if !force => return Err(Error::OutputExists(path.to_owned())),
        Ok(_) | Err(_) => {}
    }
    let temporary = temporary_name(path);
    OpenOptions::new().write(true).create_new(true).open(&temporary).map_err(error)?;
    let _ = fs::remove_file(&temporary);
    Ok(())
}

/// Whether two files that may not be there yet are one.
pub(crate) fn are_one(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        folder.zip(path.file_name().map(OsString::from)).map_or(path, |(folder, name)| folder.join(name))
    };
    place(one) == place(other)
}

/// Writes `path` through `write`, with `mode`; a failure leaves no part of it behind, and what was there before as it was.
pub(crate) fn replace(
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let temporary = temporary_name(path);
    let result = (|| {
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(&temporary)?;
        let mut file = BufWriter::with_capacity(1 << 16, file);
        write(&mut file)?;
        file.flush()?;
        drop(file);
        fs::rename(&temporary, path)
    })();
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

fn temporary_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// Where the profile of the JVM `pid` goes when each has its own: the pid before the extension.
pub(crate) fn of_jvm(output: &Path, pid: u64) -> PathBuf {
    match (output.file_stem(), output.extension()) {
        (Some(stem), Some(extension)) => {
            let mut name = stem.to_owned();
            name.push(format!(".{pid}."));
            name.push(extension);
            output.with_file_name(name)
        }
        (Some(stem), None) => {
            let mut name = stem.to_owned();
            name.push(format!(".{pid}"));
            output.with_file_name(name)
        }
        (None, _) => output.join(format!("profile.{pid}.jfp")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_before_the_command_runs() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("p.jfp");
        check(&file, false).unwrap();
        assert!(!file.exists() && fs::read_dir(temp.path()).unwrap().next().is_none());
        fs::write(&file, "x").unwrap();
        assert!(matches!(check(&file, false), Err(Error::OutputExists(_))));
        check(&file, true).unwrap();
        assert!(matches!(check(temp.path(), true), Err(Error::Output { .. })));
        let message = check(&temp.path().join("no/such/p.jfp"), false).unwrap_err().to_string();
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
        for (output, expected) in
            [("p.jfp", "p.7.jfp"), ("d.x/p", "d.x/p.7"), ("a.b.jfp", "a.b.7.jfp"), ("/", "/profile.7.jfp")]
        {
            assert_eq!(of_jvm(Path::new(output), 7), Path::new(expected));
        }
    }

    #[test]
    fn a_failure_keeps_what_was_there() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("p.jfp");
        fs::write(&file, "old").unwrap();
        let failure = replace(&file, 0o644, |f| {
            f.write_all(b"new")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failure.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        replace(&file, 0o644, |f| f.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
    }
}
