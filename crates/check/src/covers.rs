//! The ranges that throw blocks cover: the stretches of the method's own code between its returns.
//! Probes at the ends of a stretch are outside, or the same call would end twice.

use crate::alignment::{Alignment, Block};
use crate::constructor::{self, super_call};
use crate::exceptions::without_islands;
use crate::finding::Fault;
use crate::forms;
use crate::instruction::{can_throw, is_return};
use crate::method::Method;
use crate::read::Body;
use cafebabe::bytecode::Opcode;
use std::ops::Range;

/// An entry of the output's exception table that leads to such a block: from, to, block.
pub(crate) type Cover = (usize, usize, Block);

/// Looks at the covered ranges: each must be a whole stretch, in their order, and each stretch that
/// may throw must be covered.
pub(crate) fn compare(
    before: Body<'_>,
    after: Body<'_>,
    alignment: &Alignment,
    covers: &[Cover],
    method: &Method<'_>,
) -> Result<(), Fault> {
    let is_stub = |cover: &&Cover| {
        alignment.blocks.iter().any(|block| block.handler.is_some() && block.start == cover.0)
    };
    let (of_stubs, own): (Vec<&Cover>, Vec<&Cover>) = covers.iter().partition(is_stub);
    if let Some(lost) = alignment
        .blocks
        .iter()
        .find(|block| block.handler.is_none() && !own.iter().any(|cover| cover.2 == **block))
    {
        return Err(Fault::at(lost.start, "a block that throws on covers nothing"));
    }
    let call = if method.is_constructor() { super_call(before) } else { None };
    let mut rest = own.into_iter().peekable();
    let mut covered: Vec<(Range<usize>, Block)> = Vec::new();
    // Where a bare stretch begins, and whether that is before the call of super().
    let mut bare: Vec<(usize, bool)> = Vec::new();
    for stretch in stretches(before, call) {
        let place = |index: usize| alignment.position(index);
        let (Some(start), Some(end)) = (place(stretch.start), place(stretch.end)) else { continue };
        let mut block = None;
        for (from, to) in without_islands(alignment, start.instruction, end.base) {
            let Some(cover) = rest.next_if(|cover| (cover.0, cover.1) == (from, to)) else { break };
            if block.replace(cover.2).is_some_and(|other| other != cover.2) {
                return Err(Fault::at(from, "a stretch is covered by two blocks"));
            }
        }
        let throws = stretch.clone().any(|index| before.op(index).is_some_and(can_throw));
        match block {
            Some(block) => covered.push((stretch, block)),
            None if throws => {
                bare.push((start.instruction, call.is_some_and(|call| stretch.start < call)))
            }
            None => {}
        }
    }
    if let Some((from, to, block)) = rest.next() {
        return Err(Fault::at(
            *from,
            format!("the handler at {} covers {from}..{to}, which is no stretch", block.start),
        ));
    }
    stubs(before, alignment, &of_stubs, &covered)?;
    if alignment.own.is_none_or(|own| own.counted) && alignment.task.is_none() {
        return Ok(());
    }
    let has_block = !covered.is_empty();
    let is_bare_before =
        covered.iter().all(|(stretch, _)| call.is_some_and(|call| stretch.start > call));
    let parts = if bare.is_empty() || !method.is_constructor() {
        None
    } else {
        constructor::parts(before, method)
    };
    let may_be_bare = |is_early: bool| match parts {
        _ if !method.is_constructor() => false,
        Some(covers_prologue) => is_early && !covers_prologue,
        // The whole of it, or the part before the call.
        None => !has_block || is_early && is_bare_before,
    };
    let Some(&(at, _)) = bare.iter().find(|(_, is_early)| !may_be_bare(*is_early)) else {
        return Ok(());
    };
    let is_root = alignment.own.is_some_and(|own| own.kind.is_root) || alignment.task.is_some();
    let is_marked = !alignment.marked.is_empty()
        || alignment.blocks.iter().any(|block| block.handler.is_some());
    let may_be_lean =
        || !is_root && !is_marked && !forms::fits_throw(before, after, alignment, method);
    if !has_block && (is_plain_access(before, method) || may_be_lean()) {
        return Ok(());
    }
    Err(Fault::at(at, "may throw, and no handler records it"))
}

/// The stretches of the original between its returns. In a constructor the call of `super()` or
/// `this()` is between two as well. An exception of this call has a frame with the flag
/// `flagThisUninit` and without an uninitialized `this` (JVMS 4.10.1.9, `invokespecial`), and a
/// `StackMapTable` cannot state such a frame (JVMS 4.10.1.4).
fn stretches(before: Body<'_>, call: Option<usize>) -> Vec<Range<usize>> {
    let mut stretches = Vec::new();
    let mut start = 0;
    for index in 0..=before.len() {
        let ends = before.op(index).is_none_or(is_return) || call == Some(index);
        if ends {
            if start < index {
                stretches.push(start..index);
            }
            start = index + 1;
        }
    }
    stretches
}

/// A stub is covered by what covers the handler that it leads to.
fn stubs(
    before: Body<'_>,
    alignment: &Alignment,
    covers: &[&Cover],
    covered: &[(Range<usize>, Block)],
) -> Result<(), Fault> {
    for stub in alignment.blocks.iter().filter(|block| block.handler.is_some()) {
        let is_handler =
            |index: &usize| alignment.position(*index).map(|place| place.target) == stub.handler;
        let handlers = before
            .exceptions()
            .iter()
            .filter_map(|entry| before.index_at(usize::from(entry.handler_pc)));
        let handler = handlers.into_iter().find(is_handler);
        let around =
            handler.and_then(|index| covered.iter().find(|(stretch, _)| stretch.contains(&index)));
        let mut of_stub = covers.iter().filter(|cover| cover.0 == stub.start).map(|cover| cover.2);
        if of_stub.next() != around.map(|(_, block)| *block) || of_stub.next().is_some() {
            return Err(Fault::at(stub.start, "a stub is not covered as its handler is"));
        }
    }
    Ok(())
}

/// Whether the whole body reads or writes one of the class's own fields, of `this` or a static one.
fn is_plain_access(before: Body<'_>, method: &Method<'_>) -> bool {
    let ops: Vec<&Opcode<'_>> = before.instructions.iter().map(|(_, op)| op).take(5).collect();
    let field = match ops.as_slice() {
        [Opcode::Aload(0), Opcode::Getfield(field), _]
        | [Opcode::Aload(0), _, Opcode::Putfield(field), _]
            if !method.is_static =>
        {
            field
        }
        [Opcode::Getstatic(field), _] | [_, Opcode::Putstatic(field), _] => field,
        _ => return false,
    };
    field.class_name == method.class
}
