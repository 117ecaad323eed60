//! The sections of an index, read in place.

use super::format::{HEAD, INDEX_SEED, IndexError, MAGIC, VERSION};
use super::wire::Reader;
use crate::checksum;
use crate::names::BaseNames;
use std::ops::Range;

/// The sections, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Section {
    Key,
    Ends,
    Text,
    NameSlots,
    Sigs,
    SigSlots,
    Rows,
    Segments,
    Maps,
    Groups,
    Services,
    Data,
}

pub(super) const SECTIONS: usize = 12;
/// Words per row of the section `segments`.
pub(super) const SEGMENT_WORDS: usize = 4;

/// The bytes of an index, and the ranges of its sections.
#[derive(Debug)]
pub(crate) struct Tables {
    bytes: Vec<u8>,
    sections: [Range<usize>; SECTIONS],
    /// Labels, and the row at which each begins.
    groups: Vec<(String, u32)>,
}

/// The rows of one part. Their names have the part's numbers.
#[derive(Clone, Copy)]
pub(super) struct Segment<'t> {
    /// By number in the part: the number in the index. Empty if both are equal.
    pub(super) names: &'t [[u8; 4]],
    pub(super) sigs: &'t [[u8; 4]],
}

impl Tables {
    pub(super) fn new(bytes: Vec<u8>, key: &[u8]) -> Result<Self, IndexError> {
        if bytes.get(..4) != Some(MAGIC) {
            return Err(IndexError::NoIndex);
        }
        let word = |at: usize| {
            bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().map(u32::from_le_bytes)
        };
        match word(4) {
            Some(VERSION) => {}
            Some(other) => return Err(IndexError::Version(other)),
            None => return Err(IndexError::Damaged),
        }
        let sum =
            bytes.get(8..).and_then(|rest| rest.first_chunk()).copied().map(u64::from_le_bytes);
        let content = bytes.get(HEAD..).ok_or(IndexError::Damaged)?;
        if sum != Some(checksum(INDEX_SEED, content)) {
            return Err(IndexError::Damaged);
        }
        let mut sections = [const { 0..0 }; SECTIONS];
        let mut at = HEAD + 4 * SECTIONS;
        for (section, field) in sections.iter_mut().zip((HEAD..).step_by(4)) {
            let len = word(field).ok_or(IndexError::Damaged)? as usize;
            *section = at..at + len;
            at += len;
        }
        if at != bytes.len() {
            return Err(IndexError::Damaged);
        }
        let mut tables = Self { bytes, sections, groups: Vec::new() };
        if tables.section(Section::Key) != key {
            return Err(IndexError::OtherContent);
        }
        tables.groups = tables.read_groups().ok_or(IndexError::Damaged)?;
        let sizes = [Section::NameSlots, Section::SigSlots].map(|slots| tables.words(slots).len());
        if sizes.into_iter().any(|len| len != 0 && !len.is_power_of_two()) {
            return Err(IndexError::Damaged);
        }
        if !tables.groups.is_empty() && tables.row_count() > tables.name_count() {
            return Err(IndexError::Damaged);
        }
        Ok(tables)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn section(&self, section: Section) -> &[u8] {
        self.bytes.get(self.sections[section as usize].clone()).unwrap_or_default()
    }

    fn words(&self, section: Section) -> &[[u8; 4]] {
        self.section(section).as_chunks().0
    }

    fn word(&self, section: Section, at: usize) -> Option<u32> {
        self.words(section).get(at).copied().map(u32::from_le_bytes)
    }

    pub(crate) fn row_count(&self) -> u32 {
        self.words(Section::Rows).len() as u32
    }

    pub(super) fn record_count(&self) -> usize {
        self.words(Section::Rows).iter().filter(|row| **row != [0; 4]).count()
    }

    /// The groups: labels, and the row at which each begins.
    pub(crate) fn groups(&self) -> &[(String, u32)] {
        &self.groups
    }

    /// Where the record of a row begins in the data, and the maps of its segment.
    pub(super) fn record(&self, row: u32) -> Option<(usize, Segment<'_>)> {
        let at = self.word(Section::Rows, row as usize)?.checked_sub(1)?;
        let segments = self.section(Section::Segments).as_chunks::<{ 4 * SEGMENT_WORDS }>().0;
        let words = |segment: &[u8; 4 * SEGMENT_WORDS]| {
            let words = segment.as_chunks::<4>().0;
            [0, 1, 2, 3].map(|at| words.get(at).copied().map_or(0, u32::from_le_bytes))
        };
        let number = segments.partition_point(|segment| words(segment)[0] <= row).checked_sub(1)?;
        let [_, names, sigs, end] = words(segments.get(number)?);
        let maps = self.words(Section::Maps);
        let segment = Segment {
            names: maps.get(names as usize..sigs as usize)?,
            sigs: maps.get(sigs as usize..end as usize)?,
        };
        Some((at as usize, segment))
    }

    pub(super) fn services(&self) -> Option<Vec<(String, String)>> {
        let mut reader = Reader { bytes: self.section(Section::Services), at: 0 };
        let count = reader.count()?;
        (0..count).map(|_| Some((reader.string()?, reader.string()?))).collect()
    }

    fn read_groups(&self) -> Option<Vec<(String, u32)>> {
        let mut reader = Reader { bytes: self.section(Section::Groups), at: 0 };
        let count = reader.count()?;
        let groups: Vec<_> = (0..count)
            .map(|_| Some((reader.string()?, reader.number()?)))
            .collect::<Option<_>>()?;
        groups.is_sorted_by_key(|group| group.1).then_some(groups)
    }
}

impl BaseNames for Tables {
    fn name_count(&self) -> u32 {
        self.words(Section::Ends).len() as u32
    }

    fn sig_count(&self) -> u32 {
        self.words(Section::Sigs).len() as u32 / 2
    }

    fn name(&self, id: u32) -> &[u8] {
        let start = match id.checked_sub(1) {
            Some(before) => self.word(Section::Ends, before as usize),
            None => Some(0),
        };
        let range = start.zip(self.word(Section::Ends, id as usize));
        range
            .and_then(|(start, end)| self.section(Section::Text).get(start as usize..end as usize))
            .unwrap_or_default()
    }

    fn find_name(&self, hash: u32, text: &[u8]) -> Option<u32> {
        find(self.words(Section::NameSlots), self.name_count(), hash, |id| self.name(id) == text)
    }

    fn sig(&self, id: u32) -> Option<(u32, u32)> {
        let at = 2 * id as usize;
        self.word(Section::Sigs, at).zip(self.word(Section::Sigs, at + 1))
    }

    fn find_sig(&self, hash: u32, parts: (u32, u32)) -> Option<u32> {
        find(self.words(Section::SigSlots), self.sig_count(), hash, |id| {
            self.sig(id) == Some(parts)
        })
    }
}

/// Number of bits of a slot for the number. The other bits are the hash's.
fn number_bits(count: u32) -> u32 {
    32 - count.leading_zeros()
}

fn hash_bits(count: u32, hash: u32) -> u32 {
    let bits = number_bits(count);
    if bits >= 32 { 0 } else { hash >> bits << bits }
}

fn find(slots: &[[u8; 4]], count: u32, hash: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
    let mask = slots.len().checked_sub(1)?;
    let (start, wanted) = (hash as usize, hash_bits(count, hash));
    for step in 0..slots.len() {
        let slot = u32::from_le_bytes(*slots.get(start.wrapping_add(step) & mask)?);
        let id = (slot ^ hash_bits(count, slot)).checked_sub(1)?;
        if hash_bits(count, slot) == wanted && same(id) {
            return Some(id);
        }
    }
    None
}

/// The open hash table for [`find`]. It has the numbers from 0, by their hashes.
pub(super) fn slots(hashes: &[u32]) -> Vec<u32> {
    let count = hashes.len() as u32;
    let len = (hashes.len() + hashes.len() / 2).next_power_of_two();
    let mut slots = vec![0u32; len];
    for (&hash, id) in hashes.iter().zip(0u32..) {
        let mut at = hash as usize & (len - 1);
        while slots[at] != 0 {
            at = (at + 1) & (len - 1);
        }
        slots[at] = hash_bits(count, hash) | (id + 1);
    }
    slots
}
