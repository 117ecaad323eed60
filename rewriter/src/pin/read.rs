//! The first number that a method reads from a field.

use super::number::{Number, can_pin};
use crate::method_rewrite::MethodRewrite;
use classfile_writer::{Bci, Code, Instruction, Scan, opcode};
use opcode::Flow;

/// A `getstatic` or `getfield` of a number. Every call of the method passes it first and once,
/// unless it throws before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldRead {
    /// Where the next instruction begins; the number lies on top of the operand stack there.
    pub(crate) end: Bci,
    pub(crate) number: Number,
}

impl FieldRead {
    /// The first such read in the straight code from bci 0 on. `scan` must be of the method's code.
    pub(crate) fn first(method: &MethodRewrite<'_>, scan: &Scan) -> Option<Self> {
        let code = method.code;
        for instruction in code.instructions() {
            let instruction = instruction.ok()?;
            if matches!(instruction.opcode, opcode::GETSTATIC | opcode::GETFIELD) {
                let field = code.class().pool().member_names(instruction.pool_index()?).ok()?;
                let number = Number::from_descriptor(field.descriptor)
                    .filter(|&number| can_pin(method, number));
                if let Some(number) = number {
                    return is_from_above(code, scan, instruction.end())
                        .then_some(Self { end: instruction.end(), number });
                }
            } else if !is_straight(&instruction) {
                return None;
            }
        }
        None
    }
}

/// Whether an instruction only moves or computes values, and goes on to the next.
fn is_straight(instruction: &Instruction<'_>) -> bool {
    match instruction.opcode {
        opcode::NOP..=opcode::ASTORE_3 | opcode::POP..=opcode::DCMPG | opcode::ARRAYLENGTH => true,
        opcode::WIDE => instruction.flow() != Flow::Ret,
        _ => false,
    }
}

/// Whether the straight code up to `end` is entered at bci 0 only and has no frame. A local
/// variable that is set in front of it then keeps its value throughout, for both verifiers.
fn is_from_above(code: &Code<'_>, scan: &Scan, end: Bci) -> bool {
    // All branches lie behind `end`, so forward ones cannot lead into the code before it.
    let branches = scan.has_backward_branch && {
        let mut switches = scan.switches.iter().filter_map(|&at| code.switch_at(at));
        scan.branches.iter().any(|branch| branch.target <= end)
            || switches.any(|switch| {
                let cases = switch.cases().filter_map(|(_, target)| target);
                switch.default().into_iter().chain(cases).any(|target| target <= end)
            })
    };
    let handlers = || code.exceptions().any(|entry| entry.handler <= end);
    !branches
        && !handlers()
        && first_frame(code).is_some_and(|frame| frame.is_none_or(|at| at > end))
}

/// The position of the first frame, `Some(None)` without frames, `None` if a table is damaged.
fn first_frame(code: &Code<'_>) -> Option<Option<Bci>> {
    let typed =
        code.stack_map_table().ok()?.and_then(|table| table.frames().next()).transpose().ok()?;
    let cldc =
        code.cldc_stack_map().ok()?.and_then(|table| table.frames().next()).transpose().ok()?;
    Some(typed.into_iter().chain(cldc).map(|frame| frame.bci).min())
}
