//! The rows of a table, and the cells of a column in some of them, as Parquet writes them.

use jfathom_plan::printable;
use parquet::{
    data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type},
    errors::Result,
    file::writer::SerializedColumnWriter,
};
use std::ops::Range;

/// The cells of one column of the file. A cell without a value is NULL.
#[derive(Debug)]
pub(crate) enum Cells {
    Bool(Leaf<bool>),
    Int32(Leaf<i32>),
    Int64(Leaf<i64>),
    Text(Leaf<ByteArray>),
}

/// Values, and the levels that say where they stand (the format's definition and repetition
/// levels); none where each row has one value.
#[derive(Debug)]
pub(crate) struct Leaf<T> {
    values: Vec<T>,
    defined: Option<Vec<i16>>,
    repeated: Option<Vec<i16>>,
}

impl<T> Leaf<T> {
    fn required(values: Vec<T>) -> Self {
        Self { values, defined: None, repeated: None }
    }

    fn optional(cells: impl Iterator<Item = Option<T>>) -> Self {
        let (mut values, mut defined) = (Vec::new(), Vec::new());
        for cell in cells {
            defined.push(i16::from(cell.is_some()));
            values.extend(cell);
        }
        Self { values, defined: Some(defined), repeated: None }
    }
}

impl Cells {
    pub fn bools(values: impl Iterator<Item = bool>) -> Self {
        Self::Bool(Leaf::required(values.collect()))
    }

    pub fn int32s(values: impl Iterator<Item = i32>) -> Self {
        Self::Int32(Leaf::required(values.collect()))
    }

    pub fn optional_int32s(values: impl Iterator<Item = Option<i32>>) -> Self {
        Self::Int32(Leaf::optional(values))
    }

    pub fn int64s(values: impl Iterator<Item = i64>) -> Self {
        Self::Int64(Leaf::required(values.collect()))
    }

    pub fn optional_int64s(values: impl Iterator<Item = Option<i64>>) -> Self {
        Self::Int64(Leaf::optional(values))
    }

    /// Texts, their unprintable characters escaped.
    pub fn texts<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        Self::Text(Leaf::required(values.map(bytes).collect()))
    }

    pub fn optional_texts<'a>(values: impl Iterator<Item = Option<&'a str>>) -> Self {
        Self::Text(Leaf::optional(values.map(|value| value.map(bytes))))
    }

    /// The texts of a list in a single row; of a map, its keys or its values.
    pub fn list<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let values: Vec<ByteArray> = values.map(bytes).collect();
        let rows = values.len().max(1);
        let defined = vec![i16::from(!values.is_empty()); rows];
        let mut repeated = vec![1; rows];
        repeated[0] = 0;
        Self::Text(Leaf { values, defined: Some(defined), repeated: Some(repeated) })
    }

    pub fn write(&self, to: &mut SerializedColumnWriter<'_>) -> Result<()> {
        match self {
            Self::Bool(leaf) => leaf.write::<BoolType>(to),
            Self::Int32(leaf) => leaf.write::<Int32Type>(to),
            Self::Int64(leaf) => leaf.write::<Int64Type>(to),
            Self::Text(leaf) => leaf.write::<ByteArrayType>(to),
        }
    }
}

impl<T> Leaf<T> {
    fn write<D: DataType<T = T>>(&self, to: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let levels = [self.defined.as_deref(), self.repeated.as_deref()];
        to.typed::<D>().write_batch(&self.values, levels[0], levels[1])?;
        Ok(())
    }
}

fn bytes(text: &str) -> ByteArray {
    ByteArray::from(printable(text).as_bytes().to_vec())
}

/// The rows of one profile in a table, in the order in which they are written.
pub(crate) trait Rows {
    /// The number of rows.
    fn len(&self) -> usize;
    /// The columns of some rows, in the order of the schema.
    fn columns(&self, rows: Range<usize>) -> Vec<Cells>;
}
