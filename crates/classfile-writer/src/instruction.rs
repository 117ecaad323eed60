//! Iteration over instructions (JVMS §4.9, §6.5).

use crate::bci::Bci;
use crate::bytes::{checked_u2, checked_u4, u1, u2, u4};
use crate::error::{Error, ErrorKind, Result};
use crate::opcode::{self, Flow, OpcodeInfo, Operands};
use crate::pool::PoolIx;

/// One instruction. It lies inside its code array as a whole.
#[derive(Debug, Clone, Copy)]
pub struct Instruction<'c> {
    code: &'c [u8],
    /// Its position.
    pub bci: Bci,
    /// Its opcode byte.
    pub opcode: u8,
    info: &'static OpcodeInfo,
    length: u32,
}

impl<'c> Instruction<'c> {
    /// Length in bytes, opcode and padding included.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The position of the next instruction.
    pub fn end(&self) -> Bci {
        Bci(self.bci.0 + self.length)
    }

    /// Mnemonic. `wide` for a widened instruction.
    pub fn name(&self) -> &'static str {
        self.info.name
    }

    /// Form of its operands.
    pub fn operands(&self) -> Operands {
        self.info.operands
    }

    /// Its effect on control flow. A widened `ret` has [`Flow::Ret`].
    pub fn flow(&self) -> Flow {
        if self.widened() == Some(opcode::RET) { Flow::Ret } else { self.info.flow }
    }

    /// All its bytes.
    pub fn bytes(&self) -> &'c [u8] {
        self.code.get(self.bci.0 as usize..self.end().0 as usize).unwrap_or_default()
    }

    fn at(&self) -> usize {
        self.bci.0 as usize
    }

    /// The opcode after `wide`.
    pub fn widened(&self) -> Option<u8> {
        if self.opcode == opcode::WIDE { self.code.get(self.at() + 1).copied() } else { None }
    }

    /// The pool entry that it names.
    pub fn pool_index(&self) -> Option<PoolIx> {
        match self.info.operands {
            Operands::PoolByte => self.code.get(self.at() + 1).map(|&ix| PoolIx(u16::from(ix))),
            Operands::Pool
            | Operands::InvokeInterface
            | Operands::InvokeDynamic
            | Operands::PoolDimensions => Some(PoolIx(checked_u2(self.code, self.at() + 1))),
            _ => None,
        }
    }

    /// The local variable among its operands. `None` for `iload_0` and the like, whose opcode
    /// implies it.
    pub fn local(&self) -> Option<u16> {
        match self.info.operands {
            Operands::Local | Operands::LocalIncrement => {
                self.code.get(self.at() + 1).map(|&local| u16::from(local))
            }
            Operands::Wide => Some(checked_u2(self.code, self.at() + 2)),
            _ => None,
        }
    }

    /// The number among its operands: of `bipush` and `sipush`, or the increment of `iinc`.
    pub fn immediate(&self) -> Option<i16> {
        let byte = |at: usize| self.code.get(at).map(|&b| i16::from(b as i8));
        match self.info.operands {
            Operands::Byte => byte(self.at() + 1),
            Operands::Short => Some(checked_u2(self.code, self.at() + 1) as i16),
            Operands::LocalIncrement => byte(self.at() + 2),
            Operands::Wide if self.widened() == Some(opcode::IINC) => {
                Some(checked_u2(self.code, self.at() + 4) as i16)
            }
            _ => None,
        }
    }

    /// The target of a branch. `None` for other instructions, for switches, and for a target
    /// outside the code.
    pub fn branch_target(&self) -> Option<Bci> {
        let offset = match self.info.operands {
            Operands::Branch => i64::from(checked_u2(self.code, self.at() + 1) as i16),
            Operands::BranchWide => i64::from(checked_u4(self.code, self.at() + 1) as i32),
            _ => return None,
        };
        target(self.code.len(), self.bci.0, offset)
    }

    /// The instruction as a switch, if it is one.
    pub fn switch(&self) -> Option<Switch<'c>> {
        Switch::parse(self.code, self.bci.0).ok().flatten()
    }
}

/// A branch target inside a code array of this length.
#[inline]
pub(crate) fn target(code_length: usize, from: u32, offset: i64) -> Option<Bci> {
    let to = i64::from(from) + offset;
    if (0..code_length as i64).contains(&to) { Some(Bci(to as u32)) } else { None }
}

/// A `tableswitch` or `lookupswitch` (JVMS §6.5). All its bytes lie inside the code.
#[derive(Debug, Clone, Copy)]
pub struct Switch<'c> {
    code: &'c [u8],
    bci: u32,
    /// Offset in the code of `default`, after the padding.
    body: usize,
    cases: u32,
    low: i32,
    lookup: bool,
}

impl<'c> Switch<'c> {
    /// Padding bytes after the opcode of a switch at this position.
    #[inline]
    pub(crate) fn padding(bci: u32) -> u32 {
        3 - (bci & 3)
    }

    /// The switch at `bci`. `None` if another instruction is there.
    #[inline]
    pub(crate) fn parse(code: &'c [u8], bci: u32) -> Result<Option<Switch<'c>>, ErrorKind> {
        let at = bci as usize;
        let body = at + 1 + Self::padding(bci) as usize;
        let word = |at: usize| u4(code, at).map_err(|_| ErrorKind::TruncatedInstruction);
        let (cases, low, lookup) = match code.get(at) {
            Some(&opcode::TABLESWITCH) => {
                let (low, high) = (word(body + 4)? as i32, word(body + 8)? as i32);
                (i64::from(high) - i64::from(low) + 1, low, false)
            }
            Some(&opcode::LOOKUPSWITCH) => (i64::from(word(body + 4)? as i32), 0, true),
            _ => return Ok(None),
        };
        let switch = Switch { code, bci, body, cases: cases as u32, low, lookup };
        if cases < 0 || (!lookup && cases == 0) || cases > code.len() as i64 {
            return Err(ErrorKind::BadSwitch);
        }
        if switch.end() > code.len() {
            Err(ErrorKind::TruncatedInstruction)
        } else {
            Ok(Some(switch))
        }
    }

    /// Offset in the code of the byte after the switch.
    pub(crate) fn end(&self) -> usize {
        let case = if self.lookup { 8 } else { 4 };
        self.body + self.head() + case * self.cases as usize
    }

    /// Bytes of `default` and bounds, before the cases.
    fn head(&self) -> usize {
        if self.lookup { 8 } else { 12 }
    }

    /// Everything after the padding: default, bounds, cases.
    pub(crate) fn body(&self) -> &'c [u8] {
        self.code.get(self.body..self.end()).unwrap_or_default()
    }

    /// Positions in [`Switch::body`] of all 32-bit branch offsets, the default's first.
    pub(crate) fn offset_positions(&self) -> impl Iterator<Item = usize> + use<> {
        let (first, step) = if self.lookup { (self.head() + 4, 8) } else { (self.head(), 4) };
        std::iter::once(0).chain((0..self.cases as usize).map(move |case| first + case * step))
    }

    /// Whether it is a `lookupswitch`.
    pub fn is_lookup(&self) -> bool {
        self.lookup
    }

    /// Number of cases, without the default.
    pub fn case_count(&self) -> u32 {
        self.cases
    }

    /// The target if no case matches. `None` if it is outside the code.
    pub fn default(&self) -> Option<Bci> {
        self.target_at(0)
    }

    /// Value and target of each case, in file order. `None` for a target outside the code.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = (i32, Option<Bci>)> + 'c {
        let switch = *self;
        (0..switch.cases).map(move |case| {
            let index = case as usize;
            if switch.lookup {
                let at = switch.head() + 8 * index;
                (checked_u4(switch.code, switch.body + at) as i32, switch.target_at(at + 4))
            } else {
                (switch.low.wrapping_add(case as i32), switch.target_at(switch.head() + 4 * index))
            }
        })
    }

    #[inline]
    pub(crate) fn target_at(&self, position: usize) -> Option<Bci> {
        let offset = checked_u4(self.code, self.body + position) as i32;
        target(self.code.len(), self.bci, i64::from(offset))
    }
}

/// Length in bytes of the instruction at `at`.
pub(crate) fn length_at(code: &[u8], at: usize) -> Result<usize, ErrorKind> {
    let Ok(opcode) = u1(code, at) else { return Err(ErrorKind::TruncatedInstruction) };
    let length = match opcode::LENGTH[usize::from(opcode)] {
        0 => variable_length(code, at, opcode)?,
        length => usize::from(length),
    };
    if at + length > code.len() { Err(ErrorKind::TruncatedInstruction) } else { Ok(length) }
}

/// Length of a switch or a `wide`. Other opcodes of length 0 are undefined.
pub(crate) fn variable_length(code: &[u8], at: usize, opcode: u8) -> Result<usize, ErrorKind> {
    if opcode == opcode::WIDE {
        let Ok(widened) = u1(code, at + 1) else { return Err(ErrorKind::TruncatedInstruction) };
        return match opcode::info(widened).map(|info| info.operands) {
            Some(Operands::Local) => Ok(4),
            Some(Operands::LocalIncrement) => Ok(6),
            _ => Err(ErrorKind::UndefinedOpcode(widened)),
        };
    }
    match Switch::parse(code, at as u32)? {
        Some(switch) => Ok(switch.end() - at),
        None => Err(ErrorKind::UndefinedOpcode(opcode)),
    }
}

/// The instructions of a code array, in order. It ends after an error.
#[derive(Debug, Clone)]
pub struct Instructions<'c> {
    code: &'c [u8],
    at: usize,
    file_offset: usize,
}

impl<'c> Instructions<'c> {
    /// The instructions of `code`. Its first byte is at `file_offset` in the class file, for
    /// errors.
    pub fn new(code: &'c [u8], file_offset: usize) -> Self {
        Self::starting_at(code, 0, file_offset)
    }

    /// The instructions of `code` from the position `at` on.
    pub(crate) fn starting_at(code: &'c [u8], at: usize, file_offset: usize) -> Self {
        Instructions { code, at, file_offset }
    }
}

impl<'c> Iterator for Instructions<'c> {
    type Item = Result<Instruction<'c>>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = self.at;
        let opcode = *self.code.get(at)?;
        let decoded = length_at(self.code, at).and_then(|length| {
            opcode::info(opcode)
                .map(|info| (length, info))
                .ok_or(ErrorKind::UndefinedOpcode(opcode))
        });
        match decoded {
            Ok((length, info)) => {
                self.at = at + length;
                Some(Ok(Instruction {
                    code: self.code,
                    bci: Bci(at as u32),
                    opcode,
                    info,
                    length: length as u32,
                }))
            }
            Err(kind) => {
                self.at = usize::MAX;
                Some(Err(Error::new(kind, self.file_offset + at)))
            }
        }
    }
}

/// Reads the 16-bit offset of a branch.
#[inline]
pub(crate) fn short_offset(code: &[u8], at: usize) -> Result<i64, ErrorKind> {
    u2(code, at + 1)
        .map(|offset| i64::from(offset as i16))
        .map_err(|_| ErrorKind::TruncatedInstruction)
}

/// Reads the 32-bit offset of a wide branch.
#[inline]
pub(crate) fn wide_offset(code: &[u8], at: usize) -> Result<i64, ErrorKind> {
    u4(code, at + 1)
        .map(|offset| i64::from(offset as i32))
        .map_err(|_| ErrorKind::TruncatedInstruction)
}
