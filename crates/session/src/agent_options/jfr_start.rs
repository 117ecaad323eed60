//! The agent's options where all that it does is start JFR.

use super::{OptionsError, text::Pair, text::escape};
use std::{fmt, os::unix::ffi::OsStrExt, path::PathBuf};

/// What JFR records from the JVM's start on, and where. The text is `key=value,key=value`, the
/// settings first.
///
/// Before Java 17 the flag `-XX:StartFlightRecording` prints lines into the program's standard
/// output. The agent starts JFR without them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JfrStart {
    /// The settings file.
    pub settings: PathBuf,
    /// The directory in which each JVM makes its file.
    pub directory: PathBuf,
    /// The recording's name in the JVM.
    pub name: Option<String>,
    /// Bytes of the recording, beyond which the JVM throws the oldest events away.
    pub max_bytes: Option<u64>,
    /// How many frames a stack has at most, if JFR's own flag does not say so.
    pub stack_depth: Option<u32>,
}

const SETTINGS: &str = "jfr-settings";
const DIRECTORY: &str = "jfr-directory";
const NAME: &str = "jfr-name";
const MAX_BYTES: &str = "jfr-max-bytes";
const STACK_DEPTH: &str = "jfr-stack-depth";

impl JfrStart {
    /// Reads the agent's options; none if they are those of a session.
    ///
    /// # Errors
    /// Fails if a value is not understood.
    pub fn receive(text: &str) -> Result<Option<Self>, OptionsError> {
        if !text.trim_start().starts_with(SETTINGS) {
            return Ok(None);
        }
        let mut start = Self::default();
        for pair in Pair::all(text) {
            match pair.key {
                SETTINGS => start.settings = pair.path()?,
                DIRECTORY => start.directory = pair.path()?,
                NAME => start.name = Some(pair.path()?.to_string_lossy().into_owned()),
                MAX_BYTES => {
                    let bytes = pair.path()?.to_str().and_then(|bytes| bytes.parse().ok());
                    start.max_bytes = Some(bytes.ok_or_else(|| pair.wrong("a number of bytes"))?);
                }
                STACK_DEPTH => {
                    let frames = pair.path()?.to_str().and_then(|frames| frames.parse().ok());
                    start.stack_depth =
                        Some(frames.ok_or_else(|| pair.wrong("a number of frames"))?);
                }
                key => return Err(OptionsError::UnknownKey(key.to_owned())),
            }
        }
        Ok(Some(start))
    }

    /// The file of the JVM with this process id, as it sees its id itself.
    pub fn file(&self, pid: u32) -> PathBuf {
        self.directory.join(format!("{}start.jfr", jfr_file_prefix(u64::from(pid))))
    }
}

/// How the name of a JVM's file begins where JFR makes it up itself, too.
pub fn jfr_file_prefix(pid: u64) -> String {
    format!("hotspot-pid-{pid}-")
}

impl fmt::Display for JfrStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { settings, directory, name, max_bytes, stack_depth } = self;
        let path = |path: &PathBuf| escape(path.as_os_str().as_bytes());
        write!(f, "{SETTINGS}={},{DIRECTORY}={}", path(settings), path(directory))?;
        if let Some(name) = name {
            write!(f, ",{NAME}={}", escape(name.as_bytes()))?;
        }
        max_bytes.map_or(Ok(()), |bytes| write!(f, ",{MAX_BYTES}={bytes}"))?;
        stack_depth.map_or(Ok(()), |frames| write!(f, ",{STACK_DEPTH}={frames}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let start = JfrStart {
            settings: "/s,1/%a=b".into(),
            directory: "/d; e".into(),
            name: Some("x".to_owned()),
            max_bytes: Some(7),
            stack_depth: Some(2048),
        };
        assert_eq!(JfrStart::receive(&start.to_string()).unwrap(), Some(start.clone()));
        let few = JfrStart { name: None, max_bytes: None, stack_depth: None, ..start };
        assert_eq!(JfrStart::receive(&few.to_string()).unwrap(), Some(few.clone()));
        assert_eq!(few.file(7), PathBuf::from("/d; e/hotspot-pid-7-start.jfr"));
        for text in ["", "root=a.B::c", "session=/x,root=a.B::c"] {
            assert_eq!(JfrStart::receive(text).unwrap(), None);
        }
        for text in ["jfr-settings", "jfr-settings=/s,jfr-max-bytes=x", "jfr-settings=/s,root=a"] {
            assert!(JfrStart::receive(text).is_err(), "{text}");
        }
    }
}
