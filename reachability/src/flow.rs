//! The flow pass: how objects move through a method, from where they are made, read or handed in to where they are used.
//!
//! Locals are one variable each for the whole method; the operand stack is followed instruction by instruction. Where
//! that cannot be done (subroutines, loops entered with operands) all of the method is one variable.

mod array;
mod call;
mod constant;
mod field;
mod instruction;
mod join;
mod method;
mod step;
mod tracer;
mod value;

pub(crate) use step::Step;

use crate::SigId;

/// A variable of a method's flow.
pub(crate) type Var = u32;
/// Holds numbers and null.
pub(crate) const NOTHING: Var = 0;
/// Holds strings.
pub(crate) const STRING: Var = 1;
/// The first local variable; the others follow.
pub(crate) const LOCALS: Var = 2;

/// The flow of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    /// How many variables it has; 0 for a method without code.
    pub(crate) vars: u32,
    /// What it returns.
    pub(crate) result: Var,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// The flows of a class's methods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ClassFlow {
    pub(crate) methods: Vec<Flow>,
    pub(crate) steps: Vec<Step>,
    pub(crate) args: Vec<Var>,
    /// The fields that the class declares.
    pub(crate) fields: Vec<SigId>,
}

impl ClassFlow {
    pub(crate) fn steps(&self, flow: Flow) -> &[Step] {
        self.steps.get(flow.start as usize..(flow.start + flow.len) as usize).unwrap_or_default()
    }

    pub(crate) fn args(&self, start: u32, count: u32) -> &[Var] {
        self.args.get(start as usize..(start + count) as usize).unwrap_or_default()
    }
}
