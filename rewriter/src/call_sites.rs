//! Source lines and call sites of one method.

use crate::skips::{class_skip, text};
use classfile_writer::{Bci, ClassFile, Code, LineNumber, line_numbers, opcode};
use jfathom_plan::{CallSite, MethodKey, MethodLines, Skip};

/// The lines and call sites of the method with this name and descriptor. `None` if the class has
/// no such method, or the method has no code that can be read. Sites behind an undefined
/// instruction, and line tables that cannot be read, are left out.
///
/// # Errors
/// The class file is malformed or of an unknown version.
pub fn method_lines(
    bytes: &[u8],
    name: &str,
    descriptor: &str,
) -> Result<Option<MethodLines>, Skip> {
    let class = ClassFile::parse(bytes).map_err(|error| class_skip(bytes, &error))?;
    let method = class
        .methods()
        .find(|method| text(method.name) == name && text(method.descriptor) == descriptor);
    let Some(Ok(Some(code))) = method.map(|method| method.code()) else { return Ok(None) };
    let rows = line_rows(&code);
    let mut lines: Vec<u16> = rows.iter().map(|row| row.line).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut sites = Vec::new();
    for instruction in code.instructions().map_while(Result::ok) {
        if !(opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&instruction.opcode) {
            continue;
        }
        let names = instruction.pool_index().map(|ix| class.pool().member_names(ix));
        let Some(Ok(names)) = names else { continue };
        sites.push(CallSite {
            bci: instruction.bci.0,
            line: line_at(&rows, instruction.bci),
            target: MethodKey {
                class: text(names.class),
                name: text(names.name),
                descriptor: text(names.descriptor),
            },
        });
    }
    Ok(Some(MethodLines { lines, sites }))
}

/// A class's name, its superclass's name, and whether it is an interface. `None` if the class file
/// cannot be read.
pub fn superclass(bytes: &[u8]) -> Option<(String, Option<String>, bool)> {
    let class = ClassFile::parse(bytes).ok()?;
    let super_class = class.super_name().ok()?.map(text);
    Some((text(class.name().ok()?), super_class, class.access() & ACC_INTERFACE != 0))
}

/// JVMS 4.1.
const ACC_INTERFACE: u16 = 0x0200;

/// The lowest line in a method's LineNumberTables; it may have several.
pub(crate) fn first_line(code: &Code<'_>) -> Option<u16> {
    let tables = code.attributes().filter(|attribute| attribute.name == b"LineNumberTable");
    tables
        .filter_map(|table| line_numbers(code.class(), &table).ok()?.map(|row| row.line).min())
        .min()
}

/// The rows of all line tables by position; of rows for one position the last one counts. Tables
/// that cannot be read are left out.
pub(crate) fn line_rows(code: &Code<'_>) -> Vec<LineNumber> {
    let tables = code.attributes().filter(|attribute| attribute.name == b"LineNumberTable");
    let mut rows: Vec<LineNumber> =
        tables.filter_map(|table| line_numbers(code.class(), &table).ok()).flatten().collect();
    // Stable: rows of one position stay in the order of the tables.
    rows.sort_by_key(|row| row.start.0);
    rows
}

/// The line of a position; none if it is before all rows of [`line_rows`].
pub(crate) fn line_at(rows: &[LineNumber], bci: Bci) -> Option<u16> {
    let after = rows.partition_point(|row| row.start <= bci);
    after.checked_sub(1).and_then(|at| rows.get(at)).map(|row| row.line)
}
