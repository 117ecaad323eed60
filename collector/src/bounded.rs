//! Reading a file where another process says that it lies, through links, whoever's it is.

use std::{
    fs,
    io::{Error, ErrorKind, Read, Result},
    path::Path,
};

/// The longest file of a few lines, such as the `release` of a Java home.
const NOTE_BYTES: u64 = 1 << 20;

/// The bytes of a plain file of at most `limit` bytes.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] where it is no plain file: a pipe waits for its other end, and a
/// device has none. [`ErrorKind::FileTooLarge`] where it is longer.
fn read(path: &Path, limit: u64) -> Result<Vec<u8>> {
    // Before it is opened, too: to open a named pipe waits.
    if !fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "no plain file"));
    }
    let file = fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "no plain file"));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= limit {
        true => Ok(bytes),
        false => Err(Error::new(ErrorKind::FileTooLarge, format!("longer than {limit} bytes"))),
    }
}

/// [`read`] of a text of at most [`NOTE_BYTES`]; none where it cannot be read.
pub(crate) fn read_note(path: &Path) -> Option<String> {
    String::from_utf8(read(path, NOTE_BYTES).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_within_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, b"12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        assert_eq!(read(&file, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read(Path::new("/dev/zero"), 5).unwrap_err().kind(), ErrorKind::InvalidInput);
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
        // A reader of the pipe would wait here for ever.
        assert_eq!(read(&pipe, 5).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
