//! The samples file as the agent writes it.

use jfathom_files::free_bytes_of;
use jfathom_session::SamplesFileLine;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The most bytes of the file.
const MOST_BYTES: u64 = 256 << 20;
/// Bytes that stay free for others on the file system.
const RESERVE: u64 = 64 << 20;

/// Writes the lines of a samples file.
pub struct SamplesWriter {
    file: File,
    /// Length of the whole lines.
    bytes: u64,
    most_bytes: u64,
}

/// Why no more lines are written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    #[error("the samples file has its greatest length")]
    TooLong,
    #[error("there is little space left for the samples file")]
    NoSpace,
    #[error("the samples file cannot be written: {0}")]
    Write(#[from] io::Error),
}

impl SamplesWriter {
    /// Writes into a new file.
    pub const fn new(file: File) -> Self {
        Self { file, bytes: 0, most_bytes: MOST_BYTES }
    }

    /// Appends lines, in one piece.
    ///
    /// # Errors
    /// Fails if the file gets too long, or cannot be written. It has none of the lines then.
    pub fn write(&mut self, lines: &[SamplesFileLine]) -> Result<(), WriteError> {
        let text = text(lines);
        if self.bytes.saturating_add(text.len() as u64) > self.most_bytes {
            return Err(WriteError::TooLong);
        }
        if free_bytes_of(&self.file).is_some_and(|free| free < RESERVE) {
            return Err(WriteError::NoSpace);
        }
        Ok(self.append(&text)?)
    }

    /// Appends the last line. If it cannot be written, the file ends without.
    pub fn end(&mut self, reason: String) {
        let _ = self.append(&text(&[SamplesFileLine::End(reason)]));
    }

    fn append(&mut self, text: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all_at(text, self.bytes) {
            // If the part stays, the next line replaces its beginning, and readers find a line that
            // is none.
            let _ = self.file.set_len(self.bytes);
            return Err(error);
        }
        self.bytes += text.len() as u64;
        Ok(())
    }
}

fn text(lines: &[SamplesFileLine]) -> Vec<u8> {
    let mut text = Vec::new();
    for line in lines {
        if serde_json::to_writer(&mut text, line).is_ok() {
            text.push(b'\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_gets_too_long_says_so() {
        let path = tempfile::NamedTempFile::new().unwrap();
        let mut writer = SamplesWriter::new(path.reopen().unwrap());
        writer.most_bytes = 40;
        writer.write(&[SamplesFileLine::Samples(vec![(1, 2, 3)])]).unwrap();
        let long = SamplesFileLine::Samples(vec![(1, 2, 3); 9]);
        let error = writer.write(&[long]).unwrap_err();
        writer.end(error.to_string());
        let text = std::fs::read_to_string(path.path()).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [r#"{"samples":[[1,2,3]]}"#, r#"{"end":"the samples file has its greatest length"}"#]
        );
    }
}
