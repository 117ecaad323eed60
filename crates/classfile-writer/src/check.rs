//! A check of every structure.

use crate::class::ClassFile;
use crate::code::Code;
use crate::error::Result;
use crate::frame::{FrameKind, Frames};
use crate::scan::Scan;
use crate::table::{line_numbers, local_variables};
use crate::type_annotation::code_targets;

/// Reads every structure that this crate knows, down to single frames and switch cases, and returns
/// the first damage.
///
/// It also checks what [`ClassFile::parse`] and the lazy views leave unchecked. It is no verifier:
/// it does not check types, access, or the meaning of other pool entries. Meant for tests, tools
/// and fuzzing.
pub fn check(bytes: &[u8]) -> Result<()> {
    let class = ClassFile::parse(bytes)?;
    class.name()?;
    class.super_name()?;
    for interface in class.interfaces() {
        class.pool().class_name(interface)?;
    }
    let mut scan = Scan::new();
    for method in class.methods() {
        if let Some(code) = method.code()? {
            scan.run(&code, method.name == b"<init>")?;
            check_code(&code)?;
        }
    }
    Ok(())
}

fn check_code(code: &Code<'_>) -> Result<()> {
    let (class, mut cases) = (code.class(), 0u64);
    for instruction in code.instructions() {
        let instruction = instruction?;
        cases += instruction.switch().map_or(0, |switch| switch.cases().map(|_| 1).sum());
    }
    debug_assert!(cases <= code.bytes().len() as u64);
    for attribute in code.attributes() {
        match attribute.name {
            b"LineNumberTable" => line_numbers(class, &attribute)?.for_each(drop),
            b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                local_variables(class, &attribute)?.for_each(drop)
            }
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                code_targets(&attribute, |_| ())?
            }
            _ => {}
        }
    }
    if let Some(table) = code.stack_map_table()? {
        check_frames(table.frames())?;
    }
    if let Some(table) = code.cldc_stack_map()? {
        check_frames(table.frames())?;
    }
    Ok(())
}

fn check_frames(frames: Frames<'_>) -> Result<()> {
    for frame in frames {
        match frame?.kind {
            FrameKind::Same | FrameKind::SameLocalsOneStack(_) | FrameKind::Chop(_) => {}
            FrameKind::Append(types) => types.for_each(drop),
            FrameKind::Full { locals, stack } => locals.chain(stack).for_each(drop),
        }
    }
    Ok(())
}
