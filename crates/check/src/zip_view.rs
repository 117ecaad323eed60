//! A zip file as the `zip` crate gets it: up to the end of its directory, and then an end record
//! that means to that reader what the file's own means to the JDK.

use crate::end::End;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use zip::ZipArchive;
use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;

/// The archive that is read.
pub(crate) type Archive<'a> = ZipArchive<View<'a>>;

/// Two pieces as one file.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    file: &'a [u8],
    end: Arc<[u8]>,
    at: u64,
}

/// Opens a file with its comment. Where the JDK finds no directory in it, the reader may.
pub(crate) fn open(bytes: &[u8]) -> Result<(Archive<'_>, Vec<u8>), ZipError> {
    if let Some(end) = End::find(bytes) {
        let file = bytes.get(..end.directory.end).unwrap_or(bytes);
        let view = View { file, end: end.plain().into(), at: 0 };
        let config = Config { archive_offset: ArchiveOffset::Known(end.base as u64) };
        let comment = bytes.get(end.comment).unwrap_or_default().to_vec();
        return Ok((ZipArchive::with_config(config, view)?, comment));
    }
    let archive = ZipArchive::new(View { file: bytes, end: Arc::default(), at: 0 })?;
    let comment = archive.comment().to_vec();
    Ok((archive, comment))
}

impl Read for View<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        let rest = match at.checked_sub(self.file.len()) {
            None => self.file.get(at..).unwrap_or_default(),
            Some(behind) => self.end.get(behind..).unwrap_or_default(),
        };
        let length = rest.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(rest) {
            *to = *from;
        }
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for View<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let all = (self.file.len() + self.end.len()) as u64;
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => all.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
