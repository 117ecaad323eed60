//! What the tables of a code are compared by.

use crate::alignment::Alignment;
use crate::read::Body;

/// Both codes, and how their positions and exception table entries correspond.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, 'c> {
    pub(crate) before: Body<'c>,
    pub(crate) after: Body<'c>,
    pub(crate) alignment: &'a Alignment,
    /// The output's number of each entry of the original's exception table.
    pub(crate) moved: &'a [usize],
}

impl Context<'_, '_> {
    /// The output's bci of the original's `bci`: of its instruction, and of the end of a range that
    /// ends there.
    pub(crate) fn moved(&self, bci: usize) -> (usize, usize) {
        let (before, alignment) = (self.before, self.alignment);
        let bci = bci.min(before.length());
        if let Some(place) = before.index_at(bci).and_then(|index| alignment.position(index)) {
            return (place.instruction, place.base);
        }
        // Inside of an instruction: as far behind its beginning as it was.
        let index = before.instructions.partition_point(|(at, _)| *at < bci).saturating_sub(1);
        let at = alignment.position(index).map_or(0, |place| place.instruction)
            + bci.saturating_sub(before.bci(index));
        (at, at)
    }

    /// A range in the output: its start and length.
    pub(crate) fn range(&self, start: u16, length: u16) -> (usize, usize) {
        let (start, end) = (usize::from(start), usize::from(start) + usize::from(length));
        let (start, end) = (self.moved(start).0, self.moved(end).1);
        (start, end.saturating_sub(start))
    }
}
