//! A pass over a method's code, for instrumentation.

use crate::bci::Bci;
use crate::bytes::checked_u2;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::instruction::{Switch, short_offset, target, variable_length, wide_offset};
use crate::opcode::*;
use crate::pool::{ConstantPool, PoolIx};

/// A branch other than a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The branch instruction.
    pub bci: Bci,
    /// Its target, inside the code.
    pub target: Bci,
    /// `if*`, `goto`, `goto_w`, `jsr` or `jsr_w`.
    pub opcode: u8,
}

/// Result of one linear pass over a code array. The value is reused for many methods, and its lists
/// keep their memory.
///
/// After a pass without error every instruction is defined and complete, and every branch and
/// switch target lies inside the code. A target need not be the start of an instruction. The JVM's
/// verifier rejects such code.
#[derive(Debug, Default, Clone)]
pub struct Scan {
    /// Bytes of scanned code. By it a [`crate::Splice`] refuses a scan of other code.
    pub(crate) length: u32,
    /// By position: whether an instruction begins there.
    starts: Vec<bool>,
    /// Every `*return`, ascending.
    pub returns: Vec<Bci>,
    /// Every branch except switches, ascending.
    pub branches: Vec<Branch>,
    /// Every `tableswitch` and `lookupswitch`, ascending.
    pub switches: Vec<Bci>,
    /// Every `athrow`, ascending.
    pub throws: Vec<Bci>,
    /// Whether a branch or switch leads to bci 0.
    pub branch_to_start: bool,
    /// Whether a branch or switch leads backwards, or to itself.
    pub has_backward_branch: bool,
    /// Whether there is a `jsr`, `jsr_w` or `ret`.
    pub has_subroutine: bool,
    /// Whether there is a `wide`.
    pub has_wide: bool,
    /// In a constructor: the call of `super()` or `this()`, which is the first `invokespecial` of
    /// an `<init>` without a pending `new` (JVMS §4.10.1.9). `None` in other methods, in
    /// `Object.<init>`, and if every path throws before it.
    pub super_call: Option<Bci>,
    /// Number of such calls. With more than one, each path has its own, as in switch cases of
    /// Groovy's compiler. Then no position tells whether `this` is initialized.
    pub super_calls: u32,
    /// In a constructor: how many `new` are left at its end without a call of an `<init>`.
    pub pending_new: u32,
}

impl Scan {
    /// An empty scan.
    pub fn new() -> Self {
        Self::default()
    }

    /// Scans `code`. `constructor` says whether the method is an `<init>`, so that its call of
    /// `super()` is searched.
    pub fn run(&mut self, code: &Code<'_>, constructor: bool) -> Result<()> {
        self.clear();
        self.starts.resize(code.bytes().len(), false);
        let result = self.pass(code.bytes(), code.class().pool(), constructor);
        if let Err((kind, at)) = result {
            self.clear();
            return Err(Error::new(kind, code.code_range().start + at));
        }
        self.length = code.bytes().len() as u32;
        Ok(())
    }

    /// Whether an instruction begins at `bci`.
    pub fn is_instruction(&self, bci: Bci) -> bool {
        self.starts.get(bci.0 as usize) == Some(&true)
    }

    /// Whether an instruction begins at `bci` and control falls into it from the one before, or
    /// from the method's caller. `code` must be the scanned code.
    pub fn falls_into(&self, bci: Bci, code: &Code<'_>) -> bool {
        if !self.is_instruction(bci) {
            return false;
        }
        let Some(before) = (0..bci.0).rev().map(Bci).find(|&at| self.is_instruction(at)) else {
            return true;
        };
        let bytes = code.bytes();
        match bytes.get(before.0 as usize) {
            Some(&(GOTO | GOTO_W | RET | TABLESWITCH..=RETURN | ATHROW)) => false,
            Some(&WIDE) => bytes.get(before.0 as usize + 1) != Some(&RET),
            _ => true,
        }
    }

    /// Whether any instruction jumps. Without one, and without handlers, a method needs no frames.
    pub fn has_branch(&self) -> bool {
        !self.branches.is_empty() || !self.switches.is_empty()
    }

    fn clear(&mut self) {
        self.length = 0;
        self.starts.clear();
        self.returns.clear();
        self.branches.clear();
        self.switches.clear();
        self.throws.clear();
        self.branch_to_start = false;
        self.has_backward_branch = false;
        self.has_subroutine = false;
        self.has_wide = false;
        self.super_call = None;
        self.pending_new = 0;
        self.super_calls = 0;
    }

    fn pass(
        &mut self,
        code: &[u8],
        pool: &ConstantPool<'_>,
        constructor: bool,
    ) -> Result<(), (ErrorKind, usize)> {
        let mut at = 0;
        while let Some(&opcode) = code.get(at) {
            let shape = SHAPE[usize::from(opcode)];
            if let Some(start) = self.starts.get_mut(at) {
                *start = true;
            }
            if shape < SHAPE_IF {
                at += usize::from(shape);
                continue;
            }
            let bci = Bci(at as u32);
            match shape {
                SHAPE_RETURN => {
                    self.returns.push(bci);
                    at += 1;
                }
                SHAPE_IF | SHAPE_GOTO | SHAPE_JSR => {
                    let offset = short_offset(code, at).map_err(|kind| (kind, at))?;
                    self.branch(code, bci, opcode, offset)?;
                    self.has_subroutine |= shape == SHAPE_JSR;
                    at += 3;
                }
                SHAPE_GOTO_W | SHAPE_JSR_W => {
                    let offset = wide_offset(code, at).map_err(|kind| (kind, at))?;
                    self.branch(code, bci, opcode, offset)?;
                    self.has_subroutine |= shape == SHAPE_JSR_W;
                    at += 5;
                }
                SHAPE_NEW => {
                    self.pending_new += u32::from(constructor);
                    at += 3;
                }
                SHAPE_INVOKESPECIAL => {
                    if constructor {
                        let callee = PoolIx(checked_u2(code, at + 1));
                        if pool.member_name(callee).is_ok_and(|name| name == b"<init>") {
                            match self.pending_new.checked_sub(1) {
                                Some(left) => self.pending_new = left,
                                None => {
                                    self.super_call.get_or_insert(bci);
                                    self.super_calls += 1;
                                }
                            }
                        }
                    }
                    at += 3;
                }
                SHAPE_THROW => {
                    self.throws.push(bci);
                    at += 1;
                }
                SHAPE_SWITCH => at = self.switch(code, bci)?,
                SHAPE_RET => {
                    self.has_subroutine = true;
                    at += 2;
                }
                SHAPE_WIDE => {
                    self.has_wide = true;
                    self.has_subroutine |= code.get(at + 1) == Some(&RET);
                    at += variable_length(code, at, opcode).map_err(|kind| (kind, at))?;
                }
                _ => return Err((ErrorKind::UndefinedOpcode(opcode), at)),
            }
        }
        if at != code.len() { Err((ErrorKind::TruncatedInstruction, code.len())) } else { Ok(()) }
    }

    #[inline]
    fn branch(
        &mut self,
        code: &[u8],
        bci: Bci,
        opcode: u8,
        offset: i64,
    ) -> Result<(), (ErrorKind, usize)> {
        let Some(target) = target(code.len(), bci.0, offset) else {
            return Err((ErrorKind::BadBranchTarget, bci.0 as usize));
        };
        self.branch_to_start |= target == Bci(0);
        self.has_backward_branch |= target <= bci;
        self.branches.push(Branch { bci, target, opcode });
        Ok(())
    }

    fn switch(&mut self, code: &[u8], bci: Bci) -> Result<usize, (ErrorKind, usize)> {
        let at = bci.0 as usize;
        let switch = match Switch::parse(code, bci.0) {
            Ok(Some(switch)) => switch,
            Ok(None) => return Err((ErrorKind::BadSwitch, at)),
            Err(kind) => return Err((kind, at)),
        };
        for position in switch.offset_positions() {
            let Some(target) = switch.target_at(position) else {
                return Err((ErrorKind::BadBranchTarget, at));
            };
            self.branch_to_start |= target == Bci(0);
            self.has_backward_branch |= target <= bci;
        }
        self.switches.push(bci);
        Ok(switch.end())
    }
}
