//! Tables: right-aligned columns, then a name that may be shortened.

use jfathom_views::fit;
use std::io::{self, Write};

/// A table under construction.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    cells: Vec<String>,
    indent: usize,
    name: String,
}

/// Levels of a tree that are indented in full; a deeper one says its depth instead, so that names
/// stay readable.
const INDENTED: usize = 30;

impl Table {
    /// A table with these column titles and a title for the names.
    pub(crate) fn new(titles: &[&str], name: &str) -> Self {
        let cells = titles.iter().map(|&title| title.to_owned()).collect();
        Self { rows: vec![Row { cells, indent: 0, name: name.to_owned() }] }
    }

    /// Adds a row whose name is indented by `indent` levels.
    pub(crate) fn row(&mut self, cells: Vec<String>, indent: usize, name: String) {
        self.rows.push(Row { cells, indent, name });
    }

    /// Writes the table; names are shortened to fit into `width` columns where one is given.
    pub(crate) fn write(&self, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows.first().map_or(0, |row| row.cells.len());
        let cell_width = |i: usize| {
            self.rows.iter().filter_map(|row| Some(row.cells.get(i)?.chars().count())).max()
        };
        let widths: Vec<usize> = (0..columns).map(|i| cell_width(i).unwrap_or(0)).collect();
        let taken: usize = widths.iter().map(|width| width + 2).sum();
        for row in &self.rows {
            for (i, (cell, width)) in row.cells.iter().zip(&widths).enumerate() {
                let gap = if i == 0 { "" } else { "  " };
                write!(out, "{gap}{cell:>width$}")?;
            }
            let indent = match row.indent {
                level @ ..=INDENTED => "  ".repeat(level),
                level => format!("{}[{level}] ", "  ".repeat(INDENTED)),
            };
            let name = match width {
                // A name keeps 24 columns even where that makes a long line.
                Some(width) => {
                    fit(&row.name, width.saturating_sub(taken + indent.chars().count()).max(24))
                }
                None => row.name.clone(),
            };
            writeln!(out, "  {indent}{name}")?;
        }
        Ok(())
    }
}
