//! The writer of archives.

use std::io::{self, Write};

use super::extra::{push_zip64, without_zip64};
use super::*;

/// Writes entries one after the other, then the central directory. Offsets count from the start of
/// the preamble.
pub(crate) struct Writer<W> {
    out: W,
    written: u64,
    central: Vec<u8>,
    count: u64,
}

/// Header fields without the sizes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Template {
    /// 4.4.2 and 4.4.3
    made_by: u16,
    needed: u16,
    flags: u16,
    method: u16,
    /// Time and date in MS-DOS format (4.4.6).
    stamp: u32,
    /// Disk, internal and external attributes of the central header.
    attributes: [u8; 8],
}

/// CRC, sizes and offset of the entry of a central header.
struct Target {
    crc: u32,
    compressed: u64,
    size: u64,
    offset: u64,
}

/// 1980-01-01 00:00, the zero of MS-DOS dates.
const EPOCH: u32 = 0x0021_0000;
/// The version that supports zip64 (4.4.3.2).
const VERSION_ZIP64: u16 = 45;
const MAX32: u64 = 0xffff_ffff;

impl<W: Write> Writer<W> {
    pub(crate) fn new(out: W, preamble: &[u8]) -> io::Result<Self> {
        let mut writer = Self { out, written: 0, central: Vec::new(), count: 0 };
        writer.put(preamble)?;
        Ok(writer)
    }

    /// Copies an entry.
    pub(crate) fn keep(&mut self, archive: &[u8], record: &CentralEntry) -> io::Result<()> {
        let template = Template::of(archive, record);
        let data = &archive[record.data.clone()];
        if record.descriptor_missing {
            return self.entry_of(
                archive,
                record,
                template.undescribed(),
                data,
                record.crc,
                record.size,
            );
        }
        let offset = self.written;
        self.put(&archive[record.span.clone()])?;
        let target =
            Target { crc: record.crc, compressed: data.len() as u64, size: record.size, offset };
        self.push_record(archive, record, &template, &target)
    }

    /// Writes an entry with new content. Name, timestamp, extra fields and comment stay.
    pub(crate) fn replace(
        &mut self,
        archive: &[u8],
        record: &CentralEntry,
        packed: &Packed,
    ) -> io::Result<()> {
        let mut template = Template::of(archive, record).undescribed();
        template.method = method(packed.storage);
        self.entry_of(archive, record, template, &packed.data, packed.crc, packed.size)
    }

    /// Adds a new entry.
    pub(crate) fn add(&mut self, name: &EntryName, packed: &Packed) -> io::Result<()> {
        let template = Template::ours(name, packed.storage);
        let target = Target {
            crc: packed.crc,
            compressed: packed.data.len() as u64,
            size: packed.size,
            offset: self.written,
        };
        self.put_local(&template, name.as_bytes(), Vec::new(), &target)?;
        self.put(&packed.data)?;
        self.push_central(&template, name.as_bytes(), Vec::new(), &[], &target)
    }

    /// Writes central directory and end records. Returns the sink and the size of the archive.
    pub(crate) fn finish(mut self, comment: &[u8], trailer: &[u8]) -> io::Result<(W, u64)> {
        let (offset, count) = (self.written, self.count);
        let central = std::mem::take(&mut self.central);
        self.put(&central)?;
        let size = central.len() as u64;
        let mut end = Vec::with_capacity(END64_SIZE + END64_LOCATOR_SIZE + END_SIZE);
        if count >= 0xffff || size >= MAX32 || offset >= MAX32 {
            let end64 = self.written;
            end.extend_from_slice(&END64.to_le_bytes());
            end.extend_from_slice(&((END64_SIZE - 12) as u64).to_le_bytes());
            end.extend_from_slice(&VERSION_ZIP64.to_le_bytes());
            end.extend_from_slice(&VERSION_ZIP64.to_le_bytes());
            end.extend_from_slice(&[0; 8]);
            for field in [count, count, size, offset] {
                end.extend_from_slice(&field.to_le_bytes());
            }
            end.extend_from_slice(&END64_LOCATOR.to_le_bytes());
            end.extend_from_slice(&[0; 4]);
            end.extend_from_slice(&end64.to_le_bytes());
            end.extend_from_slice(&1u32.to_le_bytes());
        }
        let count = count.min(0xffff) as u16;
        end.extend_from_slice(&END.to_le_bytes());
        end.extend_from_slice(&[0; 4]);
        end.extend_from_slice(&count.to_le_bytes());
        end.extend_from_slice(&count.to_le_bytes());
        end.extend_from_slice(&clamp(size).to_le_bytes());
        end.extend_from_slice(&clamp(offset).to_le_bytes());
        end.extend_from_slice(&length(comment)?.to_le_bytes());
        self.put(&end)?;
        self.put(comment)?;
        self.put(trailer)?;
        Ok((self.out, self.written))
    }

    /// Writes a new local header, and the data.
    fn entry_of(
        &mut self,
        archive: &[u8],
        record: &CentralEntry,
        template: Template,
        data: &[u8],
        crc: u32,
        size: u64,
    ) -> io::Result<()> {
        let target = Target { crc, compressed: data.len() as u64, size, offset: self.written };
        let extra = without_zip64(&archive[record.local_extra.clone()]);
        self.put_local(&template, record.name.as_bytes(), extra, &target)?;
        self.put(data)?;
        self.push_record(archive, record, &template, &target)
    }

    fn put_local(
        &mut self,
        template: &Template,
        name: &[u8],
        mut extra: Vec<u8>,
        target: &Target,
    ) -> io::Result<()> {
        let big = target.size >= MAX32 || target.compressed >= MAX32;
        // 4.5.3: in a local header the field holds both sizes.
        if big {
            push_zip64(&mut extra, &[target.size, target.compressed]);
        }
        let sizes =
            if big { [u32::MAX; 2] } else { [target.compressed as u32, target.size as u32] };
        let mut header = Vec::with_capacity(LOCAL_HEADER_SIZE + name.len() + extra.len());
        header.extend_from_slice(&LOCAL_HEADER.to_le_bytes());
        header.extend_from_slice(&template.needed(big).to_le_bytes());
        header.extend_from_slice(&template.flags.to_le_bytes());
        header.extend_from_slice(&template.method.to_le_bytes());
        header.extend_from_slice(&template.stamp.to_le_bytes());
        for field in [target.crc, sizes[0], sizes[1]] {
            header.extend_from_slice(&field.to_le_bytes());
        }
        header.extend_from_slice(&length(name)?.to_le_bytes());
        header.extend_from_slice(&length(&extra)?.to_le_bytes());
        header.extend_from_slice(name);
        header.extend_from_slice(&extra);
        self.put(&header)
    }

    /// Adds a central header with the name, extra field and comment of `record`.
    fn push_record(
        &mut self,
        archive: &[u8],
        record: &CentralEntry,
        template: &Template,
        to: &Target,
    ) -> io::Result<()> {
        let extra = without_zip64(&archive[record.extra.clone()]);
        let comment = &archive[record.extra.end..record.central.end];
        self.push_central(template, record.name.as_bytes(), extra, comment, to)
    }

    fn push_central(
        &mut self,
        template: &Template,
        name: &[u8],
        mut extra: Vec<u8>,
        comment: &[u8],
        target: &Target,
    ) -> io::Result<()> {
        // 4.5.3: exactly the fields that overflow, in this order.
        let big: Vec<u64> = [target.size, target.compressed, target.offset]
            .into_iter()
            .filter(|&v| v >= MAX32)
            .collect();
        push_zip64(&mut extra, &big);
        let central = &mut self.central;
        central.extend_from_slice(&CENTRAL_HEADER.to_le_bytes());
        central.extend_from_slice(&template.made_by.to_le_bytes());
        central.extend_from_slice(&template.needed(!big.is_empty()).to_le_bytes());
        central.extend_from_slice(&template.flags.to_le_bytes());
        central.extend_from_slice(&template.method.to_le_bytes());
        central.extend_from_slice(&template.stamp.to_le_bytes());
        for field in [target.crc, clamp(target.compressed), clamp(target.size)] {
            central.extend_from_slice(&field.to_le_bytes());
        }
        for field in [name, &extra, comment] {
            central.extend_from_slice(&length(field)?.to_le_bytes());
        }
        central.extend_from_slice(&template.attributes);
        central.extend_from_slice(&clamp(target.offset).to_le_bytes());
        for field in [name, &extra, comment] {
            central.extend_from_slice(field);
        }
        self.count += 1;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.written += bytes.len() as u64;
        Ok(())
    }
}

impl Template {
    /// Fields of an entry's central header.
    fn of(archive: &[u8], record: &CentralEntry) -> Self {
        let at = record.central.start;
        let field = |offset| u16_at(archive, at + offset).unwrap_or_default();
        let mut attributes = [0; 8];
        // The disk number is 0: split archives are refused.
        attributes[2..].copy_from_slice(&archive[at + 36..at + 42]);
        Self {
            made_by: field(4),
            needed: field(6),
            flags: field(8),
            method: record.method,
            stamp: u32_at(archive, at + 12).unwrap_or(EPOCH),
            attributes,
        }
    }

    /// Fields of an entry as the JDK's `jar` writes it.
    fn ours(name: &EntryName, storage: Storage) -> Self {
        let flags = if name.as_bytes().is_ascii() { 0 } else { UTF8 };
        Self {
            made_by: 20,
            needed: 20,
            flags,
            method: method(storage),
            stamp: EPOCH,
            attributes: [0; 8],
        }
    }

    /// Removes the data descriptor and the deflate options of the earlier writer (4.4.4, bits 1 and
    /// 2).
    fn undescribed(self) -> Self {
        Self { flags: self.flags & !(DESCRIBED | 0b110), ..self }
    }

    fn needed(&self, zip64: bool) -> u16 {
        if zip64 { self.needed.max(VERSION_ZIP64) } else { self.needed }
    }
}

fn method(storage: Storage) -> u16 {
    match storage {
        Storage::Stored => 0,
        Storage::Deflated => 8,
    }
}

fn clamp(value: u64) -> u32 {
    value.min(MAX32) as u32
}

fn length(field: &[u8]) -> io::Result<u16> {
    u16::try_from(field.len()).map_err(|_| {
        io::Error::new(
            io::ErrorKind::InvalidInput,
            "a name, extra field or comment is longer than 65,535 bytes",
        )
    })
}

#[cfg(test)]
mod tests;
