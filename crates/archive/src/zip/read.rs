//! Reading the central directory.

use crate::error::Damage;
use std::ops::Range;

use super::extra::zip64_values;
use super::*;
use crate::limits::{Budget, check};
use crate::{ErrorKind, Limit};

/// Location of the central directory.
struct End {
    /// Number of entries modulo 65,536 or, with zip64, in full. Only a hint: old tools wrap it.
    count: u64,
    central: Range<usize>,
    /// Correction of the archive's offsets: the length of a preamble that they do not include.
    base: usize,
    comment: Range<usize>,
    trailer: Range<usize>,
}

impl CentralDirectory {
    /// Reads the central directory of `archive` at `location`, and subtracts its entries from the
    /// budget.
    pub(crate) fn read(
        archive: &[u8],
        location: &Location,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let end = find_end(archive, location)?;
        let most = (end.central.len() / CENTRAL_HEADER_SIZE) as u64;
        let mut records =
            Vec::with_capacity(end.count.min(most).min(budget.limits().entries) as usize);
        let (mut total, mut damage) = (0u64, None);
        let mut at = end.central.start;
        while at < end.central.end {
            check(location, Limit::Entries, records.len() as u64 + 1, budget.limits().entries)?;
            let record = read_record(archive, at, &end).map_err(|what| {
                Error::damaged(
                    location,
                    format!("entry {} of the directory: {what}", records.len()),
                )
            })?;
            if u16_at(archive, at + 8).is_some_and(|flags| flags & ENCRYPTED != 0) {
                return Err(Error::new(location.clone(), ErrorKind::Encrypted(record.name)));
            }
            at = record.central.end;
            if let (None, Some(what)) = (&damage, record.misplaced) {
                let number = records.len();
                damage = Some(format!("entry {number} of the directory: {}: {what}", record.name));
            }
            total = total.saturating_add(record.size);
            records.push(record);
        }
        budget.reserve(location, records.len() as u64, total)?;
        let first = check_overlap(&mut records, end.central.start).unwrap_or_else(|what| {
            damage.get_or_insert(what.to_string());
            end.central.start
        });
        // Bytes that begin like an entry are remains of a deleted entry, not a preamble.
        let preamble = if u32_at(archive, 0) == Some(LOCAL_HEADER) { 0..0 } else { 0..first };
        Ok(Self { records, preamble, comment: end.comment, trailer: end.trailer, damage })
    }
}

/// Finds the end record (4.3.16): the last one whose comment ends the file, else the last one with
/// a directory.
fn find_end(archive: &[u8], location: &Location) -> Result<End, Error> {
    let no_zip = || Error::new(location.clone(), ErrorKind::NotAZip);
    let last = archive.len().checked_sub(END_SIZE).ok_or_else(no_zip)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    let mut damage = None;
    for exact in [true, false] {
        for at in (first..=last).rev().filter(|&at| u32_at(archive, at) == Some(END)) {
            let Some(comment) = u16_at(archive, at + 20) else { continue };
            let comment = at + END_SIZE..at + END_SIZE + usize::from(comment);
            if comment.end > archive.len() || (comment.end == archive.len()) != exact {
                continue;
            }
            match read_end(archive, at, comment) {
                Ok(end) => return Ok(end),
                Err(what) => damage = damage.or(Some(what)),
            }
        }
    }
    Err(damage.map_or_else(no_zip, |what| Error::damaged(location, what)))
}

fn read_end(archive: &[u8], at: usize, comment: Range<usize>) -> Result<End, Damage> {
    let cut = || "its end record is cut off".to_owned();
    let field16 = |offset| u16_at(archive, at + offset).ok_or_else(cut);
    let field32 = |offset| u32_at(archive, at + offset).ok_or_else(cut);
    let (disk, central_disk) = (field16(4)?, field16(6)?);
    let mut count = u64::from(field16(10)?);
    let (mut size, mut offset) = (u64::from(field32(12)?), u64::from(field32(16)?));
    let mut central_end = at;
    let overflown = count == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff;
    if let Some(end64) = find_end64(archive, at).filter(|_| overflown || disk == 0xffff) {
        let field64 = |offset| u64_at(archive, end64 + offset).ok_or_else(cut);
        (count, size, offset) = (field64(32)?, field64(40)?, field64(48)?);
        central_end = end64;
    } else if (disk, central_disk) != (0, 0) {
        return Err("it is one part of a split archive".into());
    }
    let outside = || format!("its directory of {size} bytes at {offset} is outside the file");
    let size = usize::try_from(size).map_err(|_| outside())?;
    let offset = usize::try_from(offset).map_err(|_| outside())?;
    let start = central_end.checked_sub(size).ok_or_else(outside)?;
    let is_directory = |at: usize| size == 0 || u32_at(archive, at) == Some(CENTRAL_HEADER);
    let comment_end = comment.end;
    let made = |central: Range<usize>, base| End {
        count,
        central,
        base,
        comment,
        trailer: comment_end..archive.len(),
    };
    match start.checked_sub(offset) {
        // The JVM would read the nested jar instead of the whole.
        Some(base) if base > 0 && is_inside_entry(archive, base) => {
            Err("only a nested archive's directory is there, so the file is cut off".into())
        }
        Some(base) if is_directory(start) => Ok(made(start..central_end, base)),
        // There are bytes between the directory and its end record.
        _ if size > 0 && offset <= start && is_directory(offset) => {
            Ok(made(offset..offset + size, 0))
        }
        _ => Err(format!("there is no directory of {size} bytes at {offset}").into()),
    }
}

/// Whether an archive that begins at `base` looks like the data of an entry: the file begins with
/// an entry, or a local header ends there.
fn is_inside_entry(archive: &[u8], base: usize) -> bool {
    let longest = LOCAL_HEADER_SIZE + 2 * usize::from(u16::MAX);
    let ends_at_base = |at: usize| {
        let lengths = u16_at(archive, at + 26).zip(u16_at(archive, at + 28));
        lengths
            .is_some_and(|(n, m)| at + LOCAL_HEADER_SIZE + usize::from(n) + usize::from(m) == base)
    };
    let is_header = |at: usize| u32_at(archive, at) == Some(LOCAL_HEADER);
    is_header(0) || (base.saturating_sub(longest)..base).any(|at| is_header(at) && ends_at_base(at))
}

/// The zip64 end record (4.3.14) that belongs to the end record at `end`.
fn find_end64(archive: &[u8], end: usize) -> Option<usize> {
    let locator = end
        .checked_sub(END64_LOCATOR_SIZE)
        .filter(|&at| u32_at(archive, at) == Some(END64_LOCATOR))?;
    let announced = usize::try_from(u64_at(archive, locator + 8)?).ok();
    // With a preamble outside the offsets, the record is not where the locator points.
    [announced, locator.checked_sub(END64_SIZE)].into_iter().flatten().find(|&at| {
        at.checked_add(END64_SIZE).is_some_and(|e| e <= locator)
            && u32_at(archive, at) == Some(END64)
    })
}

fn read_record(archive: &[u8], at: usize, end: &End) -> Result<CentralEntry, Damage> {
    let directory = archive.get(..end.central.end).unwrap_or(archive);
    let cut = || "it is cut off".to_owned();
    let field16 = |offset| u16_at(directory, at + offset).ok_or_else(cut);
    let field32 = |offset| u32_at(directory, at + offset).ok_or_else(cut);
    if field32(0)? != CENTRAL_HEADER {
        return Err("no directory header".into());
    }
    let (method, crc) = (field16(10)?, field32(16)?);
    let (mut compressed, mut size) = (u64::from(field32(20)?), u64::from(field32(24)?));
    let mut offset = u64::from(field32(42)?);
    let name_start = at + CENTRAL_HEADER_SIZE;
    let extra_start = name_start + usize::from(field16(28)?);
    let comment_start = extra_start + usize::from(field16(30)?);
    let central = at..comment_start + usize::from(field16(32)?);
    let name = EntryName::new(directory.get(name_start..extra_start).ok_or_else(cut)?);
    directory.get(central.clone()).ok_or_else(cut)?;
    let in_entry = |what: &str| format!("{name}: {what}");

    if let Some(mut values) = zip64_values(&directory[extra_start..comment_start]) {
        for field in [&mut size, &mut compressed, &mut offset] {
            if *field == 0xffff_ffff {
                *field = values.next().ok_or_else(|| in_entry("its zip64 field is too short"))?;
            }
        }
    }
    let (place, misplaced) = match find_data(archive, offset, end, crc, compressed, size) {
        Ok(place) => (place, None),
        Err(what) => (Place::default(), Some(what)),
    };
    Ok(CentralEntry {
        name,
        size,
        method,
        crc,
        central,
        extra: extra_start..comment_start,
        local_extra: place.local_extra,
        span: place.span,
        data: place.data,
        descriptor_missing: place.descriptor_missing,
        misplaced,
        kept: OnceLock::new(),
    })
}

/// Where an entry has its local header and its data.
#[derive(Default)]
struct Place {
    local_extra: Range<usize>,
    span: Range<usize>,
    data: Range<usize>,
    descriptor_missing: bool,
}

/// Finds the data of an entry by its local header at `offset`.
fn find_data(
    archive: &[u8],
    offset: u64,
    end: &End,
    crc: u32,
    compressed: u64,
    size: u64,
) -> Result<Place, &'static str> {
    let outside = "its data is outside the file";
    let local =
        usize::try_from(offset).ok().and_then(|o| o.checked_add(end.base)).ok_or(outside)?;
    if u32_at(archive, local) != Some(LOCAL_HEADER) {
        return Err("there is no entry where the directory says");
    }
    let local16 = |offset| u16_at(archive, local + offset).ok_or(outside);
    let local_extra = local + LOCAL_HEADER_SIZE + usize::from(local16(26)?);
    let local_extra = local_extra..local_extra + usize::from(local16(28)?);
    let data_end = usize::try_from(compressed)
        .ok()
        .and_then(|c| local_extra.end.checked_add(c))
        .ok_or(outside)?;
    let data = local_extra.end..data_end;
    if data.end > end.central.start {
        return Err(outside);
    }
    let descriptor = match local16(6)? & DESCRIBED {
        0 => Some(0),
        _ => descriptor_size(archive, data.end, crc, compressed, size),
    };
    Ok(Place {
        local_extra,
        span: local..data.end + descriptor.unwrap_or(0),
        data,
        descriptor_missing: descriptor.is_none(),
    })
}

/// The size of the data descriptor at `at`, if it agrees with the directory (4.3.9: the signature
/// is optional, the sizes have 4 or 8 bytes).
fn descriptor_size(
    archive: &[u8],
    at: usize,
    crc: u32,
    compressed: u64,
    size: u64,
) -> Option<usize> {
    let matches = |at: usize| {
        if u32_at(archive, at)? != crc {
            return None;
        }
        if (u64_at(archive, at + 4), u64_at(archive, at + 12)) == (Some(compressed), Some(size)) {
            return Some(20);
        }
        let short = (u32_at(archive, at + 4)?, u32_at(archive, at + 8)?);
        ((u64::from(short.0), u64::from(short.1)) == (compressed, size)).then_some(12)
    };
    if u32_at(archive, at) == Some(DATA_DESCRIPTOR)
        && let Some(len) = matches(at + 4)
    {
        return Some(len + 4);
    }
    matches(at)
}

/// Checks that no two entries share bytes. Returns the start of the first one.
fn check_overlap(records: &mut [CentralEntry], central_start: usize) -> Result<usize, Damage> {
    let has_data = |&i: &usize| records[i].misplaced.is_none();
    let mut order: Vec<usize> = (0..records.len()).filter(has_data).collect();
    order.sort_unstable_by_key(|&i| records[i].span.start);
    let nexts = order
        .iter()
        .skip(1)
        .map(|&i| records[i].span.start)
        .chain([central_start])
        .collect::<Vec<_>>();
    for (&i, next) in order.iter().zip(nexts) {
        let record = &mut records[i];
        if record.data.end > next {
            return Err(format!("{} overlaps the entry behind it", record.name).into());
        }
        if record.span.end > next {
            record.descriptor_missing = true;
            record.span.end = record.data.end;
        }
    }
    Ok(order.first().map_or(central_start, |&i| records[i].span.start))
}
