//! Tables that name places in code: lines, variables, type annotations (JVMS 4.7.12 to 4.7.14,
//! 4.7.20.1).

use crate::attributes::same_text;
use crate::context::Context;
use cafebabe::attributes::{
    LineNumberEntry, LocalVariableEntry, LocalVariableTypeEntry, TypeAnnotation,
    TypeAnnotationTarget as Target,
};

/// What differs between two tables of lines.
pub(crate) fn lines(
    context: &Context<'_, '_>,
    old: &[LineNumberEntry],
    new: &[LineNumberEntry],
) -> Option<String> {
    let mut pairs = old.iter().zip(new).enumerate();
    let wrong = pairs.find(|(_, (old, new))| {
        let start = context.moved(usize::from(old.start_pc)).0;
        (start, old.line_number) != (usize::from(new.start_pc), new.line_number)
    });
    row(old.len(), new.len(), wrong.map(|(row, _)| row))
}

/// What differs between two tables of variables.
pub(crate) fn variables(
    context: &Context<'_, '_>,
    old: &[LocalVariableEntry<'_>],
    new: &[LocalVariableEntry<'_>],
) -> Option<String> {
    let mut pairs = old.iter().zip(new).enumerate();
    let wrong = pairs.find(|(_, (old, new))| {
        let range = context.range(old.start_pc, old.length);
        range != (usize::from(new.start_pc), usize::from(new.length))
            || (old.index, &old.name, &old.descriptor) != (new.index, &new.name, &new.descriptor)
    });
    row(old.len(), new.len(), wrong.map(|(row, _)| row))
}

/// What differs between two tables of variables' generic types.
pub(crate) fn variable_types(
    context: &Context<'_, '_>,
    old: &[LocalVariableTypeEntry<'_>],
    new: &[LocalVariableTypeEntry<'_>],
) -> Option<String> {
    let mut pairs = old.iter().zip(new).enumerate();
    let wrong = pairs.find(|(_, (old, new))| {
        let range = context.range(old.start_pc, old.length);
        range != (usize::from(new.start_pc), usize::from(new.length))
            || (old.index, &old.name, &old.signature) != (new.index, &new.name, &new.signature)
    });
    row(old.len(), new.len(), wrong.map(|(row, _)| row))
}

/// What differs between two lists of type annotations.
pub(crate) fn type_annotations(
    context: &Context<'_, '_>,
    old: &[TypeAnnotation<'_>],
    new: &[TypeAnnotation<'_>],
) -> Option<String> {
    let mut pairs = old.iter().zip(new).enumerate();
    let wrong = pairs.find(|(_, (old, new))| {
        !same_target(context, &old.target_type, &new.target_type)
            || !same_text(&old.target_path, &new.target_path)
            || !same_text(&old.annotation, &new.annotation)
    });
    row(old.len(), new.len(), wrong.map(|(row, _)| row))
}

fn same_target(context: &Context<'_, '_>, old: &Target, new: &Target) -> bool {
    match (old, new) {
        (Target::Offset { offset: old }, Target::Offset { offset: new }) => {
            context.moved(usize::from(*old)).0 == usize::from(*new)
        }
        (
            Target::TypeArgument { offset: old, type_argument_index: m },
            Target::TypeArgument { offset: new, type_argument_index: n },
        ) => m == n && context.moved(usize::from(*old)).0 == usize::from(*new),
        (Target::LocalVar(olds), Target::LocalVar(news)) => {
            olds.len() == news.len()
                && olds.iter().zip(news).all(|(old, new)| {
                    let range = context.range(old.start_pc, old.length);
                    old.index == new.index
                        && range == (usize::from(new.start_pc), usize::from(new.length))
                })
        }
        (
            Target::Catch { exception_table_index: old },
            Target::Catch { exception_table_index: new },
        ) => {
            context.moved.get(usize::from(*old)).copied().unwrap_or(usize::from(*old))
                == usize::from(*new)
        }
        (old, new) => same_text(old, new),
    }
}

fn row(old: usize, new: usize, wrong: Option<usize>) -> Option<String> {
    match wrong {
        Some(row) => Some(format!("row {row} is not where or what it was")),
        None if old != new => Some(format!("{new} rows in place of {old}")),
        None => None,
    }
}
