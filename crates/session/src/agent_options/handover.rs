//! The way of the options to the agent: as text, or in part through a file.

use super::{AgentOptions, LIMIT, OptionsError, text::Pair};
use crate::names::OPTIONS_FILE;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The longest text that is handed over whole: the attach protocol takes arguments of 1,024 bytes.
const WHOLE_BYTES: usize = 1000;

/// End of a text that goes on in the file [`OPTIONS_FILE`].
const REST: &str = ",more";

impl AgentOptions {
    /// The text for the JVM. A long one goes, all but its session, into a file in `directory`, by
    /// which this process reaches the session directory; `session` is its path as the JVM sees it.
    ///
    /// # Errors
    /// Fails if that file cannot be written.
    pub fn hand_over(&self, session: &Path, directory: &Path) -> io::Result<String> {
        let whole = Self { session: Some(session.to_owned()), ..self.clone() }.to_string();
        if whole.len() <= WHOLE_BYTES {
            return Ok(whole);
        }
        let rest = Self { session: None, ..self.clone() }.to_string();
        jfathom_files::replace(&directory.join(OPTIONS_FILE), 0o600, |file| {
            file.write_all(rest.as_bytes())
        })?;
        let pair = whole.strip_suffix(&rest).unwrap_or_default().trim_end_matches(',');
        Ok(format!("{pair}{REST}"))
    }

    /// Reads a text of [`hand_over`](Self::hand_over), and the file in which it goes on.
    ///
    /// # Errors
    /// Fails if the text is not understood, or the file cannot be read.
    pub fn receive(text: &str) -> Result<Self, OptionsError> {
        let Some(first) = text.strip_suffix(REST) else { return text.parse() };
        let path = session_of(first).ok_or(OptionsError::NoSession)?.join(OPTIONS_FILE);
        let read = jfathom_files::read_plain(&path, LIMIT as u64)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other));
        let rest = read.map_err(|error| OptionsError::Rest(path, error))?;
        format!("{first},{rest}").parse()
    }
}

/// The session directory that an option text names, whatever else is wrong with the text.
pub fn session_of(text: &str) -> Option<PathBuf> {
    Pair::all(text).find(|pair| pair.key == "session")?.path().ok()
}
