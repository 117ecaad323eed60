//! Writing an index from parts.

use super::format::{HEAD, INDEX_SEED, MAGIC, VERSION};
use super::part::IndexPart;
use super::tables::{SECTIONS, SEGMENT_WORDS, slots};
use super::wire::Writer;
use crate::{NameId, Names, SigId, checksum};

/// The rows of an index.
#[derive(Clone, Copy, Debug)]
pub enum Rows<'r> {
    /// That many entries of a container, by position.
    Entries(u32),
    /// Classes of several containers, such as all modules of a JDK: each container's label, and the
    /// internal names of its classes. All names differ.
    Classes(&'r [(String, Vec<String>)]),
}

/// Encodes the classes of `parts` as an index with these rows. `key` identifies the content, such
/// as a digest of the container. The parts are in the order of their rows, and no two have the same
/// row. `None` if the index would be too large, or if a class has two rows.
pub fn encode_index(
    key: &[u8],
    rows: Rows<'_>,
    services: &[(String, String)],
    parts: &[IndexPart],
) -> Option<Vec<u8>> {
    let mut groups = Writer::default();
    let mut names = Names::default();
    let count = match rows {
        Rows::Entries(count) => {
            groups.number(0);
            count
        }
        Rows::Classes(containers) => {
            names.reserve(containers.iter().map(|container| container.1.len()).sum());
            groups.number(containers.len() as u32);
            let mut row = 0;
            for (label, classes) in containers {
                groups.text(label.as_bytes());
                groups.number(row);
                for class in classes {
                    if names.intern(&classfile_writer::mutf8::encode(class)) != NameId(row) {
                        return None;
                    }
                    row += 1;
                }
            }
            row
        }
    };
    let mut written = Writer::default();
    written.number(services.len() as u32);
    for (service, provider) in services {
        written.text(service.as_bytes());
        written.text(provider.as_bytes());
    }
    // A single part keeps its numbers.
    let single = match parts {
        [part] if names.is_empty() => Some(part),
        _ => None,
    };
    let (mut at, mut segments, mut maps) = (vec![0u32; count as usize], Vec::new(), Vec::new());
    let mut data_len = 0usize;
    let mut next_row = 0;
    for part in parts {
        segments.push(next_row);
        segments.push(maps.len() as u32);
        if single.is_none() {
            maps.extend(
                (0..part.names.len() as u32).map(|id| names.intern(part.names.text(NameId(id))).0),
            );
        }
        segments.push(maps.len() as u32);
        if single.is_none() {
            let first = maps.len() - part.names.len();
            for id in 0..part.names.sig_count() as u32 {
                let (name, descriptor) = part.names.parts(SigId(id));
                let (name, descriptor) =
                    (*maps.get(first + name.ix())?, *maps.get(first + descriptor.ix())?);
                maps.push(names.sig(NameId(name), NameId(descriptor)).0);
            }
        }
        segments.push(maps.len() as u32);
        for &(row, offset) in &part.records {
            *at.get_mut(row as usize).filter(|_| row >= next_row)? =
                u32::try_from(data_len).ok()?.checked_add(offset)?.checked_add(1)?;
        }
        next_row = part.records.iter().map(|record| record.0 + 1).max().unwrap_or(next_row);
        data_len += part.data.0.len();
    }
    let names = single.map_or(&names, |part| &part.names);
    let all = 0..names.len() as u32;
    let sigs = 0..names.sig_count() as u32;
    let parts_of = |id: u32| names.parts(SigId(id));
    let name_slots = slots(&names.hashes());
    let sig_slots = slots(&names.sig_hashes());
    let mut end = 0;
    let ends = all.clone().map(|id| {
        end += names.text(NameId(id)).len() as u32;
        end
    });
    let sections: [Vec<u8>; SECTIONS - 1] = [
        key.to_vec(),
        words(ends),
        all.flat_map(|id| names.text(NameId(id)).iter().copied()).collect(),
        words(name_slots),
        words(sigs.flat_map(|id| [parts_of(id).0.0, parts_of(id).1.0])),
        words(sig_slots),
        words(at),
        words(segments),
        words(maps),
        groups.0,
        written.0,
    ];
    debug_assert_eq!(sections[7].len() % (4 * SEGMENT_WORDS), 0);
    seal_sections(&sections, data_len, parts)
}

/// The sections behind a head with their lengths, then the classes; `None` if that is too large.
fn seal_sections(sections: &[Vec<u8>], data_len: usize, parts: &[IndexPart]) -> Option<Vec<u8>> {
    let len = HEAD + 4 * SECTIONS + sections.iter().map(Vec::len).sum::<usize>() + data_len;
    u32::try_from(len).ok()?;
    let mut bytes = Vec::with_capacity(len);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([0; 8]);
    for section in sections {
        bytes.extend((section.len() as u32).to_le_bytes());
    }
    bytes.extend((data_len as u32).to_le_bytes());
    sections.iter().for_each(|section| bytes.extend_from_slice(section));
    parts.iter().for_each(|part| bytes.extend_from_slice(&part.data.0));
    seal(&mut bytes);
    Some(bytes)
}

/// Writes the checksum into otherwise complete bytes.
pub(super) fn seal(bytes: &mut [u8]) {
    let sum = checksum(INDEX_SEED, bytes.get(HEAD..).unwrap_or_default());
    if let Some(place) = bytes.get_mut(8..HEAD) {
        place.copy_from_slice(&sum.to_le_bytes());
    }
}

fn words(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let numbers = numbers.into_iter();
    let mut bytes = Vec::with_capacity(4 * numbers.size_hint().0);
    numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}
