//! The files of one JVM in a session directory, and the identity of the JVM in their names.

use crate::names::{
    CHECKPOINT_SUFFIX, FAILURE_SUFFIX, FILE_PREFIX, FILE_SUFFIX, METHODS_SUFFIX, OVERFLOW_SUFFIX,
    PROFILE_SUFFIX, SAMPLES_SUFFIX,
};
use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

/// A JVM of a recording: a pid may be given to another process later, pid and start time may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct JvmIdentity {
    /// Start of the JVM, milliseconds since the epoch.
    pub start_millis: u64,
    /// Process id of the JVM, as it sees it itself.
    pub pid: u64,
}

/// A file of one JVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JvmFile {
    /// The session file.
    Session,
    /// What the session file has no space for; in the overflow directory.
    Overflow,
    /// The methods of a live session.
    Methods,
    /// The stacks that the agent has sampled.
    Samples,
    /// Why the JVM has no session.
    Failure,
    /// The collector's last checkpoint.
    Checkpoint,
    /// The profile of a JVM that has ended.
    Profile,
}

impl JvmFile {
    /// The end of its name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Session => FILE_SUFFIX,
            Self::Overflow => OVERFLOW_SUFFIX,
            Self::Methods => METHODS_SUFFIX,
            Self::Samples => SAMPLES_SUFFIX,
            Self::Failure => FAILURE_SUFFIX,
            Self::Checkpoint => CHECKPOINT_SUFFIX,
            Self::Profile => PROFILE_SUFFIX,
        }
    }

    /// The path of this file of the JVM that has the session file `session_file`.
    pub fn beside(self, session_file: &Path) -> PathBuf {
        session_file.with_extension(self.suffix().trim_start_matches('.'))
    }
}

impl JvmIdentity {
    /// The name of a file of this JVM.
    pub fn file_name(self, file: JvmFile) -> String {
        format!("{FILE_PREFIX}{}-{}{}", self.pid, self.start_millis, file.suffix())
    }

    /// The JVM that has a file of this name; none if the name is of another kind.
    pub fn from_file_name(name: &OsStr, file: JvmFile) -> Option<Self> {
        let stem = name.to_str()?.strip_prefix(FILE_PREFIX)?.strip_suffix(file.suffix())?;
        let (pid, start_millis) = stem.split_once('-')?;
        Some(Self { start_millis: start_millis.parse().ok()?, pid: pid.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(JvmFile, &str); 7] = [
        (JvmFile::Session, "jvm-42-1700.jft"),
        (JvmFile::Overflow, "jvm-42-1700.jfo"),
        (JvmFile::Methods, "jvm-42-1700.methods"),
        (JvmFile::Samples, "jvm-42-1700.samples"),
        (JvmFile::Failure, "jvm-42-1700.failed"),
        (JvmFile::Checkpoint, "jvm-42-1700.jfc"),
        (JvmFile::Profile, "jvm-42-1700.jfp"),
    ];

    #[test]
    fn names_are_read_again() {
        let jvm = JvmIdentity { start_millis: 1700, pid: 42 };
        let session = Path::new("/dev/shm/s").join(jvm.file_name(JvmFile::Session));
        for (file, name) in FILES {
            assert_eq!(jvm.file_name(file), name);
            assert_eq!(JvmIdentity::from_file_name(name.as_ref(), file), Some(jvm));
            assert_eq!(file.beside(&session), Path::new("/dev/shm/s").join(name));
        }
    }

    #[test]
    fn other_names_are_of_no_jvm() {
        for name in [
            "",
            "jvm-.jft",
            "jvm-1.jft",
            "jvm-1-.jft",
            "jvm-x-1.jft",
            "jvm-1-2",
            "1-2.jft",
            "jvm-1-2.jfp",
        ] {
            let read = JvmIdentity::from_file_name(name.as_ref(), JvmFile::Session);
            assert_eq!(read, None, "{name}");
        }
    }
}
