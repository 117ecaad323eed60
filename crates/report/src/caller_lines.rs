//! Lines of a tree of callers by walked stacks, in which callers without a fork share one.

use crate::{chain::chain_label, table::Table};

/// Before the name of a frame without recorded calls.
const MARK: &str = "~ ";

/// Callers that stand on one line, each after the one that it calls.
#[derive(Debug, PartialEq)]
pub(crate) struct CallerLine<R> {
    /// By how many levels it is indented; from 1.
    pub indent: usize,
    /// The callers; at least one.
    pub callers: Vec<R>,
}

/// The lines of callers that are in the order of a tree. `depth` is the number of calls between a
/// caller and the method, from 1; `goes_on` says whether a caller stands on the line of the one
/// before it.
pub(crate) fn caller_lines<R>(
    rows: impl IntoIterator<Item = R>,
    depth: impl Fn(&R) -> u32,
    goes_on: impl Fn(&R, &R) -> bool,
) -> Vec<CallerLine<R>> {
    // By depth of a caller, the indentation of its line.
    let mut indents: Vec<usize> = vec![0];
    let mut lines: Vec<CallerLine<R>> = Vec::new();
    for row in rows {
        indents.truncate(depth(&row) as usize);
        let line = lines.last_mut();
        if let Some(line) =
            line.filter(|line| line.callers.last().is_some_and(|of| goes_on(of, &row)))
        {
            indents.push(line.indent);
            line.callers.push(row);
            continue;
        }
        let indent = indents.last().copied().unwrap_or(0) + 1;
        indents.push(indent);
        lines.push(CallerLine { indent, callers: vec![row] });
    }
    lines
}

/// Adds a line of callers with these names; a mark says that they have no recorded calls.
pub(crate) fn add_line(
    table: &mut Table<'_>,
    cells: Vec<String>,
    indent: usize,
    names: Vec<String>,
    is_recorded: bool,
) {
    let mark = if is_recorded { "" } else { MARK };
    table.row_of(cells, indent, move |width| {
        let room = width.map(|width| width.saturating_sub(mark.len()));
        format!("{mark}{}", chain_label(&names, room))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_without_a_fork_share_a_line() {
        let rows = [(1, 'a'), (2, 'a'), (3, 'b'), (4, 'b'), (2, 'c'), (1, 'd')];
        let lines =
            caller_lines(rows, |row| row.0, |one, other| other.0 == one.0 + 1 && other.1 == one.1);
        let found: Vec<_> = lines.iter().map(|line| (line.indent, line.callers.len())).collect();
        assert_eq!(found, [(1, 2), (2, 2), (2, 1), (1, 1)]);
    }
}
