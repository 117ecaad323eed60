//! Attributes that say nothing of code: each must be there, in its place, and say what it said.

use crate::constants::{same_argument, same_handle, same_literal};
use crate::finding::Fault;
use cafebabe::attributes::{AttributeData, AttributeInfo};
use std::fmt::Debug;

/// Whether two values of the reader say the same. Its types can be shown, and few of them compared.
pub(crate) fn same_text(old: &impl Debug, new: &impl Debug) -> bool {
    format!("{old:?}") == format!("{new:?}")
}

/// Whether two attributes say the same; code and its tables are compared elsewhere.
pub(crate) fn same(old: &AttributeData<'_>, new: &AttributeData<'_>) -> bool {
    use AttributeData as A;
    match (old, new) {
        (A::Signature(old), A::Signature(new))
        | (A::SourceFile(old), A::SourceFile(new))
        | (A::NestHost(old), A::NestHost(new))
        | (A::SourceDebugExtension(old), A::SourceDebugExtension(new)) => old == new,
        (A::Exceptions(old), A::Exceptions(new))
        | (A::NestMembers(old), A::NestMembers(new))
        | (A::PermittedSubclasses(old), A::PermittedSubclasses(new)) => old == new,
        (A::Other(old), A::Other(new)) => old == new,
        (A::ConstantValue(old), A::ConstantValue(new)) => same_literal(old, new),
        (A::BootstrapMethods(old), A::BootstrapMethods(new)) => {
            old.len() == new.len()
                && old.iter().zip(new).all(|(old, new)| {
                    same_handle(&old.method, &new.method)
                        && old.arguments.len() == new.arguments.len()
                        && old
                            .arguments
                            .iter()
                            .zip(&new.arguments)
                            .all(|(old, new)| same_argument(old, new))
                })
        }
        (old, new) => same_text(old, new),
    }
}

/// Compares the attributes of a class, field or method; code is left to others.
pub(crate) fn compare(old: &[AttributeInfo<'_>], new: &[AttributeInfo<'_>]) -> Result<(), Fault> {
    let mut rest = new.iter();
    for old in old {
        let Some(new) = rest.next().filter(|new| new.name == old.name) else {
            return Err(Fault::new(format!("has lost its {}, or has it elsewhere", old.name)));
        };
        let is_code =
            matches!((&old.data, &new.data), (AttributeData::Code(_), AttributeData::Code(_)));
        if !is_code && !same(&old.data, &new.data) {
            return Err(Fault::new(format!("{}: another content", old.name)));
        }
    }
    match rest.next() {
        Some(new) => Err(Fault::new(format!("has got a {}", new.name))),
        None => Ok(()),
    }
}
