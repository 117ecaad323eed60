//! The files of a session.

use jfathom_session::{JvmFile, JvmIdentity};
use jfathom_trace::{SessionDir, overflow_dir, overflow_of};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The files of a session, new and empty.
#[derive(Debug)]
pub struct SessionFiles {
    pub session: File,
    pub methods: File,
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
    /// Fails with a sentence if the directory is not of this user alone.
    pub fn here(directory: &Path) -> Result<Self, String> {
        SessionDir::open(directory).map_err(|error| error.to_string())?;
        let jvm =
            JvmIdentity::current().ok_or("/proc does not show when this process was started")?;
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
    fn create(path: &Path) -> Result<File, String> {
        jfathom_files::create(path, 0o600)
            .map_err(|error| format!("{}: cannot be made: {error}", path.display()))
    }

    /// Makes the session file and the methods file.
    ///
    /// # Errors
    /// Fails with a sentence if one of them cannot be made. None of them is there then.
    pub fn create_files(&self) -> Result<SessionFiles, String> {
        let session = Self::create(&self.file())?;
        match Self::create(&self.path(JvmFile::Methods)) {
            Ok(methods) => Ok(SessionFiles { session, methods }),
            Err(error) => {
                self.remove_file();
                Err(error)
            }
        }
    }

    /// The overflow directory; none if there is none of this user alone.
    pub fn overflow_dir(&self) -> Option<PathBuf> {
        overflow_dir(&self.directory).filter(|dir| SessionDir::open(dir).is_ok())
    }

    /// Makes the overflow file.
    ///
    /// # Errors
    /// Fails with a sentence if it cannot be made.
    pub fn create_overflow(&self) -> Result<File, String> {
        let path = overflow_of(&self.file())
            .ok_or("the session directory names no place for an overflow file")?;
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
