//! Which methods Kotlin's coroutines enter again: suspend functions with a state machine, and the
//! `invokeSuspend` methods of lambdas that suspend.
//!
//! Where a coroutine suspends, such a method returns. Where it resumes, the method is called again,
//! and a switch over the label of its continuation jumps to where it left off. The label is 0 where
//! the method begins. So a method's calls include its resumptions, and the switch tells them apart.

use classfile_writer::{
    Bci, ClassFile, Code, ConstantPool, Instruction, Member, PoolIx, mutf8, opcode,
};

/// Where the superclasses of all continuations and suspend lambdas are.
const CONTINUATIONS: &[u8] = b"kotlin/coroutines/jvm/internal/";
/// How the descriptors of suspend functions end.
const SUSPEND: &[u8] = b"Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";
/// The method of a suspend lambda.
const LAMBDA: (&[u8], &[u8]) = (b"invokeSuspend", b"(Ljava/lang/Object;)Ljava/lang/Object;");
/// The sign bit of a continuation's label, which is set while the continuation resumes.
const RESUMES: i32 = i32::MIN;

/// Whether a method of this name and descriptor may be one that coroutines enter again.
pub fn may_resume(name: &str, descriptor: &str) -> bool {
    may_be_resumed(&mutf8::encode(name), &mutf8::encode(descriptor))
}

fn may_be_resumed(name: &[u8], descriptor: &[u8]) -> bool {
    descriptor.ends_with(SUSPEND) || (name, descriptor) == LAMBDA
}

/// The switch over the label of a method that is entered again where a coroutine resumes it. By the
/// code that `kotlinc` writes: other methods that take a `Continuation` only pass it on, and
/// `invokeSuspend` of a function's continuation calls the function.
pub(crate) fn label_switch(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
) -> Option<Bci> {
    if !may_be_resumed(method.name, method.descriptor) {
        return None;
    }
    let pool = class.pool();
    if method.descriptor.ends_with(SUSPEND) {
        return switch_over(pool, code, tested_continuation(pool, code)?);
    }
    let is_lambda = class.super_name().ok().flatten()?.starts_with(CONTINUATIONS);
    if is_lambda { switch_over(pool, code, class.name().ok()?) } else { None }
}

/// The class of the continuation of its own whose label code tests for [`RESUMES`]: `instanceof C`,
/// and later `getfield C.label`, `ldc`, `iand`.
fn tested_continuation<'c>(pool: &ConstantPool<'c>, code: &Code<'_>) -> Option<&'c [u8]> {
    let mut tested: Option<&[u8]> = None;
    let mut before: [Option<Instruction<'_>>; 2] = [None, None];
    for instruction in code.instructions().map_while(Result::ok) {
        match instruction.opcode {
            opcode::INSTANCEOF => tested = class_name(pool, &instruction),
            opcode::IAND if before[1].is_some_and(|constant| is_flag(pool, &constant)) => {
                let label = before[0].and_then(|load| label_owner(pool, &load));
                if label.is_some() && label == tested {
                    return label;
                }
            }
            _ => {}
        }
        before = [before[1], Some(instruction)];
    }
    None
}

/// The first switch over `label` of this class that has several ways to go: a lambda without a
/// place to suspend at has one.
fn switch_over(pool: &ConstantPool<'_>, code: &Code<'_>, owner: &[u8]) -> Option<Bci> {
    let mut has_label = false;
    for instruction in code.instructions().map_while(Result::ok) {
        if has_label && is_choice(&instruction) {
            return Some(instruction.bci);
        }
        has_label = label_owner(pool, &instruction) == Some(owner);
    }
    None
}

fn is_choice(instruction: &Instruction<'_>) -> bool {
    instruction.switch().is_some_and(|switch| switch.case_count() > 1)
}

fn class_name<'c>(pool: &ConstantPool<'c>, instruction: &Instruction<'_>) -> Option<&'c [u8]> {
    pool.class_name(instruction.pool_index()?).ok()
}

/// The class whose `label` is read, if one is.
fn label_owner<'c>(pool: &ConstantPool<'c>, instruction: &Instruction<'_>) -> Option<&'c [u8]> {
    if instruction.opcode != opcode::GETFIELD {
        return None;
    }
    let field = pool.member_names(instruction.pool_index()?).ok()?;
    (field.name == b"label" && field.descriptor == b"I").then_some(field.class)
}

fn is_flag(pool: &ConstantPool<'_>, instruction: &Instruction<'_>) -> bool {
    let is_constant = matches!(instruction.opcode, opcode::LDC | opcode::LDC_W);
    let of = |ix: PoolIx| pool.integer(ix).is_ok_and(|value| value == RESUMES);
    is_constant && instruction.pool_index().is_some_and(of)
}
