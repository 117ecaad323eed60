//! The `Code` attribute (JVMS §4.7.3).

use std::ops::Range;

use crate::attribute::{self, Attribute, Attributes};
use crate::bci::Bci;
use crate::bytes::{checked_u2, checked_u4, u1, u2, u4};
use crate::class::ClassFile;
use crate::error::{Error, ErrorKind, Result};
use crate::instruction::{Instruction, Instructions, Switch};
use crate::pool::PoolIx;

/// One exception table entry: exceptions of `catch_type` thrown in `start..end` go to `handler`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExceptionEntry {
    /// First covered position.
    pub start: Bci,
    /// The first position after the covered ones. It may be the code's length.
    pub end: Bci,
    /// Where the handler begins.
    pub handler: Bci,
    /// Class caught; index 0 catches everything.
    pub catch_type: PoolIx,
}

/// A method's code, read in place.
///
/// Its creation checks that the parts add up to the attribute's length, that the code has 1 to
/// 65,535 bytes, and that exception table entries stay inside it. Attribute names are `Utf8`. The
/// iterators check instructions and tables.
#[derive(Debug, Clone, Copy)]
pub struct Code<'c> {
    class: &'c ClassFile<'c>,
    name_ix: PoolIx,
    start: usize,
    end: usize,
    max_stack: u16,
    max_locals: u16,
    code: &'c [u8],
    code_at: usize,
    exceptions_at: usize,
    attributes_at: usize,
}

impl<'c> Code<'c> {
    /// Reads a `Code` attribute of `class`. Most callers use [`crate::Member::code`].
    ///
    /// Versions 45.0 to 45.2 have one byte for each of the maxima and two for the code length. That
    /// form is read too.
    pub fn parse(class: &'c ClassFile<'c>, attribute: &Attribute<'c>) -> Result<Code<'c>> {
        Self::parse_at(class, attribute.start)
    }

    /// Reads the `Code` attribute of `class` whose name index is at `start`. The attribute table
    /// was checked.
    #[inline(always)]
    pub(crate) fn parse_at(class: &'c ClassFile<'c>, start: usize) -> Result<Code<'c>> {
        let file = class.bytes();
        let name_ix = PoolIx(checked_u2(file, start));
        let at = start + 6;
        let end = at + checked_u4(file, start + 2) as usize;
        let body = file.get(..end).unwrap_or(file);
        let short = is_short_form(class);
        let (max_stack, max_locals, length, code_at) = if short {
            (
                u16::from(u1(body, at)?),
                u16::from(u1(body, at + 1)?),
                u32::from(u2(body, at + 2)?),
                at + 4,
            )
        } else {
            (u2(body, at)?, u2(body, at + 2)?, u4(body, at + 4)?, at + 8)
        };
        if length == 0 || length > 65_535 {
            return Err(Error::new(ErrorKind::BadCodeLength(length), at));
        }
        let exceptions_at = code_at + length as usize;
        let code = body.get(code_at..exceptions_at).ok_or_else(|| bad_length(at))?;
        let entries = u2(body, exceptions_at).map_err(|_| bad_length(at))?;
        let attributes_at = exceptions_at + 2 + 8 * usize::from(entries);
        if attributes_at + 2 > end || attribute::check(class.pool(), attributes_at, end)? != end {
            return Err(bad_length(at));
        }
        let parsed = Code {
            class,
            name_ix,
            start,
            end,
            max_stack,
            max_locals,
            code,
            code_at,
            exceptions_at,
            attributes_at,
        };
        for (index, entry) in parsed.exceptions().enumerate() {
            if entry.start.0 >= length || entry.end.0 > length || entry.handler.0 >= length {
                return Err(Error::new(
                    ErrorKind::BadExceptionRange,
                    exceptions_at + 2 + 8 * index,
                ));
            }
        }
        Ok(parsed)
    }

    /// The class of the code.
    pub fn class(&self) -> &'c ClassFile<'c> {
        self.class
    }

    /// Pool entry of the text `Code`.
    pub(crate) fn name_ix(&self) -> PoolIx {
        self.name_ix
    }

    /// Bytes of the whole attribute, name and length included. A splice replaces them.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Deepest operand stack, in slots.
    pub fn max_stack(&self) -> u16 {
        self.max_stack
    }

    /// Local variables, in slots.
    pub fn max_locals(&self) -> u16 {
        self.max_locals
    }

    /// The code array.
    pub fn bytes(&self) -> &'c [u8] {
        self.code
    }

    /// The range of the code array in the class file.
    pub fn code_range(&self) -> Range<usize> {
        self.code_at..self.exceptions_at
    }

    /// Whether the attribute has the short form of versions 45.0 to 45.2.
    pub(crate) fn is_short_form(&self) -> bool {
        is_short_form(self.class)
    }

    /// Offset in the file of the exception table's count.
    pub(crate) fn exceptions_at(&self) -> usize {
        self.exceptions_at
    }

    /// The instructions in order.
    pub fn instructions(&self) -> Instructions<'c> {
        Instructions::new(self.code, self.code_at)
    }

    /// The instruction at a position, whether or not one of [`Code::instructions`] begins there.
    ///
    /// Fails if the opcode there is undefined or the instruction is cut off.
    pub fn instruction_at(&self, bci: Bci) -> Result<Instruction<'c>> {
        let mut from = Instructions::starting_at(self.code, bci.0 as usize, self.code_at);
        from.next()
            .unwrap_or_else(|| Err(Error::new(ErrorKind::TruncatedInstruction, self.exceptions_at)))
    }

    /// The switch at a position. `None` if there is another instruction, or a damaged one.
    pub fn switch_at(&self, bci: Bci) -> Option<Switch<'c>> {
        Switch::parse(self.code, bci.0).ok().flatten()
    }

    /// The exception table, in order of precedence.
    pub fn exceptions(&self) -> impl ExactSizeIterator<Item = ExceptionEntry> + 'c {
        let (file, first) = (self.class.bytes(), self.exceptions_at + 2);
        (0..checked_u2(file, self.exceptions_at)).map(move |index| {
            let at = first + 8 * usize::from(index);
            let bci = |at| Bci(u32::from(checked_u2(file, at)));
            ExceptionEntry {
                start: bci(at),
                end: bci(at + 2),
                handler: bci(at + 4),
                catch_type: PoolIx(checked_u2(file, at + 6)),
            }
        })
    }

    /// The attributes of the code.
    pub fn attributes(&self) -> Attributes<'c> {
        Attributes::new(self.class.pool(), self.attributes_at)
    }
}

#[cold]
fn bad_length(at: usize) -> Error {
    Error::new(ErrorKind::BadAttributeLength, at)
}

fn is_short_form(class: &ClassFile<'_>) -> bool {
    class.major() == 45 && class.minor() <= 2
}
