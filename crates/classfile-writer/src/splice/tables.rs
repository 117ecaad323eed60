//! The frame tables of a `Code` before the edits (JVMS §4.7.4).

use super::edits::Edits;
use crate::attribute::Attribute;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{CldcStackMap, Frames, StackMapTable};
use crate::scan::Scan;

/// The frame tables of a `Code`, and whether the JVM needs them.
#[derive(Debug)]
pub(super) struct Tables<'c> {
    pub stack_map: Option<Attribute<'c>>,
    pub cldc: Option<Attribute<'c>>,
    /// Whether new code needs frames in a `StackMapTable`. From version 51 on it always does. In
    /// version 50 the JVM falls back to the old verifier for a method with branches and no table
    /// (JVMS §4.10). Such a method gets none.
    pub wanted: bool,
    /// Whether a missing frame makes the class invalid.
    pub strict: bool,
}

impl<'c> Tables<'c> {
    pub(super) fn find(code: &Code<'c>, scan: &Scan) -> Result<Tables<'c>> {
        let (mut stack_map, mut cldc) = (None, None);
        for attribute in code.attributes() {
            let place = match attribute.name {
                b"StackMapTable" => &mut stack_map,
                b"StackMap" => &mut cldc,
                _ => continue,
            };
            if place.replace(attribute).is_some() {
                return Err(Error::new(ErrorKind::DuplicateAttribute, attribute.start));
            }
        }
        let major = code.class().major();
        let straight = !scan.has_branch() && code.exceptions().len() == 0;
        let wanted = major > 50 || (major == 50 && (stack_map.is_some() || straight));
        Ok(Tables { stack_map, cldc, wanted, strict: major > 50 })
    }

    /// Whether widened branches must come with frames.
    pub(super) fn any(&self) -> bool {
        self.wanted || self.cldc.is_some()
    }

    /// The original frames, from the table that the JVM reads.
    fn frames(&self, code: &Code<'c>) -> Result<Option<Frames<'c>>> {
        Ok(match (&self.stack_map, &self.cldc) {
            (Some(table), _) if self.wanted => {
                Some(StackMapTable::parse(code.class(), table)?.frames())
            }
            (_, Some(table)) => Some(CldcStackMap::parse(code.class(), table)?.frames()),
            _ => None,
        })
    }

    /// Old positions before which trampolines may be inserted: there is a frame and no other
    /// insertion. The end of the code is one too.
    pub(super) fn island_places(&self, edits: &Edits, code: &Code<'c>) -> Result<Vec<u32>> {
        let mut places = Vec::new();
        for frame in self.frames(code)?.into_iter().flatten() {
            let bci = frame?.bci.0;
            let free = edits.pieces.binary_search_by_key(&bci, |piece| piece.bci).is_err();
            if free && bci != 0 && (bci as usize) < code.bytes().len() {
                places.push(bci);
            }
        }
        places.push(code.bytes().len() as u32);
        Ok(places)
    }
}
