//! What the blocks cover that record an exception and throw it on: the method's own code, and no probe whose call is told already.

use crate::align::{Alignment, Block};
use crate::code::Method;
use crate::cursor::Part;
use crate::finding::Fault;
use crate::instruction::{can_throw, is_return};
use crate::read::Body;
use cafebabe::bytecode::Opcode;

/// Methods of more code than this may be without such a block, because with it they would grow past 8,000 bytes, which HotSpot
/// does not compile.
const SURELY_FITS: usize = 2_000;

/// Looks at the covered ranges.
pub(crate) fn compare(
    before: Body<'_>,
    after: Body<'_>,
    alignment: &Alignment,
    covers: &[(usize, usize, Block)],
    method: &Method<'_>,
) -> Result<(), Fault> {
    let mut covered = vec![false; after.len()];
    for &(start, end, block) in covers {
        let (Some(from), Some(to)) = (after.index_at(start), after.index_at(end)) else {
            return Err(Fault::at(start, "a catch-all entry begins or ends inside of an instruction"));
        };
        for at in from..to {
            let part = alignment.parts.get(at).copied();
            let bci = after.bci(at);
            let is_wrong = match part {
                Some(Part::Original(index)) => before.op(index).is_some_and(is_return),
                Some(Part::Entry | Part::Exit | Part::Throw | Part::Island) | None => true,
                Some(Part::Pin | Part::Catch | Part::HandOff | Part::Stub) => false,
            };
            if is_wrong {
                let what = format!("the handler at {} covers what must not throw into it", block.start);
                return Err(Fault::at(bci, what));
            }
            if let Some(covered) = covered.get_mut(at) {
                *covered = true;
            }
        }
    }
    if alignment.own.is_none() && alignment.task.is_none() {
        return Ok(());
    }
    let throws: Vec<&Block> = alignment.blocks.iter().filter(|block| block.handler.is_none()).collect();
    if let Some(lost) = throws.iter().find(|block| !covers.iter().any(|cover| cover.2 == ***block)) {
        return Err(Fault::at(lost.start, "a block that throws on covers nothing"));
    }
    // Which part of a constructor may be covered is the verifier's to say (JVMS 4.10.1.6).
    if method.is_constructor() {
        return Ok(());
    }
    let uncovered = (alignment.parts.iter().zip(&covered).enumerate()).find(|(_, (part, covered))| {
        let throws = |index| before.op(index).is_some_and(|op| can_throw(op));
        !**covered && matches!(part, Part::Original(index) if throws(*index))
    });
    let Some((at, _)) = uncovered else { return Ok(()) };
    let is_root = alignment.own.is_some_and(|own| own.kind.is_root) || alignment.task.is_some();
    let is_marked = !alignment.marked.is_empty() || alignment.blocks.iter().any(|block| block.handler.is_some());
    let may_be_lean = !is_root && !is_marked && (before.length() > SURELY_FITS || method.full_pool);
    if throws.is_empty() && (may_be_lean || is_plain_access(before, method)) {
        return Ok(());
    }
    Err(Fault::at(after.bci(at), "may throw, and no handler records it"))
}

/// Whether the whole body reads or writes one of the class's own fields, of `this` or a static one.
fn is_plain_access(before: Body<'_>, method: &Method<'_>) -> bool {
    let ops: Vec<&Opcode<'_>> = before.instructions.iter().map(|(_, op)| op).collect();
    let field = match ops.as_slice() {
        [Opcode::Aload(0), Opcode::Getfield(field), _] | [Opcode::Aload(0), _, Opcode::Putfield(field), _]
            if !method.is_static =>
        {
            field
        }
        [Opcode::Getstatic(field), _] | [_, Opcode::Putstatic(field), _] => field,
        _ => return false,
    };
    field.class_name == method.class
}
