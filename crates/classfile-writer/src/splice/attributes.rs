//! The attributes of the code. Frames, lines, variables and type annotations move, all others are
//! copied.

use super::context::Context;
use super::frames;
use super::layout::Layout;
use super::map::Positions;
use super::snapshot::Snapshots;
use crate::attribute::Attribute;
use crate::bytes::{push_u2, put_u2};
use crate::error::{Error, ErrorKind, Result};
use crate::table::row_count;
use crate::tail::PoolTail;
use crate::type_annotation::{CodeTarget, code_targets};

/// Appends the attribute table with all positions moved. A new `StackMapTable` comes last.
pub(super) fn write(
    cx: &Context<'_, '_>,
    snapshots: &mut Snapshots,
    pool: &mut PoolTail<'_>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let file = cx.code.class().bytes();
    let length = cx.code.bytes().len() as u32;
    let count_at = out.len();
    push_u2(out, 0);
    let mut count = 0;
    let positions = cx.layout.map.positions();
    for attribute in cx.code.attributes() {
        match attribute.name {
            b"StackMapTable" => {
                count += frames::stack_map_table(cx, Some(&attribute), snapshots, pool, out)?;
                continue;
            }
            b"StackMap" => {
                count += frames::cldc_stack_map(cx, &attribute, out)?;
                continue;
            }
            _ => {}
        }
        let info = out.len() + 6;
        out.extend_from_slice(file.get(attribute.range()).unwrap_or_default());
        count += 1;
        match attribute.name {
            b"LineNumberTable" => lines(&attribute, positions, length, out, info)?,
            b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                variables(&attribute, positions, length, out, info)?
            }
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                annotations(cx.layout, &attribute, positions, length, out, info)?;
            }
            _ => {}
        }
    }
    if cx.tables.stack_map.is_none() {
        count += frames::stack_map_table(cx, None, snapshots, pool, out)?;
    }
    let Ok(count) = u16::try_from(count) else {
        return Err(Error::new(ErrorKind::TooManyAttributes, cx.code.range().start));
    };
    put_u2(out, count_at, count);
    Ok(())
}

fn lines(
    attribute: &Attribute<'_>,
    positions: Positions<'_>,
    length: u32,
    out: &mut [u8],
    info: usize,
) -> Result<()> {
    row_count(attribute, 4)?;
    let (rows, _) = out.get_mut(info + 2..).unwrap_or_default().as_chunks_mut::<4>();
    for [high, low, ..] in rows {
        let start = u32::from(u16::from_be_bytes([*high, *low]));
        if start <= length {
            [*high, *low] = (positions.at(start).instruction as u16).to_be_bytes();
        }
    }
    Ok(())
}

fn variables(
    attribute: &Attribute<'_>,
    positions: Positions<'_>,
    length: u32,
    out: &mut [u8],
    info: usize,
) -> Result<()> {
    row_count(attribute, 10)?;
    let (rows, _) = out.get_mut(info + 2..).unwrap_or_default().as_chunks_mut::<10>();
    for [a, b, c, d, ..] in rows {
        let range = [u16::from_be_bytes([*a, *b]), u16::from_be_bytes([*c, *d])];
        let [start, length] = moved_range(positions, length, range);
        [*a, *b] = start.to_be_bytes();
        [*c, *d] = length.to_be_bytes();
    }
    Ok(())
}

/// Start and length in the new code. A range that leaves the code stays unchanged: the JVM must
/// still reject the class.
#[inline]
fn moved_range(positions: Positions<'_>, code_length: u32, [start, length]: [u16; 2]) -> [u16; 2] {
    let end = u32::from(start) + u32::from(length);
    if end > code_length {
        return [start, length];
    }
    let new_start = positions.at(u32::from(start)).instruction;
    let new_end = positions.at(end).base;
    [new_start as u16, new_end.saturating_sub(new_start) as u16]
}

fn annotations(
    layout: &Layout,
    attribute: &Attribute<'_>,
    positions: Positions<'_>,
    code_length: u32,
    out: &mut [u8],
    info: usize,
) -> Result<()> {
    code_targets(attribute, |found| match found {
        CodeTarget::Instruction { at, bci } if bci.0 <= code_length => {
            put_u2(out, info + at, positions.at(bci.0).instruction as u16);
        }
        CodeTarget::Instruction { .. } => {}
        CodeTarget::LocalVariable { at, start, length } => {
            let [start, length] =
                moved_range(positions, code_length, [start.0 as u16, length as u16]);
            put_u2(out, info + at, start);
            put_u2(out, info + at + 2, length);
        }
        CodeTarget::Catch { at, entry } => {
            if let Some(&moved) = layout.widening.moved_entries.get(usize::from(entry)) {
                put_u2(out, info + at, moved as u16);
            }
        }
    })
}
