//! The forms that a method may have its probes in: all of them, or fewer where more do not fit.
//! What is left out must not have fitted.

use crate::alignment::Alignment;
use crate::cursor::Own;
use crate::finding::Fault;
use crate::frames;
use crate::instruction::switch;
use crate::method::Method;
use crate::read::Body;
use std::collections::BTreeSet;

/// Code of more bytes HotSpot does not compile (`-XX:HugeMethodLimit`); probes do not make a method
/// cross it unless that is asked for.
const COMPILED: usize = 8_000;

/// In longer code branches may not reach (16-bit offsets), and whether they can be led on is not
/// worked out here.
const REACHED: usize = i16::MAX as usize;

/// Constants that a method's probes need at the most: six members of the runtime with their
/// names, `Throwable`, `StackMapTable`.
const CONSTANTS: usize = 36;

/// The call of a probe, without what it takes (JVMS 6.5, invokestatic).
const CALL: usize = 3;

/// What the method lacks of its probes although it would have fitted.
pub(crate) fn lacks_nothing(
    before: Body<'_>,
    after: Body<'_>,
    alignment: &Alignment,
    method: &Method<'_>,
) -> Result<(), Fault> {
    let Some(own) = alignment.own.filter(|own| !own.counted) else { return Ok(()) };
    let handlers: BTreeSet<u16> =
        before.exceptions().iter().map(|entry| entry.handler_pc).collect();
    let is_stub = alignment.blocks.iter().any(|block| block.handler.is_some());
    if handlers.is_empty() || !alignment.marked.is_empty() || is_stub {
        return Ok(());
    }
    let Some(id) = push(after, alignment, own) else { return Ok(()) };
    // At the most: each handler by a stub with a jump and a copy of the exception, each switch with
    // other padding.
    let switches = before.instructions.iter().filter(|(_, op)| switch(op).is_some()).count();
    let block = if alignment.blocks.is_empty() { id + CALL + 1 } else { 0 };
    let bytes = handlers.len() * (id + CALL + 4) + 3 * switches + block;
    let rows = handlers.len() * (before.exceptions().len() + 1);
    let first =
        handlers.iter().find_map(|&bci| alignment.position(before.index_at(usize::from(bci))?));
    let has_frames =
        method.major < 50 || handlers.iter().all(|&bci| frames::is_at(before, usize::from(bci)));
    match has_frames && fits(before, after, method, bytes, rows) {
        true => Err(Fault::at(
            first.map_or(0, |place| place.target),
            "an exception handler has no catch probe",
        )),
        false => Ok(()),
    }
}

/// Whether the block that records an exception and throws it on would have fitted a method that has
/// none.
pub(crate) fn fits_throw(
    before: Body<'_>,
    after: Body<'_>,
    alignment: &Alignment,
    method: &Method<'_>,
) -> bool {
    let id = alignment.own.and_then(|own| push(after, alignment, own));
    let rows = before.len() + 1;
    id.is_none_or(|id| fits(before, after, method, id + CALL + 1, rows))
}

/// Whether so many bytes of code and rows of the exception table surely fit beside what the output
/// has.
fn fits(before: Body<'_>, after: Body<'_>, method: &Method<'_>, bytes: usize, rows: usize) -> bool {
    let was_longer = before.length() > COMPILED || after.length() > COMPILED;
    let most = if was_longer { REACHED } else { COMPILED };
    let most_rows = usize::from(u16::MAX);
    after.length() + bytes <= most
        && after.exceptions().len() + rows <= most_rows
        && method.free_constants >= CONSTANTS
}

/// Bytes of the instruction that pushes what the method's other probes take.
fn push(after: Body<'_>, alignment: &Alignment, own: Own) -> Option<usize> {
    match own.token {
        Some(0..4) => return Some(1),
        Some(4..256) => return Some(2),
        Some(_) => return Some(4),
        None => {}
    }
    let is_push = |at: &usize| after.op(*at).and_then(crate::instruction::pushed) == Some(own.id);
    let is_ours = |at: &usize| alignment.parts.get(*at) == Some(&crate::cursor::Part::Entry);
    (0..after.len()).take_while(is_ours).find(is_push).map(|at| after.size(at))
}
