//! The operand stack of a method whose flow is in the making.

use super::{NOTHING, Var};
use crate::fast::FastMap;
use classfile_writer::Error;

/// The stack cannot be followed.
pub(super) struct Lost;

pub(super) enum Stop {
    Lost,
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Lost> for Stop {
    fn from(_: Lost) -> Self {
        Self::Lost
    }
}

/// A method's flow in the making.
pub(super) struct Tracer {
    pub(super) result: Var,
    /// The next variable.
    pub(super) next: Var,
    pub(super) stack: Vec<Var>,
    /// Where the stack is not followed: the variable that stands for all.
    pub(super) all: Option<Var>,
    pub(super) reachable: bool,
    /// Stacks at the targets of jumps that are still to come.
    pub(super) labels: FastMap<u32, Vec<Var>>,
}

impl Tracer {
    pub(super) fn new(result: Var, all: Option<Var>) -> Self {
        let (stack, labels) = (Vec::new(), FastMap::default());
        Self { result, next: all.unwrap_or(result) + 1, stack, all, reachable: true, labels }
    }

    pub(super) fn fresh(&mut self) -> Var {
        if let Some(all) = self.all {
            return all;
        }
        self.next += 1;
        self.next - 1
    }

    pub(super) fn push(&mut self, var: Var) {
        if self.all.is_none() {
            self.stack.push(var);
        }
    }

    pub(super) fn push_empty(&mut self, count: usize) {
        for _ in 0..count {
            self.push(NOTHING);
        }
    }

    pub(super) fn pop(&mut self) -> Result<Var, Lost> {
        match self.all {
            Some(all) => Ok(all),
            None => self.stack.pop().ok_or(Lost),
        }
    }

    pub(super) fn pops(&mut self, count: usize) -> Result<(), Lost> {
        for _ in 0..count {
            self.pop()?;
        }
        Ok(())
    }

    /// The last `count` entries are copied below the `under` entries under them.
    pub(super) fn duplicate(&mut self, count: usize, under: usize) -> Result<(), Lost> {
        if self.all.is_some() {
            return Ok(());
        }
        let at = self.stack.len().checked_sub(count + under).ok_or(Lost)?;
        let copied: Vec<Var> = self.stack[at + under..].to_vec();
        self.stack.splice(at..at, copied);
        Ok(())
    }
}
