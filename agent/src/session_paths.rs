//! The files of a session.

use jfathom_session::{JvmFile, JvmIdentity};
use jfathom_trace::{SessionDir, TraceError, overflow_dir, overflow_of};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files of a session, new and empty.
#[derive(Debug)]
pub struct SessionFiles {
    pub session: File,
    pub methods: File,
}

/// Why a session has no files.
#[derive(Debug, thiserror::Error)]
pub enum PathsError {
    /// The session directory is not of this user alone.
    #[error(transparent)]
    Directory(#[from] TraceError),
    #[error("/proc does not show when this process was started")]
    NoStartTime,
    #[error("{0}: cannot be made: {1}")]
    Create(PathBuf, io::Error),
    #[error("the session directory names no place for an overflow file")]
    NoOverflow,
}

/// The files of this JVM in a session directory.
#[derive(Clone, Debug)]
pub struct SessionPaths {
    pub directory: PathBuf,
    pub jvm: JvmIdentity,
}

impl SessionPaths {
    /// The files of this JVM in a session directory.
    ///
    /// # Errors
    /// Fails if the directory is not of this user alone.
    pub fn here(directory: &Path) -> Result<Self, PathsError> {
        SessionDir::open(directory)?;
        let jvm = JvmIdentity::current().ok_or(PathsError::NoStartTime)?;
        Ok(Self { directory: directory.to_owned(), jvm })
    }

    /// The session file.
    pub fn file(&self) -> PathBuf {
        self.path(JvmFile::Session)
    }

    fn path(&self, file: JvmFile) -> PathBuf {
        self.directory.join(self.jvm.file_name(file))
    }

    /// Makes a new file.
    fn create(path: &Path) -> Result<File, PathsError> {
        jfathom_files::create(path, 0o600)
            .map_err(|error| PathsError::Create(path.to_owned(), error))
    }

    /// Makes the session file and the methods file.
    ///
    /// # Errors
    /// Fails if one of them cannot be made. None of them is there then.
    pub fn create_files(&self) -> Result<SessionFiles, PathsError> {
        let session = Self::create(&self.file())?;
        match Self::create(&self.path(JvmFile::Methods)) {
            Ok(methods) => Ok(SessionFiles { session, methods }),
            Err(error) => {
                self.remove_file();
                Err(error)
            }
        }
    }

    /// Makes the samples file.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub fn create_samples(&self) -> Result<File, PathsError> {
        Self::create(&self.path(JvmFile::Samples))
    }

    /// The overflow directory; none if there is none of this user alone.
    pub fn overflow_dir(&self) -> Option<PathBuf> {
        overflow_dir(&self.directory).filter(|dir| SessionDir::open(dir).is_ok())
    }

    /// Makes the overflow file.
    ///
    /// # Errors
    /// Fails if it cannot be made.
    pub fn create_overflow(&self) -> Result<File, PathsError> {
        let path = overflow_of(&self.file()).ok_or(PathsError::NoOverflow)?;
        Self::create(&path)
    }

    /// Removes the session file of a session that did not begin.
    pub fn remove_file(&self) {
        let _ = std::fs::remove_file(self.file());
    }

    /// Writes down why there is no session, for the collector.
    pub fn fail(&self, reason: &str) {
        let path = self.path(JvmFile::Failure);
        let _ = jfathom_files::replace(&path, 0o600, |file| file.write_all(reason.as_bytes()));
    }
}
