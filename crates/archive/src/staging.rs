//! Outputs that get their names when they are complete.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{io, process};

use jfathom_files::{Access, Directory};

/// A file or directory under a temporary name beside its target. If it is dropped before it gets
/// its name, it is removed.
///
/// It is locked while it is written. So the next run to the same target recognises what a killed
/// process left: the name is there and the lock is missing. It removes such remains, unless a
/// process has them in its arguments or environment.
#[derive(Debug)]
pub struct Staging {
    target: PathBuf,
    /// The folder of both, open: the output gets its name in this folder, even if another one now
    /// has the folder's path.
    folder: Directory,
    temp: PathBuf,
    /// The temporary file, or the temporary directory, open for the lock.
    locked: File,
    committed: bool,
}

impl Staging {
    /// A new, empty, locked file for `target`. Missing folders above it are made.
    pub(crate) fn file(target: &Path) -> io::Result<Self> {
        Self::start(target, |folder, temp| folder.create_file(temp, 0o666))
    }

    /// A new, empty, locked directory for `target`. Missing folders above it are made.
    ///
    /// # Errors
    /// Fails with `InvalidInput` if the path has no file name, or if the file system reports an
    /// error.
    pub fn directory(target: &Path) -> io::Result<Self> {
        Self::start(target, |folder, temp| folder.create_directory(temp, 0o777)?.to_file())
    }

    fn start(
        target: &Path,
        make: impl Fn(&Directory, &OsStr) -> io::Result<File>,
    ) -> io::Result<Self> {
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
        let name = target.file_name().ok_or_else(no_name)?;
        let folder = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        jfathom_files::create_directories(folder, 0o777)?;
        let handle = Directory::open(folder)?;
        remove_remains(&handle, name);
        loop {
            let temp_name = temp_name(name);
            let locked = match make(&handle, &temp_name) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            // A file system without locks lets no run take one, so nothing there counts as remains.
            let _ = locked.lock();
            // Another process may have removed it as remains before it was locked.
            if is_same(&locked, &handle, &temp_name) {
                let temp = folder.join(temp_name);
                return Ok(Self {
                    target: target.to_owned(),
                    folder: handle,
                    temp,
                    locked,
                    committed: false,
                });
            }
        }
    }

    /// The output's final path.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The temporary path.
    pub fn path(&self) -> &Path {
        &self.temp
    }

    /// Whether another process has it in its arguments or environment, and so may need it.
    pub fn is_used(&self) -> bool {
        self.temp.file_name().is_some_and(is_used)
    }

    /// The file to write to.
    pub(crate) fn as_file(&self) -> &File {
        &self.locked
    }

    /// The directory to write to.
    pub(crate) fn directory_handle(&self) -> io::Result<Directory> {
        self.folder.beneath(Path::new(self.temp.file_name().unwrap_or_default()))
    }

    /// Gives the output its name. An existing output is replaced.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        let name = self.target.file_name().unwrap_or_default();
        let temp = self.temp.file_name().unwrap_or_default();
        let old_directory =
            self.folder.hold(name).and_then(|old| old.metadata()).is_ok_and(|old| old.is_dir());
        if !old_directory {
            self.folder.rename(temp, name)?;
            self.committed = true;
            return Ok(());
        }
        let old = temp_name(name);
        self.folder.rename(name, &old)?;
        if let Err(e) = self.folder.rename(temp, name) {
            self.folder.rename(&old, name)?;
            return Err(e);
        }
        self.committed = true;
        fs::remove_dir_all(self.folder.path_by_handle().join(old))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.committed && !self.is_used() {
            // If this fails, the next run tries again.
            let _ = remove(&self.folder, self.temp.file_name().unwrap_or_default());
        }
    }
}

/// `.NAME.jfathom-0123456789abcdef.part`
fn temp_name(name: &OsStr) -> OsString {
    let mut temp = prefix(name);
    temp.push(format!("{}.part", jfathom_files::unpredictable()));
    temp
}

fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".jfathom-");
    prefix
}

/// Removes remains of this user's killed runs to the same target. A failure does no harm.
fn remove_remains(folder: &Directory, name: &OsStr) {
    let prefix = prefix(name);
    for name in folder.names().unwrap_or_default() {
        let ours =
            name.as_bytes().starts_with(prefix.as_bytes()) && name.as_bytes().ends_with(b".part");
        if ours
            && !is_used(&name)
            && let Ok(file) = open_remains(folder, &name)
            && file.try_lock().is_ok()
        {
            let _ = remove(folder, &name);
        }
    }
}

/// Opens a file or directory of this user. Other things under such a name are not touched: a pipe
/// would block.
fn open_remains(folder: &Directory, name: &OsStr) -> io::Result<File> {
    folder.open_own(name, Access::Read).or_else(|_| {
        let directory = folder.beneath(Path::new(name))?;
        directory.require_own()?;
        directory.to_file()
    })
}

/// Whether another process of this user has a temporary name in its arguments or its environment.
fn is_used(name: &OsStr) -> bool {
    let process = |entry: fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        (pid != process::id()).then(|| entry.path())
    };
    let has_name = |bytes: &[u8]| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(process).any(|folder| {
        ["cmdline", "environ"]
            .iter()
            .any(|file| fs::read(folder.join(file)).is_ok_and(|content| has_name(&content)))
    })
}

fn remove(folder: &Directory, name: &OsStr) -> io::Result<()> {
    match folder.hold(name)?.metadata()?.is_dir() {
        true => fs::remove_dir_all(folder.path_by_handle().join(name)),
        false => folder.remove_file(name),
    }
}

fn is_same(file: &File, folder: &Directory, name: &OsStr) -> bool {
    match (file.metadata(), folder.hold(name).and_then(|held| held.metadata())) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}
