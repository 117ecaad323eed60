//! Which methods Kotlin's coroutines enter again: suspend functions with a state machine, and the
//! `invokeSuspend` methods of their continuations and of suspend lambdas.
//!
//! Where a coroutine suspends, such a method returns. Where it resumes, the method is called again,
//! and jumps to where it left off. So a method's calls include its resumptions.

use classfile_writer::{ClassFile, Code, ConstantPool, Instruction, Member, PoolIx, opcode};

/// Where the superclasses of all continuations and suspend lambdas are.
const CONTINUATIONS: &[u8] = b"kotlin/coroutines/jvm/internal/";
/// How the descriptors of suspend functions end.
const SUSPEND: &[u8] = b"Lkotlin/coroutines/Continuation;)Ljava/lang/Object;";
/// The sign bit of a continuation's label, which is set while the continuation resumes.
const RESUMES: i32 = i32::MIN;

/// Whether a method is entered again where a coroutine resumes it. By the code that `kotlinc`
/// writes: other methods that take a `Continuation` only pass it on.
pub(crate) fn is_resumable(class: &ClassFile<'_>, method: &Member<'_>, code: &Code<'_>) -> bool {
    if method.descriptor.ends_with(SUSPEND) {
        return tests_for_resumption(class.pool(), code);
    }
    (method.name, method.descriptor)
        == (b"invokeSuspend", b"(Ljava/lang/Object;)Ljava/lang/Object;")
        && class.super_name().ok().flatten().is_some_and(|name| name.starts_with(CONTINUATIONS))
        && resumes_itself(class.pool(), code)
}

/// Whether code tests the label of a continuation of its own for [`RESUMES`]: `instanceof C`, and
/// later `getfield C.label`, `ldc`, `iand`.
fn tests_for_resumption(pool: &ConstantPool<'_>, code: &Code<'_>) -> bool {
    let mut tested: Option<&[u8]> = None;
    let mut before: [Option<Instruction<'_>>; 2] = [None, None];
    for instruction in code.instructions().map_while(Result::ok) {
        match instruction.opcode {
            opcode::INSTANCEOF => tested = class_name(pool, &instruction),
            opcode::IAND if before[1].is_some_and(|constant| is_flag(pool, &constant)) => {
                let label = before[0].and_then(|load| label_owner(pool, &load));
                if label.is_some() && label == tested {
                    return true;
                }
            }
            _ => {}
        }
        before = [before[1], Some(instruction)];
    }
    false
}

/// Whether `invokeSuspend` chooses by its label where to go on, or marks the label for the function
/// that it resumes. A lambda without a place to suspend at has one way to go.
fn resumes_itself(pool: &ConstantPool<'_>, code: &Code<'_>) -> bool {
    let mut has_label = false;
    for instruction in code.instructions().map_while(Result::ok) {
        let next_has_label = label_owner(pool, &instruction).is_some();
        if has_label && (is_flag(pool, &instruction) || is_choice(&instruction)) {
            return true;
        }
        has_label = next_has_label;
    }
    false
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
