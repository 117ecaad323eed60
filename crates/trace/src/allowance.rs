//! How many more calls of a method are timed, and which of them are flushed.

use crate::layout as l;

const CALLS: u32 = (1 << l::FLUSH_SHIFT) - 1;
const FLUSH_MASK: u32 = (1 << l::FLUSH_BITS) - 1;

/// What a method may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Its next calls that are timed, at most 2²⁴ − 1; zero without a limit.
    pub calls: u32,
    /// About one of two to the power of this number of timed calls is flushed, at most
    /// [`l::FLUSH_MAX`]. Without a limit each one is.
    pub flush_shift: u8,
    /// Whether calls within another one of the method on their thread are counted.
    pub outermost: bool,
}

impl Allowance {
    /// So many calls, each of them flushed.
    pub const fn of(calls: u32) -> Self {
        Self { calls, flush_shift: 0, outermost: false }
    }

    /// Whether all that was allowed is used up.
    pub const fn is_used_up(self) -> bool {
        self.calls == 1
    }

    pub(crate) fn to_word(self) -> u32 {
        let flush_shift = u32::from(self.flush_shift).min(l::FLUSH_MAX);
        let outermost = u32::from(self.outermost) << l::OUTERMOST_SHIFT;
        outermost | flush_shift << l::FLUSH_SHIFT | self.calls.min(CALLS)
    }

    pub(crate) fn from_word(word: u32) -> Self {
        Self {
            calls: word & CALLS,
            flush_shift: (word >> l::FLUSH_SHIFT & FLUSH_MASK) as u8,
            outermost: word >> l::OUTERMOST_SHIFT != 0,
        }
    }
}
