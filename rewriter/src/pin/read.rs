//! The first number that a method reads from a field.

use super::Number;
use crate::method::MethodRewrite;
use classfile_writer::{Bci, Code, Instruction, Scan, opcode};
use opcode::Flow;

/// A `getstatic` or `getfield` that every call of the method passes first and once, unless it
/// throws before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FieldRead {
    /// Where the next instruction begins; the number lies on top of the operand stack there.
    pub(crate) end: Bci,
    pub(crate) number: Number,
}

impl FieldRead {
    /// Finds it in the straight code from bci 0 on. `scan` must be of the order's code.
    pub(crate) fn first(order: &MethodRewrite<'_>, scan: &Scan) -> Option<Self> {
        let code = order.code;
        for instruction in code.instructions() {
            let it = instruction.ok()?;
            if matches!(it.opcode, opcode::GETSTATIC | opcode::GETFIELD) {
                let field = code.class().pool().member_names(it.pool_index()?).ok()?;
                let number =
                    Number::of(field.descriptor).filter(|&number| super::can_tie(order, number));
                if let Some(number) = number {
                    return is_from_above(code, scan, it.end())
                        .then_some(Self { end: it.end(), number });
                }
            } else if !is_straight(&it) {
                return None;
            }
        }
        None
    }
}

/// Whether an instruction only moves or computes values, and goes on to the next.
fn is_straight(it: &Instruction<'_>) -> bool {
    match it.opcode {
        opcode::NOP..=opcode::ASTORE_3 | opcode::POP..=opcode::DCMPG | opcode::ARRAYLENGTH => true,
        opcode::WIDE => it.flow() != Flow::Ret,
        _ => false,
    }
}

/// Whether the code up to `end`, which is straight, is entered at bci 0 only and has no frame: a
/// local variable that is set in front of it then holds its value throughout, whichever verifier
/// looks.
fn is_from_above(code: &Code<'_>, scan: &Scan, end: Bci) -> bool {
    // What branches lies behind `end`, so that branches that lead on do not lead there.
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

/// Where the first frame stands that the code states, if it states one; none at all where the
/// tables are damaged.
fn first_frame(code: &Code<'_>) -> Option<Option<Bci>> {
    let typed =
        code.stack_map_table().ok()?.and_then(|table| table.frames().next()).transpose().ok()?;
    let cldc =
        code.cldc_stack_map().ok()?.and_then(|table| table.frames().next()).transpose().ok()?;
    Some(typed.into_iter().chain(cldc).map(|frame| frame.bci).min())
}
