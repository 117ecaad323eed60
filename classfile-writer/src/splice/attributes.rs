//! The attributes of the code: frames, lines, variables and type annotations are moved, the rest is copied.

use super::layout::Layout;
use super::map::Cursor;
use super::snapshot::Snapshots;
use super::{Context, frames};
use crate::attribute::Attribute;
use crate::bytes::{checked_u2, push_u2, put_u2};
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
    let mut cursor = cx.layout.map.cursor();
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
            b"LineNumberTable" => lines(&attribute, &mut cursor, length, out, info)?,
            b"LocalVariableTable" | b"LocalVariableTypeTable" => variables(&attribute, &mut cursor, length, out, info)?,
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                annotations(cx.layout, &attribute, &mut cursor, length, out, info)?;
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

fn lines(attribute: &Attribute<'_>, cursor: &mut Cursor<'_>, length: u32, out: &mut [u8], info: usize) -> Result<()> {
    for row in 0..usize::from(row_count(attribute, 4)?) {
        let start = u32::from(checked_u2(attribute.info, 2 + 4 * row)).min(length);
        put_u2(out, info + 2 + 4 * row, cursor.at(start).instruction as u16);
    }
    Ok(())
}

fn variables(
    attribute: &Attribute<'_>,
    cursor: &mut Cursor<'_>,
    length: u32,
    out: &mut [u8],
    info: usize,
) -> Result<()> {
    for row in 0..usize::from(row_count(attribute, 10)?) {
        let at = 2 + 10 * row;
        let start = u32::from(checked_u2(attribute.info, at));
        range(cursor, length, start, u32::from(checked_u2(attribute.info, at + 2)), out, info + at);
    }
    Ok(())
}

/// Overwrites a start position and a length.
fn range(cursor: &mut Cursor<'_>, code_length: u32, start: u32, length: u32, out: &mut [u8], at: usize) {
    let end = (start + length).min(code_length);
    let start = start.min(code_length);
    let (new_start, new_end) = (cursor.at(start).instruction, cursor.at(end).base);
    put_u2(out, at, new_start as u16);
    put_u2(out, at + 2, new_end.saturating_sub(new_start) as u16);
}

fn annotations(
    layout: &Layout,
    attribute: &Attribute<'_>,
    cursor: &mut Cursor<'_>,
    code_length: u32,
    out: &mut [u8],
    info: usize,
) -> Result<()> {
    code_targets(attribute, |found| match found {
        CodeTarget::Instruction { at, bci } => {
            put_u2(out, info + at, cursor.at(bci.0.min(code_length)).instruction as u16);
        }
        CodeTarget::LocalVariable { at, start, length } => range(cursor, code_length, start.0, length, out, info + at),
        CodeTarget::Catch { at, entry } => {
            if let Some(&moved) = layout.widening.moved_entries.get(usize::from(entry)) {
                put_u2(out, info + at, moved as u16);
            }
        }
    })
}
