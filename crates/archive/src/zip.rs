//! The zip layer: the central directory of an archive in memory, and a writer that copies entries
//! from it.
//!
//! Section numbers are those of PKWARE's APPNOTE.TXT 6.3.10. The central directory counts. Local
//! headers only lead to the data, as in the JVM. Why jfathom has its own zip layer:
//! `docs/decisions/0001-own-zip-layer.md`.

mod extra;
mod read;
mod write;

use crate::error::Damage;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use crate::archive_bytes::OpenArchive;
use crate::codec::{self, Packed, Storage};
use crate::{EntryName, Error, KeepBudget, Location, Notice};

pub(crate) use write::Writer;

/// 4.3.7
const LOCAL_HEADER: u32 = 0x0403_4b50;
/// 4.3.9.3
const DATA_DESCRIPTOR: u32 = 0x0807_4b50;
/// 4.3.12
const CENTRAL_HEADER: u32 = 0x0201_4b50;
/// 4.3.16
const END: u32 = 0x0605_4b50;
/// 4.3.14
const END64: u32 = 0x0606_4b50;
/// 4.3.15
const END64_LOCATOR: u32 = 0x0706_4b50;

const LOCAL_HEADER_SIZE: usize = 30;
const CENTRAL_HEADER_SIZE: usize = 46;
const END_SIZE: usize = 22;
const END64_SIZE: usize = 56;
const END64_LOCATOR_SIZE: usize = 20;

/// 4.4.4, bit 0: the data is encrypted.
const ENCRYPTED: u16 = 1;
/// 4.4.4, bit 3: CRC and sizes are in a descriptor after the data.
const DESCRIBED: u16 = 1 << 3;
/// 4.4.4, bit 11: the name is UTF-8.
const UTF8: u16 = 1 << 11;

/// The central directory of an archive. It was checked: every range lies inside the archive's
/// bytes. An archive that is written anew must pass [`CentralDirectory::require_whole`], too.
///
/// It borrows nothing. Its methods take the bytes of the archive.
#[derive(Debug)]
pub(crate) struct CentralDirectory {
    /// The entries in the order of the central directory.
    pub(crate) records: Vec<CentralEntry>,
    /// Bytes before the first entry, such as a shell script.
    preamble: Range<usize>,
    /// The archive comment.
    comment: Range<usize>,
    /// Bytes after the end record.
    trailer: Range<usize>,
    /// What is wrong with the first entry that has no data, or shares its bytes with another. The
    /// JVM loads what else there is.
    damage: Option<String>,
}

/// One entry of the central directory. Ranges are into the bytes of the archive.
#[derive(Debug)]
pub(crate) struct CentralEntry {
    pub(crate) name: EntryName,
    /// The announced uncompressed size.
    pub(crate) size: u64,
    method: u16,
    crc: u32,
    /// The central header with name, extra field and comment.
    central: Range<usize>,
    /// The extra field of the central header.
    extra: Range<usize>,
    /// The extra field of the local header.
    local_extra: Range<usize>,
    /// Local header, data and data descriptor, the last one unless `descriptor_missing`.
    span: Range<usize>,
    /// The stored data.
    data: Range<usize>,
    /// Whether the data descriptor that the local header announces is missing.
    descriptor_missing: bool,
    /// Why the data is not where the directory says. The ranges of local header and data are empty
    /// then.
    misplaced: Option<&'static str>,
    /// The content, once [`CentralEntry::keep_content`] has kept it.
    kept: OnceLock<Vec<u8>>,
}

impl CentralEntry {
    /// How the entry is stored. `None` for a method that the JVM does not know either.
    pub(crate) fn storage(&self) -> Option<Storage> {
        match self.method {
            0 => Some(Storage::Stored),
            8 => Some(Storage::Deflated),
            _ => None,
        }
    }

    /// Passes `take` the name, how the content is stored, its sizes and its CRC.
    pub(crate) fn identify(&self, take: &mut dyn FnMut(&[u8])) {
        let name = self.name.as_bytes();
        take(&(name.len() as u64).to_le_bytes());
        take(name);
        take(&self.method.to_le_bytes());
        take(&self.crc.to_le_bytes());
        take(&self.size.to_le_bytes());
        take(&(self.data.len() as u64).to_le_bytes());
    }

    /// The uncompressed content. The error is a reason for a message. Allocates at most `self.size`
    /// bytes, and only if the data can expand to as many, besides the stored data.
    pub(crate) fn content<'a>(
        &'a self,
        archive: &'a OpenArchive<'_>,
    ) -> Result<Cow<'a, [u8]>, Damage> {
        if let Some(kept) = self.kept.get() {
            return Ok(Cow::Borrowed(kept));
        }
        if let Some(reason) = self.misplaced {
            return Err(reason.into());
        }
        let data = archive
            .part(self.data.clone())
            .map_err(|error| format!("its data cannot be read: {error}"))?;
        let content = match self.storage() {
            Some(Storage::Deflated) => Cow::Owned(codec::inflate(&data, self.size)?),
            Some(_) if data.len() as u64 == self.size => data,
            Some(_) => {
                return Err(format!(
                    "stored with {} bytes but announced with {}",
                    data.len(),
                    self.size
                )
                .into());
            }
            None => {
                return Err(format!(
                    "compression method {} is not supported, by the JVM neither",
                    self.method
                )
                .into());
            }
        };
        let crc = codec::crc32(&content);
        if crc == self.crc {
            Ok(content)
        } else {
            Err(format!("its CRC is {crc:08x} instead of {:08x}", self.crc).into())
        }
    }

    /// Whether this is the CRC of `bytes`.
    pub(crate) fn has_crc_of(&self, bytes: &[u8]) -> bool {
        codec::crc32(bytes) == self.crc
    }

    /// [`CentralEntry::content`], which stays with the entry for the next call if it is a copy and
    /// `budget` has room for it.
    pub(crate) fn keep_content<'a>(
        &'a self,
        archive: &'a OpenArchive<'_>,
        budget: &KeepBudget,
    ) -> Result<Cow<'a, [u8]>, Damage> {
        Ok(match self.content(archive)? {
            Cow::Owned(content) if budget.take(content.len() as u64) => {
                Cow::Borrowed(self.kept.get_or_init(|| content))
            }
            other => other,
        })
    }
}

impl CentralDirectory {
    /// Keeps only the entries below `folder`, which ends in `/`. Their names become relative to it.
    pub(crate) fn retain_under(&mut self, folder: &[u8]) {
        self.records.retain_mut(|record| match record.name.as_bytes().strip_prefix(folder) {
            Some(name) if !name.is_empty() => {
                record.name = EntryName::new(name);
                true
            }
            _ => false,
        });
    }

    /// Checks that all entries have data of their own.
    pub(crate) fn require_whole(&self, location: &Location) -> Result<(), Error> {
        self.damage.as_ref().map_or(Ok(()), |what| Err(Error::damaged(location, what.clone())))
    }

    /// Notices of duplicate file names, of releases and of misplaced data, for the archive at
    /// `location`. Folders do not count: archives often list them twice.
    pub(crate) fn notices(&self, location: &Location) -> Vec<Notice> {
        let mut names: Vec<&EntryName> =
            self.records.iter().map(|r| &r.name).filter(|n| !n.is_directory()).collect();
        names.sort_unstable();
        let mut notices: Vec<Notice> = names
            .chunk_by(|a, b| a == b)
            .filter_map(|run| match run {
                [name, _, ..] => {
                    Some(Notice::DuplicateName { location: location.join(name), count: run.len() })
                }
                _ => None,
            })
            .collect();
        let mut releases: Vec<u16> =
            names.iter().filter(|n| n.is_class()).filter_map(|n| n.release()).collect();
        releases.sort_unstable();
        releases.dedup();
        if !releases.is_empty() {
            notices.push(Notice::MultiRelease { location: location.clone(), releases });
        }
        notices.extend(self.records.iter().filter_map(|record| {
            let reason = record.misplaced?.to_owned();
            Some(Notice::EntryUnreadable { location: location.join(&record.name), reason })
        }));
        notices
    }

    /// Writes the archive anew, with one action per entry. `first` comes before all entries and
    /// `last` after them.
    pub(crate) fn assemble<W: std::io::Write>(
        &self,
        archive: &[u8],
        actions: &[EntryAction],
        first: &[(EntryName, Packed)],
        last: &[(EntryName, Packed)],
        out: W,
    ) -> std::io::Result<(W, u64)> {
        let mut writer = Writer::new(out, &archive[self.preamble.clone()])?;
        for (name, packed) in first {
            writer.add(name, packed)?;
        }
        for (record, action) in self.records.iter().zip(actions) {
            match action {
                EntryAction::Keep => writer.keep(archive, record)?,
                EntryAction::Drop => {}
                EntryAction::Replace(packed) => writer.replace(archive, record, packed)?,
            }
        }
        for (name, packed) in last {
            writer.add(name, packed)?;
        }
        writer.finish(&archive[self.comment.clone()], &archive[self.trailer.clone()])
    }
}

/// Action of a rewrite on an entry.
#[derive(Debug)]
pub(crate) enum EntryAction {
    /// Copy it unchanged.
    Keep,
    /// Leave it out.
    Drop,
    /// Write it with this content.
    Replace(Packed),
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|b| u16::from_le_bytes(*b))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|b| u64::from_le_bytes(*b))
}

#[cfg(test)]
mod tests;
