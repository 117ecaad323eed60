//! The local variable that a task method's entry probe sets, in all frames of the method.
//!
//! The variable lies behind all others. It must be an `int` wherever the catch-all region reaches,
//! or the handler could not read it. So every frame of the StackMapTable (JVMS 4.7.4) is rewritten
//! as a full frame with the variable at its end. Only the few methods that executors call need
//! this.

use classfile_writer::{Code, FrameKind, VerificationType};
use jfathom_plan::SkipReason;

/// Appends to `out` the whole Code attribute with one more local variable, an `int` in every frame.
///
/// The method must take no parameters, so that its first frame is `this` alone.
pub(crate) fn with_one_more_local(code: &Code<'_>, out: &mut Vec<u8>) -> Result<(), SkipReason> {
    let class = code.class();
    let file = class.bytes();
    let start = code.range().start;
    let attributes_at = code.code_range().end + 2 + 8 * code.exceptions().len();
    let max_locals = code.max_locals();
    let raised = max_locals.checked_add(1).ok_or(SkipReason::CodeTooLarge)?;
    let begin = out.len();
    out.extend_from_slice(file.get(start..attributes_at + 2).ok_or(SkipReason::Malformed)?);
    for attribute in code.attributes() {
        if attribute.name != b"StackMapTable" {
            out.extend_from_slice(file.get(attribute.range()).ok_or(SkipReason::Malformed)?);
            continue;
        }
        out.extend_from_slice(&attribute.name_ix.0.to_be_bytes());
        let length_at = out.len();
        out.extend_from_slice(&[0; 4]);
        let table = classfile_writer::StackMapTable::parse(class, &attribute)
            .map_err(|_| SkipReason::Frames)?;
        out.extend_from_slice(&table.count().to_be_bytes());
        let mut locals = vec![VerificationType::Object(class.this_class())];
        let mut next = 0;
        for frame in table.frames() {
            let frame = frame.map_err(|_| SkipReason::Frames)?;
            let mut stack = Vec::new();
            match frame.kind {
                FrameKind::Same => {}
                FrameKind::SameLocalsOneStack(item) => stack.push(item),
                FrameKind::Chop(count) => {
                    let left =
                        locals.len().checked_sub(usize::from(count)).ok_or(SkipReason::Frames)?;
                    locals.truncate(left);
                }
                FrameKind::Append(more) => locals.extend(more),
                FrameKind::Full { locals: all, stack: items } => {
                    locals = all.collect();
                    stack.extend(items);
                }
            }
            let delta = frame
                .bci
                .0
                .checked_sub(next)
                .and_then(|d| u16::try_from(d).ok())
                .ok_or(SkipReason::Frames)?;
            next = frame.bci.0 + 1;
            write_full(out, delta, &locals, &stack, max_locals)?;
        }
        patch_length(out, length_at)?;
    }
    out[begin + 8..begin + 10].copy_from_slice(&raised.to_be_bytes());
    patch_length(out, begin + 2)
}

/// Sets the `attribute_length` at `at` to what follows it.
fn patch_length(out: &mut [u8], at: usize) -> Result<(), SkipReason> {
    let length = u32::try_from(out.len() - at - 4).map_err(|_| SkipReason::TableFull)?;
    out[at..at + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

fn write_full(
    out: &mut Vec<u8>,
    delta: u16,
    locals: &[VerificationType],
    stack: &[VerificationType],
    max_locals: u16,
) -> Result<(), SkipReason> {
    let slots: usize = locals.iter().map(|local| slots(*local)).sum();
    let gap = usize::from(max_locals).checked_sub(slots).ok_or(SkipReason::Frames)?;
    let count = u16::try_from(locals.len() + gap + 1).map_err(|_| SkipReason::Frames)?;
    out.push(255);
    out.extend_from_slice(&delta.to_be_bytes());
    out.extend_from_slice(&count.to_be_bytes());
    for local in locals {
        write(out, *local);
    }
    out.resize(out.len() + gap, 0);
    write(out, VerificationType::Integer);
    out.extend_from_slice(
        &u16::try_from(stack.len()).map_err(|_| SkipReason::Frames)?.to_be_bytes(),
    );
    for item in stack {
        write(out, *item);
    }
    Ok(())
}

fn slots(of: VerificationType) -> usize {
    if matches!(of, VerificationType::Long | VerificationType::Double) { 2 } else { 1 }
}

fn write(out: &mut Vec<u8>, item: VerificationType) {
    use VerificationType as V;
    let (tag, operand) = match item {
        V::Top => (0, None),
        V::Integer => (1, None),
        V::Float => (2, None),
        V::Double => (3, None),
        V::Long => (4, None),
        V::Null => (5, None),
        V::UninitializedThis => (6, None),
        V::Object(class) => (7, Some(class.0)),
        // A bci fits 16 bits in every frame that was read.
        V::Uninitialized(bci) => (8, Some(bci.0 as u16)),
    };
    out.push(tag);
    if let Some(operand) = operand {
        out.extend_from_slice(&operand.to_be_bytes());
    }
}
