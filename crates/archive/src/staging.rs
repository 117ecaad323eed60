//! Output that appears under its name only when it is complete.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{io, process};

use jfathom_files::{Access, Directory};

/// A file or directory under a temporary name beside its target. Dropped before it got its name, it
/// is removed.
///
/// While it is written it is locked. What a killed process left is therefore recognised by its name
/// and the missing lock, and removed by the next run to the same target. What a process runs from,
/// by its arguments or its environment, stays until a run after that.
#[derive(Debug)]
pub struct Staging {
    target: PathBuf,
    /// The folder of both, held open: whatever becomes of its path, the output gets its name in
    /// this one.
    folder: Directory,
    temp: PathBuf,
    /// The temporary file, or the temporary directory opened to hold the lock.
    locked: File,
    committed: bool,
}

impl Staging {
    /// A new, empty, locked file for `target`. Folders above it are made.
    pub(crate) fn file(target: &Path) -> io::Result<Self> {
        Self::start(target, |folder, temp| folder.create_file(temp, 0o666))
    }

    /// A new, empty, locked directory for `target`. Folders above it are made.
    ///
    /// # Errors
    /// What the file system says, and `InvalidInput` for a path without a file name.
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
            // A file system without locks has none to take either, so that nothing there is taken
            // for remains.
            let _ = locked.lock();
            // Between making and locking it, another process may have taken it for remains.
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

    /// The name that the output gets.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        &self.temp
    }

    /// Whether another process has it in its arguments or its environment, so that it would miss
    /// what is in it.
    pub fn is_used(&self) -> bool {
        self.temp.file_name().is_some_and(is_used)
    }

    /// The file to write to.
    pub(crate) fn as_file(&self) -> &File {
        &self.locked
    }

    /// The directory that is written, by its handle.
    pub(crate) fn directory_handle(&self) -> io::Result<Directory> {
        self.folder.beneath(Path::new(self.temp.file_name().unwrap_or_default()))
    }

    /// Gives the output its name. What is there is replaced.
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
            // Nothing more can be done here; the next run tries again.
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

/// Removes what killed runs of this user to the same target left. Failing to do so harms nothing.
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

/// Opens a file or directory of this user. What else may lie there under such a name is not
/// touched: a pipe would block.
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
