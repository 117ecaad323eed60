//! Stretches of a method's code whose exceptions leave the same regions.

use super::scopes::{Regions, Scope};
use classfile_writer::{Bci, Code, Cut, opcode};

/// A boundary between stretches: before what is inserted at a position, or where branches to it
/// land. In between are the probes of control that falls from one scope into another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Boundary {
    bci: u32,
    landing: bool,
}

impl Boundary {
    pub(super) const fn start(bci: Bci) -> Self {
        Self { bci: bci.0, landing: false }
    }

    pub(super) const fn landing(bci: Bci) -> Self {
        Self { bci: bci.0, landing: true }
    }

    pub(super) const fn bci(self) -> Bci {
        Bci(self.bci)
    }

    pub(super) const fn cut(self) -> Cut {
        if self.landing { Cut::Landing(Bci(self.bci)) } else { Cut::Start(Bci(self.bci)) }
    }
}

/// A stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) from: Boundary,
    pub(super) to: Boundary,
    /// The regions that an exception finds open.
    pub(super) scope: Scope,
    /// Whether it is a return and the exit probes before it. Nothing is open any more.
    pub(super) is_return: bool,
}

impl Run {
    /// The part of it between two boundaries.
    pub(super) fn clip(self, from: Boundary, to: Boundary) -> Option<Self> {
        let (from, to) = (self.from.max(from), self.to.min(to));
        (from < to).then_some(Self { from, to, ..self })
    }
}

/// All stretches of the code, in order and without gaps.
pub(super) fn runs(code: &Code<'_>, regions: &Regions) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let mut push = |run: Run| match found.last_mut() {
        Some(last)
            if last.scope == run.scope
                && !last.is_return
                && !run.is_return
                && last.to == run.from =>
        {
            last.to = run.to;
        }
        _ => found.push(run),
    };
    let mut before = Scope::NONE;
    let mut falls = true;
    for instruction in code.instructions().map_while(Result::ok) {
        let (bci, scope) = (instruction.bci, regions.at(instruction.bci));
        let (start, landing) = (Boundary::start(bci), Boundary::landing(bci));
        // The probes fall between both scopes: what both have is open.
        let between = if falls { regions.common(before, scope) } else { scope };
        push(Run { from: start, to: landing, scope: between, is_return: false });
        let is_return = is_return(instruction.opcode);
        push(Run {
            from: landing,
            to: Boundary::start(instruction.end()),
            scope: if is_return { Scope::NONE } else { scope },
            is_return,
        });
        before = scope;
        falls = falls_through(instruction.opcode);
    }
    found
}

/// The stretches without a difference between returns and other code: neighbours differ in their
/// scopes.
pub(super) fn by_scope(runs: &[Run]) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    for run in runs {
        match found.last_mut() {
            Some(last) if last.scope == run.scope => last.to = run.to,
            _ => found.push(*run),
        }
    }
    found
}

pub(super) fn is_return(opcode: u8) -> bool {
    (opcode::IRETURN..=opcode::RETURN).contains(&opcode)
}

/// Whether control goes on to the next instruction. There is no `ret`.
pub(super) fn falls_through(opcode: u8) -> bool {
    !matches!(
        opcode,
        opcode::GOTO | opcode::GOTO_W | opcode::TABLESWITCH..=opcode::RETURN | opcode::ATHROW
    )
}
