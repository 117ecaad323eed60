//! The session directory: where the JVMs of one recording put their files.

use std::path::{Path, PathBuf};

use crate::error::TraceError;
use crate::layout as l;
use crate::owned_file::check_dir;

/// A session directory of ours, private.
#[derive(Clone, Debug)]
pub struct SessionDir {
    path: PathBuf,
}

/// A session file by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionEntry {
    /// Start of the JVM, milliseconds since the epoch.
    pub start_millis: u64,
    /// Process id of the JVM.
    pub pid: u64,
    /// The file.
    pub path: PathBuf,
}

impl SessionDir {
    /// Makes a new directory with mode 0700. Its parent must exist, it must not.
    pub fn create(path: &Path) -> Result<Self, TraceError> {
        jfathom_files::create_directory(path, 0o700)
            .map_err(TraceError::io(path, "create the session directory"))?;
        Self::open(path)
    }

    /// Opens an existing directory, which must belong to us and let nobody else in.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        check_dir(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The directory; the value of [`crate::layout::ENV_SESSION`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The session files that are there, oldest JVM first. Other files are passed over.
    pub fn entries(&self) -> Result<Vec<SessionEntry>, TraceError> {
        let doing = "list the session directory";
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&self.path).map_err(TraceError::io(&self.path, doing))? {
            let path = entry.map_err(TraceError::io(&self.path, doing))?.path();
            if let Some((pid, start_millis)) =
                path.file_name().and_then(|name| parse_name(name.to_str()?))
            {
                entries.push(SessionEntry { start_millis, pid, path });
            }
        }
        entries.sort();
        Ok(entries)
    }
}

/// The name of the file of a JVM.
pub fn file_name(pid: u64, start_millis: u64) -> String {
    format!("{}{pid}-{start_millis}{}", l::FILE_PREFIX, l::FILE_SUFFIX)
}

fn parse_name(name: &str) -> Option<(u64, u64)> {
    let (pid, start) =
        name.strip_prefix(l::FILE_PREFIX)?.strip_suffix(l::FILE_SUFFIX)?.split_once('-')?;
    Some((pid.parse().ok()?, start.parse().ok()?))
}
