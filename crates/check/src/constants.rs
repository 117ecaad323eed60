//! Constants, compared by what they say and not by where in the pool they lie.

use crate::finding::Fault;
use cafebabe::ClassFile;
use cafebabe::constant_pool::{
    BootstrapArgument, ConstantPoolItem, Dynamic, InvokeDynamic, LiteralConstant, Loadable,
    MemberRef, MethodHandle, NameAndType, ObjectArrayType,
};

pub(crate) fn same_literal(a: &LiteralConstant<'_>, b: &LiteralConstant<'_>) -> bool {
    use LiteralConstant as L;
    match (a, b) {
        (L::Integer(a), L::Integer(b)) => a == b,
        (L::Long(a), L::Long(b)) => a == b,
        // The payload of a NaN and the sign of a zero count.
        (L::Float(a), L::Float(b)) => a.to_bits() == b.to_bits(),
        (L::Double(a), L::Double(b)) => a.to_bits() == b.to_bits(),
        (L::String(a), L::String(b)) => a == b,
        (L::StringBytes(a), L::StringBytes(b)) => a == b,
        _ => false,
    }
}

pub(crate) fn same_name_and_type(a: &NameAndType<'_>, b: &NameAndType<'_>) -> bool {
    a.name == b.name && a.descriptor == b.descriptor
}

pub(crate) fn same_member(a: &MemberRef<'_>, b: &MemberRef<'_>) -> bool {
    a.class_name == b.class_name && same_name_and_type(&a.name_and_type, &b.name_and_type)
}

pub(crate) fn same_handle(a: &MethodHandle<'_>, b: &MethodHandle<'_>) -> bool {
    a.kind == b.kind
        && a.class_name == b.class_name
        && std::mem::discriminant(&a.member_kind) == std::mem::discriminant(&b.member_kind)
        && same_name_and_type(&a.member_ref, &b.member_ref)
}

fn same_dynamic(a: &Dynamic<'_>, b: &Dynamic<'_>) -> bool {
    a.attr_index == b.attr_index && same_name_and_type(&a.name_and_type, &b.name_and_type)
}

pub(crate) fn same_invoke_dynamic(a: &InvokeDynamic<'_>, b: &InvokeDynamic<'_>) -> bool {
    a.attr_index == b.attr_index && same_name_and_type(&a.name_and_type, &b.name_and_type)
}

pub(crate) fn same_loadable(a: &Loadable<'_>, b: &Loadable<'_>) -> bool {
    use Loadable as L;
    match (a, b) {
        (L::LiteralConstant(a), L::LiteralConstant(b)) => same_literal(a, b),
        (L::ClassInfo(a), L::ClassInfo(b)) | (L::MethodType(a), L::MethodType(b)) => a == b,
        (L::MethodHandle(a), L::MethodHandle(b)) => same_handle(a, b),
        (L::Dynamic(a), L::Dynamic(b)) => same_dynamic(a, b),
        _ => false,
    }
}

pub(crate) fn same_array_type(a: &ObjectArrayType<'_>, b: &ObjectArrayType<'_>) -> bool {
    use ObjectArrayType as T;
    match (a, b) {
        (T::ArrayType(a), T::ArrayType(b)) => a == b,
        (T::BinaryName(a), T::BinaryName(b)) => a == b,
        _ => false,
    }
}

pub(crate) fn same_argument(a: &BootstrapArgument<'_>, b: &BootstrapArgument<'_>) -> bool {
    use BootstrapArgument as A;
    match (a, b) {
        (A::LiteralConstant(a), A::LiteralConstant(b)) => same_literal(a, b),
        (A::ClassInfo(a), A::ClassInfo(b)) | (A::MethodType(a), A::MethodType(b)) => a == b,
        (A::MethodHandle(a), A::MethodHandle(b)) => same_handle(a, b),
        _ => false,
    }
}

fn same_item(a: &ConstantPoolItem<'_>, b: &ConstantPoolItem<'_>) -> bool {
    use ConstantPoolItem as C;
    match (a, b) {
        (C::LiteralConstant(a), C::LiteralConstant(b)) => same_literal(a, b),
        (C::FieldRef(a), C::FieldRef(b))
        | (C::MethodRef(a), C::MethodRef(b))
        | (C::InterfaceMethodRef(a), C::InterfaceMethodRef(b)) => same_member(a, b),
        (C::NameAndType(a), C::NameAndType(b)) => same_name_and_type(a, b),
        (C::MethodHandle(a), C::MethodHandle(b)) => same_handle(a, b),
        (C::Dynamic(a), C::Dynamic(b)) => same_dynamic(a, b),
        (C::InvokeDynamic(a), C::InvokeDynamic(b)) => same_invoke_dynamic(a, b),
        (C::ClassInfo(a), C::ClassInfo(b))
        | (C::MethodType(a), C::MethodType(b))
        | (C::ModuleInfo(a), C::ModuleInfo(b))
        | (C::PackageInfo(a), C::PackageInfo(b)) => a == b,
        _ => false,
    }
}

/// Compares the pools: that of the output begins with the original's, and what is new in it is what
/// probes need: ids, classes, and members of `runtime`, which is a class, so that a `Methodref` is
/// what names them.
///
/// Attributes that the reader does not know may name constants by number, and instructions do not
/// show whether they call a `Methodref` or an `InterfaceMethodref`: so the old constants must stay
/// where they are.
pub(crate) fn compare<'c>(
    before: &'c ClassFile<'c>,
    after: &'c ClassFile<'c>,
    runtime: &str,
) -> Result<(), Fault> {
    let mut news = after.constantpool_iter();
    for (old, number) in before.constantpool_iter().zip(1..) {
        if !news.next().is_some_and(|new| same_item(&old, &new)) {
            return Err(Fault::new(format!(
                "constant {number} of its pool, texts left out, is another"
            )));
        }
    }
    let is_needed = |item: &ConstantPoolItem<'_>| match item {
        ConstantPoolItem::MethodRef(member) | ConstantPoolItem::FieldRef(member) => {
            member.class_name == runtime
        }
        ConstantPoolItem::LiteralConstant(LiteralConstant::Integer(_))
        | ConstantPoolItem::ClassInfo(_)
        | ConstantPoolItem::NameAndType(_) => true,
        _ => false,
    };
    match news.find(|item| !is_needed(item)) {
        Some(item) => Err(Fault::new(format!("has a new constant that no probe needs: {item:?}"))),
        None => Ok(()),
    }
}
