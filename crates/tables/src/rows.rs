//! The rows of a table.

use crate::cells::Cells;
use std::ops::Range;

/// The rows of one profile in a table, in the order in which they are written.
pub(crate) trait Rows {
    /// The number of rows.
    fn len(&self) -> usize;
    /// The columns of some rows, in the order of the schema.
    fn columns(&self, rows: Range<usize>) -> Vec<Cells>;
}
