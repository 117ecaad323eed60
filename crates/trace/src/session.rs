//! Session directories, in which the JVMs of one recording make their files.

use std::path::{Path, PathBuf};

use crate::error::TraceError;
use crate::owned_file::check_dir;
use jfathom_session::{JvmFile, JvmIdentity};

/// A session directory of ours, private.
#[derive(Clone, Debug)]
pub struct SessionDir {
    path: PathBuf,
}

/// A session file by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionEntry {
    /// The JVM.
    pub jvm: JvmIdentity,
    /// The file.
    pub path: PathBuf,
}

impl SessionDir {
    /// Makes a new directory with mode 0700, in an existing parent directory.
    pub fn create(path: &Path) -> Result<Self, TraceError> {
        jfathom_files::create_directory(path, 0o700)
            .map_err(TraceError::io(path, "create the session directory"))?;
        Self::open(path)
    }

    /// Opens an existing directory. It must belong to this user, without access for others.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        check_dir(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The directory; the value of [`jfathom_session::names::ENV_SESSION`].
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The session files, oldest JVM first. Other files are ignored.
    pub fn entries(&self) -> Result<Vec<SessionEntry>, TraceError> {
        let doing = "list the session directory";
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&self.path).map_err(TraceError::io(&self.path, doing))? {
            let path = entry.map_err(TraceError::io(&self.path, doing))?.path();
            let jvm = path
                .file_name()
                .and_then(|name| JvmIdentity::from_file_name(name, JvmFile::Session));
            entries.extend(jvm.map(|jvm| SessionEntry { jvm, path }));
        }
        entries.sort();
        Ok(entries)
    }
}
