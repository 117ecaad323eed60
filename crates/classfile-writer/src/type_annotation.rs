//! Positions in the code that type annotations have (JVMS §4.7.20).

use crate::attribute::Attribute;
use crate::bci::Bci;
use crate::bytes::{u1, u2};
use crate::error::{Error, ErrorKind, Result};

/// Bound on the nesting of annotations.
const MAX_NESTING: u32 = 64;

/// The part of a type annotation that depends on the code (`target_info`, JVMS §4.7.20.1). Offsets
/// count from the start of the attribute's content. A splice overwrites the bytes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeTarget {
    /// `localvar_target`: one row, a range of code in which a variable has its value.
    LocalVariable {
        /// Offset of the row's `start_pc`, which is followed by its `length`.
        at: usize,
        /// First position.
        start: Bci,
        /// Bytes of code.
        length: u32,
    },
    /// `catch_target`: an index into the exception table.
    Catch {
        /// Offset of the index.
        at: usize,
        /// The index.
        entry: u16,
    },
    /// `offset_target` and `type_argument_target`: an instruction.
    Instruction {
        /// Offset of the position.
        at: usize,
        /// The position.
        bci: Bci,
    },
}

/// Calls `found` for every code position in a `RuntimeVisibleTypeAnnotations` or
/// `RuntimeInvisibleTypeAnnotations`.
///
/// Fails if the attribute does not parse; positions found before that have been reported.
pub fn code_targets(attribute: &Attribute<'_>, mut found: impl FnMut(CodeTarget)) -> Result<()> {
    let info = attribute.info;
    let place = |error: Error| Error::new(error.kind(), attribute.start + 6 + error.offset());
    let mut at = 2;
    for _ in 0..u2(info, 0).map_err(place)? {
        at = annotation(info, at, &mut found).map_err(place)?;
    }
    if at == info.len() {
        Ok(())
    } else {
        Err(Error::new(ErrorKind::BadAttributeLength, attribute.start))
    }
}

fn annotation(info: &[u8], at: usize, found: &mut impl FnMut(CodeTarget)) -> Result<usize> {
    let target_type = u1(info, at)?;
    let at = at + 1;
    let bci = |at| u2(info, at).map(|bci| Bci(u32::from(bci)));
    let at = match target_type {
        0x00 | 0x01 | 0x16 => at + 1,
        0x10..=0x12 | 0x17 => at + 2,
        0x13..=0x15 => at,
        0x40 | 0x41 => {
            let rows = u2(info, at)?;
            let mut at = at + 2;
            for _ in 0..rows {
                let (start, length) = (bci(at)?, u32::from(u2(info, at + 2)?));
                found(CodeTarget::LocalVariable { at, start, length });
                at += 6;
            }
            at
        }
        0x42 => {
            found(CodeTarget::Catch { at, entry: u2(info, at)? });
            at + 2
        }
        0x43..=0x46 => {
            found(CodeTarget::Instruction { at, bci: bci(at)? });
            at + 2
        }
        0x47..=0x4b => {
            found(CodeTarget::Instruction { at, bci: bci(at)? });
            at + 3
        }
        other => return Err(Error::new(ErrorKind::BadTypeAnnotation(other), at - 1)),
    };
    let path_length = u1(info, at)?;
    skip_pairs(info, at + 1 + 2 * usize::from(path_length), target_type, 0)
}

/// Skips `type_index` and the element-value pairs of an annotation (JVMS §4.7.16).
fn skip_pairs(info: &[u8], at: usize, target_type: u8, depth: u32) -> Result<usize> {
    let pairs = u2(info, at + 2)?;
    let mut at = at + 4;
    for _ in 0..pairs {
        at = skip_value(info, at + 2, target_type, depth)?;
    }
    Ok(at)
}

fn skip_value(info: &[u8], at: usize, target_type: u8, depth: u32) -> Result<usize> {
    if depth > MAX_NESTING {
        return Err(Error::new(ErrorKind::BadTypeAnnotation(target_type), at));
    }
    match u1(info, at)? {
        b'e' => Ok(at + 5),
        b'@' => skip_pairs(info, at + 1, target_type, depth + 1),
        b'[' => {
            let values = u2(info, at + 1)?;
            let mut at = at + 3;
            for _ in 0..values {
                at = skip_value(info, at, target_type, depth + 1)?;
            }
            Ok(at)
        }
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => Ok(at + 3),
        _ => Err(Error::new(ErrorKind::BadTypeAnnotation(target_type), at)),
    }
}
