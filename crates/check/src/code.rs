//! One method's code: aligned with its original, and all its tables held against it.

use crate::align::align;
use crate::alignment::Alignment;
use crate::attributes;
use crate::context::Context;
use crate::covers;
use crate::cursor::Part;
use crate::descriptor::{parameters, words};
use crate::exceptions;
use crate::finding::{Fault, Problem};
use crate::forms;
use crate::frames;
use crate::method::Method;
use crate::read::Body;
use crate::tables;
use cafebabe::attributes::{AttributeData, AttributeInfo};
use cafebabe::bytecode::Opcode;

/// Compares the codes of a method. Returns the id that its probes pass and that of its resumptions,
/// if it has them.
pub(crate) fn compare(
    before: Body<'_>,
    after: Body<'_>,
    method: &Method<'_>,
) -> Result<[Option<u32>; 2], Problem> {
    let parameters: u32 =
        parameters(&method.descriptor).into_iter().map(|of| u32::from(words(of))).sum();
    if u32::from(before.data.max_locals) < parameters + u32::from(!method.is_static) {
        // No JVM links it (JVMS 4.7.3), and probes that load arguments load what is not there.
        return Err(Problem::NotChecked("its parameters exceed its local variables".to_owned()));
    }
    let alignment = align(before, after, method)?;
    let handlers = exceptions::compare(before, after, &alignment)?;
    covers::compare(before, after, &alignment, &handlers.covers, method)?;
    forms::lacks_nothing(before, after, &alignment, method)?;
    hand_offs(&alignment, method)?;
    maxima(before, after, &alignment)?;
    let context = Context { before, after, alignment: &alignment, moved: &handlers.moved };
    code_attributes(&context, method)?;
    let own = alignment.own.and_then(|own| u32::try_from(own.id).ok());
    Ok([own, alignment.resumed])
}

/// With hand-offs, each call that hands off a task must be marked, and each task method must open a
/// spawned tree. Methods that the manifest lists as skipped are exempt.
fn hand_offs(alignment: &Alignment, method: &Method<'_>) -> Result<(), Fault> {
    if !method.hand_offs || !method.is_changed {
        return Ok(());
    }
    let is_skipped = || method.contract.skips(&method.class, &method.name, &method.descriptor);
    let is_marked = alignment.parts.contains(&Part::HandOff);
    let is_rewritten = alignment.own.is_some() || alignment.task.is_some() || is_marked;
    if let Some(bci) = alignment.unmarked.filter(|_| is_rewritten || !is_skipped()) {
        return Err(Fault::at(bci, "hands off a task, and is not marked"));
    }
    let is_root = alignment.own.is_some_and(|own| own.kind.is_root);
    if method.runs_tasks() && alignment.task.is_none() && !is_root && !is_skipped() {
        return Err(Fault::at(0, "runs what was handed over, and opens no tree for it"));
    }
    Ok(())
}

/// The most that probes put on the operand stack where the original may have filled it, and by
/// themselves.
const PROBES_ON_TOP: u32 = 2;
const PROBES_ALONE: u32 = 6;

/// How many local variables there must be for an instruction that stores into one.
fn stored(op: &Opcode<'_>) -> Option<usize> {
    use Opcode::*;
    match op {
        Istore(local) | Fstore(local) | Astore(local) => Some(usize::from(*local) + 1),
        Lstore(local) | Dstore(local) => Some(usize::from(*local) + 2),
        _ => None,
    }
}

fn maxima(before: Body<'_>, after: Body<'_>, alignment: &Alignment) -> Result<(), Fault> {
    let (old, new) = (before.data, after.data);
    let most = (u32::from(old.max_stack) + PROBES_ON_TOP).max(PROBES_ALONE);
    if new.max_stack < old.max_stack || u32::from(new.max_stack) > most {
        return Err(Fault::new(format!(
            "has max_stack {}, and its original {}",
            new.max_stack, old.max_stack
        )));
    }
    let least = before.max_locals() + alignment.new_locals();
    let own =
        alignment.parts.iter().enumerate().filter(|(_, part)| !matches!(part, Part::Original(_)));
    let wanted = own.filter_map(|(at, _)| stored(after.op(at)?)).max().unwrap_or(0).max(least);
    if after.max_locals() != wanted {
        return Err(Fault::new(format!("has max_locals {}, and needs {wanted}", new.max_locals)));
    }
    Ok(())
}

/// Compares the attributes of a code: those that the original has, in their order, and no other but
/// a `StackMapTable`.
fn code_attributes(context: &Context<'_, '_>, method: &Method<'_>) -> Result<(), Problem> {
    let is_frames =
        |attribute: &&AttributeInfo<'_>| matches!(attribute.data, AttributeData::StackMapTable(_));
    let (olds, news) = (context.before.attributes(), context.after.attributes());
    let frames_of = |all: &[AttributeInfo<'_>]| all.iter().filter(is_frames).count();
    if frames_of(olds) > 1 || frames_of(news) > 1 {
        return Err(Problem::NotChecked("a method has several StackMapTables".to_owned()));
    }
    let is_unchanged = context.before.data.code == context.after.data.code;
    if !is_unchanged
        && method.major < 50
        && olds.iter().any(|attribute| attribute.name == "StackMap")
    {
        return Err(Problem::NotChecked("a StackMap of CLDC is unknown to the reader".to_owned()));
    }
    frames::compare(context, olds.iter().find(is_frames), news.iter().find(is_frames), method)?;
    let mut rest = news.iter();
    for old in olds {
        let Some(new) = rest.next().filter(|new| new.name == old.name) else {
            return Err(
                Fault::new(format!("has lost its {}, or has it elsewhere", old.name)).into()
            );
        };
        let differs = match (&old.data, &new.data) {
            (AttributeData::StackMapTable(_), AttributeData::StackMapTable(_)) => None,
            (AttributeData::LineNumberTable(old), AttributeData::LineNumberTable(new)) => {
                tables::lines(context, old, new)
            }
            (AttributeData::LocalVariableTable(old), AttributeData::LocalVariableTable(new)) => {
                tables::variables(context, old, new)
            }
            (
                AttributeData::LocalVariableTypeTable(old),
                AttributeData::LocalVariableTypeTable(new),
            ) => tables::variable_types(context, old, new),
            (
                AttributeData::RuntimeVisibleTypeAnnotations(old),
                AttributeData::RuntimeVisibleTypeAnnotations(new),
            )
            | (
                AttributeData::RuntimeInvisibleTypeAnnotations(old),
                AttributeData::RuntimeInvisibleTypeAnnotations(new),
            ) => tables::type_annotations(context, old, new),
            (AttributeData::Other(_), AttributeData::Other(_))
                if old.name == "StackMap" && !is_unchanged =>
            {
                None
            }
            (old, new) => (!attributes::same(old, new)).then_some("another content".to_owned()),
        };
        if let Some(what) = differs {
            return Err(Fault::new(format!("{}: {what}", old.name)).into());
        }
    }
    let had_frames = olds.iter().any(|attribute| is_frames(&attribute));
    match rest.find(|new| had_frames || !is_frames(new)) {
        Some(new) => Err(Fault::new(format!("has got a {}", new.name)).into()),
        None => Ok(()),
    }
}
