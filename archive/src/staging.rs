//! Output that appears under its name only when it is complete.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{io, process};

/// A file or directory under a temporary name beside its target. Dropped before it got its name, it is removed.
///
/// While it is written it is locked. What a killed process left is therefore recognised by its name and the missing lock, and
/// removed by the next run to the same target. What a process runs from, by its arguments or its environment, stays until a run after
/// that.
#[derive(Debug)]
pub struct Staging {
    target: PathBuf,
    temp: PathBuf,
    /// The temporary file, or the temporary directory opened to hold the lock.
    locked: File,
    committed: bool,
}

/// Makes temporary names of one process differ; any thread adds one.
static NEXT: AtomicU32 = AtomicU32::new(0);

impl Staging {
    /// A new, empty, locked file for `target`. Folders above it are made.
    pub(crate) fn file(target: &Path) -> io::Result<Self> {
        Self::start(target, |temp| File::options().read(true).write(true).create_new(true).open(temp))
    }

    /// A new, empty, locked directory for `target`. Folders above it are made.
    ///
    /// # Errors
    /// What the file system says, and `InvalidInput` for a path without a file name.
    pub fn directory(target: &Path) -> io::Result<Self> {
        Self::start(target, |temp| {
            fs::create_dir(temp)?;
            File::open(temp)
        })
    }

    fn start(target: &Path, make: impl Fn(&Path) -> io::Result<File>) -> io::Result<Self> {
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path has no file name");
        let name = target.file_name().ok_or_else(no_name)?;
        let folder = match target.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder)?;
        remove_remains(folder, name);
        loop {
            let temp = folder.join(temp_name(name));
            let locked = match make(&temp) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            };
            // A file system without locks has none to take either, so that nothing there is taken for remains.
            let _ = locked.lock();
            // Between making and locking it, another process may have taken it for remains.
            if is_same(&locked, &temp) {
                return Ok(Self { target: target.to_owned(), temp, locked, committed: false });
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

    /// Whether another process has it in its arguments or its environment, so that it would miss what is in it.
    pub fn is_used(&self) -> bool {
        self.temp.file_name().is_some_and(is_used)
    }

    /// The file to write to.
    pub(crate) fn as_file(&self) -> &File {
        &self.locked
    }

    /// Gives the output its name. What is there is replaced.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        let old_directory = self.target.symlink_metadata().is_ok_and(|m| m.is_dir());
        if !old_directory {
            fs::rename(&self.temp, &self.target)?;
            self.committed = true;
            return Ok(());
        }
        let name = self.target.file_name().unwrap_or_default();
        let old = self.target.with_file_name(temp_name(name));
        fs::rename(&self.target, &old)?;
        if let Err(e) = fs::rename(&self.temp, &self.target) {
            fs::rename(&old, &self.target)?;
            return Err(e);
        }
        self.committed = true;
        fs::remove_dir_all(&old)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.committed && !self.is_used() {
            // Nothing more can be done here; the next run tries again.
            let _ = remove(&self.temp);
        }
    }
}

/// `.NAME.jfathom-PID-N.part`
fn temp_name(name: &OsStr) -> OsString {
    let mut temp = prefix(name);
    temp.push(format!("{}-{}.part", process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    temp
}

fn prefix(name: &OsStr) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".jfathom-");
    prefix
}

/// Removes what killed runs to the same target left. Failing to do so harms nothing.
fn remove_remains(folder: &Path, name: &OsStr) {
    let prefix = prefix(name);
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = item.file_name();
        let ours = name.as_bytes().starts_with(prefix.as_bytes()) && name.as_bytes().ends_with(b".part");
        if ours
            && !is_used(&name)
            && let Ok(file) = File::open(item.path())
            && file.try_lock().is_ok()
        {
            let _ = remove(&item.path());
        }
    }
}

/// Whether another process of this user has a temporary name in its arguments or its environment.
fn is_used(name: &OsStr) -> bool {
    let process = |entry: fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        (pid != process::id()).then(|| entry.path())
    };
    let has_name = |bytes: &[u8]| bytes.windows(name.len()).any(|window| window == name.as_bytes());
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(process).any(|folder| {
        ["cmdline", "environ"].iter().any(|file| fs::read(folder.join(file)).is_ok_and(|it| has_name(&it)))
    })
}

fn remove(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

fn is_same(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}
