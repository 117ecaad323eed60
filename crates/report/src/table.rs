//! Tables: right-aligned columns, then a name that may be shortened.

use crate::number::is_narrow;
use jfathom_views::fit;
use std::io::{self, Write};

/// A table under construction.
pub(crate) struct Table<'a> {
    rows: Vec<Row<'a>>,
}

struct Row<'a> {
    cells: Vec<String>,
    indent: usize,
    name: Name<'a>,
}

impl Row<'_> {
    /// Whether it only keeps others apart.
    fn is_blank(&self) -> bool {
        let has_name = !matches!(&self.name, Name::Plain(name) if name.is_empty());
        !has_name && self.cells.iter().all(String::is_empty)
    }
}

/// The name of a row.
enum Name<'a> {
    /// Shortened where it is too long.
    Plain(String),
    /// Made for the columns that are left; of any length if no number is given.
    Fitted(Box<dyn Fn(Option<usize>) -> String + 'a>),
}

/// Levels of a tree that are indented in full; a deeper one says its depth instead, so that names
/// stay readable.
const INDENTED: usize = 30;

/// Columns that a name has at least.
const MIN_NAME: usize = 24;

impl<'a> Table<'a> {
    /// A table with these column titles and a title for the names.
    pub(crate) fn new(titles: &[&str], name: &str) -> Self {
        let cells = titles.iter().map(|&title| title.to_owned()).collect();
        Self { rows: vec![Row { cells, indent: 0, name: Name::Plain(name.to_owned()) }] }
    }

    /// Adds a row whose name is indented by `indent` levels.
    pub(crate) fn row(&mut self, cells: Vec<String>, indent: usize, name: String) {
        self.rows.push(Row { cells, indent, name: Name::Plain(name) });
    }

    /// Adds a row whose name is made for the columns that are left.
    pub(crate) fn row_of(
        &mut self,
        cells: Vec<String>,
        indent: usize,
        name: impl Fn(Option<usize>) -> String + 'a,
    ) {
        self.rows.push(Row { cells, indent, name: Name::Fitted(Box::new(name)) });
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
            if row.is_blank() {
                writeln!(out)?;
                continue;
            }
            for (i, (cell, width)) in row.cells.iter().zip(&widths).enumerate() {
                let gap = if i == 0 { "" } else { "  " };
                write!(out, "{gap}{cell:>width$}")?;
            }
            let step = if width.is_some_and(is_narrow) { " " } else { "  " };
            let indent = match row.indent {
                level @ ..=INDENTED => step.repeat(level),
                level => format!("{}[{level}] ", step.repeat(INDENTED)),
            };
            // A name keeps 24 columns even where that makes a long line.
            let room = width
                .map(|width| width.saturating_sub(taken + indent.chars().count()).max(MIN_NAME));
            let name = match (&row.name, room) {
                (Name::Plain(name), Some(room)) => fit(name, room),
                (Name::Plain(name), None) => name.clone(),
                (Name::Fitted(name), room) => name(room),
            };
            writeln!(out, "  {indent}{name}")?;
        }
        Ok(())
    }
}
