//! Archives beyond 4 GiB, without their bytes: the writer believes that as much was written
//! already, and the reader sees zeros there.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use super::*;
use crate::codec::pack;

const BEFORE: u64 = 5 << 30;

/// `BEFORE` zeros, then the bytes.
struct Shifted {
    bytes: Cursor<Vec<u8>>,
    at: u64,
}

impl Read for Shifted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = match self.at.checked_sub(BEFORE) {
            Some(at) => {
                self.bytes.set_position(at);
                self.bytes.read(buffer)?
            }
            None => {
                let zeros = (BEFORE - self.at).min(buffer.len() as u64) as usize;
                buffer[..zeros].fill(0);
                zeros
            }
        };
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Shifted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => {
                (BEFORE + self.bytes.get_ref().len() as u64).checked_add_signed(by)
            }
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

fn shifted(bytes: Vec<u8>) -> zip::ZipArchive<Shifted> {
    zip::ZipArchive::new(Shifted { bytes: Cursor::new(bytes), at: 0 })
        .expect("the zip crate reads the archive")
}

#[test]
fn offsets_beyond_4_gib_are_written_as_zip64() {
    let mut writer = Writer::new(Vec::new(), &[]).unwrap();
    writer.written = BEFORE;
    writer.add(&"a.txt".into(), &pack(b"some text".to_vec(), Storage::Deflated)).unwrap();
    writer.add(&"b.txt".into(), &pack(b"more".to_vec(), Storage::Stored)).unwrap();
    let (bytes, size) = writer.finish(b"comment", &[]).unwrap();
    assert_eq!(size, BEFORE + bytes.len() as u64);
    let mut archive = shifted(bytes);
    assert_eq!(archive.len(), 2);
    for (name, want) in [("a.txt", "some text"), ("b.txt", "more")] {
        let mut text = String::new();
        archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, want);
    }
    assert_eq!(archive.by_index(0).unwrap().header_start(), BEFORE);
}

#[test]
fn sizes_beyond_4_gib_are_written_as_zip64() {
    let mut writer = Writer::new(Vec::new(), &[]).unwrap();
    let packed = Packed { storage: Storage::Deflated, crc: 1, size: 6 << 30, data: vec![7; 10] };
    writer.add(&"big".into(), &packed).unwrap();
    let (bytes, _) = writer.finish(&[], &[]).unwrap();
    assert_eq!(u64_at(&bytes, 30 + 3 + 4), Some(6 << 30), "in the local header too");
    assert_eq!(u64_at(&bytes, 30 + 3 + 12), Some(10));
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let entry = archive.by_index_raw(0).unwrap();
    assert_eq!((entry.size(), entry.compressed_size()), (6 << 30, 10));
}
