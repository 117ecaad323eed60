//! A column of a tree: a number for each node, in four bytes where it fits.

use std::ops::Range;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::{Serialize, Serializer};

/// Numbers by row, zero behind them. One below `u32::MAX` takes four bytes. A larger one takes 16
/// more and a search: few nodes of a large tree have such a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedNumbers {
    /// [`WIDE`] for a number in `wide`.
    narrow: Vec<u32>,
    /// Row and number, in the order of the rows.
    wide: Vec<(u32, u64)>,
}

const WIDE: u32 = u32::MAX;

impl PackedNumbers {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.narrow.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.narrow.is_empty()
    }

    /// Adds a row at the end.
    pub fn push(&mut self, number: u64) {
        let narrow = narrow(number);
        if narrow == WIDE {
            self.wide.push((self.narrow.len() as u32, number));
        }
        self.narrow.push(narrow);
    }

    /// The number of a row, if the column is so long.
    #[inline]
    pub fn get(&self, row: usize) -> Option<u64> {
        match *self.narrow.get(row)? {
            WIDE => Some(self.wide(row)),
            narrow => Some(u64::from(narrow)),
        }
    }

    #[cold]
    fn wide(&self, row: usize) -> u64 {
        let found = self.wide.binary_search_by_key(&row, |(row, _)| *row as usize);
        found.ok().and_then(|at| self.wide.get(at)).map_or(0, |(_, number)| *number)
    }

    /// The numbers in the order of the rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        (0..self.narrow.len()).map(|row| self.get(row).unwrap_or_default())
    }

    /// Whether all numbers are zero.
    pub fn is_zero(&self) -> bool {
        self.narrow.iter().all(|number| *number == 0)
    }

    /// Adds some rows of another column at the end.
    pub fn copy_rows(&mut self, other: &Self, rows: Range<usize>) {
        let before = self.narrow.len();
        let first = other.wide.partition_point(|(row, _)| (*row as usize) < rows.start);
        let wide = other.wide[first..].iter().take_while(|(row, _)| (*row as usize) < rows.end);
        self.wide.extend(
            wide.map(|(row, number)| ((*row as usize - rows.start + before) as u32, *number)),
        );
        self.narrow.extend_from_slice(&other.narrow[rows]);
    }

    /// Adds rows of zero until there are so many rows.
    pub fn extend_to(&mut self, rows: usize) {
        self.narrow.resize(rows.max(self.narrow.len()), 0);
    }

    /// A column of so many rows. `fill` gives the numbers of rows to the function that it gets, in
    /// any order and each row once at most. The others are zero.
    pub fn filled(rows: usize, fill: impl FnOnce(&mut dyn FnMut(usize, u64))) -> Self {
        let mut column = Self { narrow: vec![0; rows], wide: Vec::new() };
        fill(&mut |row, number| {
            let narrow = narrow(number);
            if narrow == WIDE {
                column.wide.push((row as u32, number));
            }
            column.narrow[row] = narrow;
        });
        column.wide.sort_unstable();
        column
    }
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(WIDE)
}

impl FromIterator<u64> for PackedNumbers {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let numbers = numbers.into_iter();
        let mut column = Self::default();
        numbers.for_each(|number| column.push(number));
        column
    }
}

impl Serialize for PackedNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for PackedNumbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Numbers;
        impl<'de> Visitor<'de> for Numbers {
            type Value = PackedNumbers;

            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("numbers by row")
            }

            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut numbers: A,
            ) -> Result<PackedNumbers, A::Error> {
                let mut column = PackedNumbers::default();
                while let Some(number) = numbers.next_element()? {
                    if u32::try_from(column.len()).is_err() {
                        return Err(serde::de::Error::custom("a column of 2^32 rows"));
                    }
                    column.push(number);
                }
                Ok(column)
            }
        }
        deserializer.deserialize_seq(Numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers around the bound, and far from it.
    fn numbers() -> Vec<u64> {
        let bound = u64::from(u32::MAX);
        let mut numbers = vec![0, 1, bound - 1, bound, bound + 1, u64::MAX, 7];
        numbers.extend((0..100).map(|at| at * at * at * 0x1234_5678));
        numbers
    }

    #[test]
    fn a_column_has_the_numbers_that_it_was_given() {
        let column: PackedNumbers = numbers().into_iter().collect();
        assert_eq!(column.iter().collect::<Vec<_>>(), numbers());
        assert_eq!((column.len(), column.get(column.len())), (numbers().len(), None));
        let backwards = PackedNumbers::filled(numbers().len() + 1, |set| {
            numbers().into_iter().enumerate().rev().for_each(|(row, number)| set(row, number));
        });
        let zero_behind = numbers().into_iter().chain([0]);
        assert_eq!(backwards, zero_behind.collect());
    }

    #[test]
    fn columns_follow_each_other() {
        let mut column: PackedNumbers = numbers().into_iter().collect();
        column.copy_rows(&column.clone(), 0..column.len());
        column.extend_to(column.len() + 2);
        let expected = numbers().into_iter().chain(numbers()).chain([0, 0]);
        let expected: Vec<u64> = expected.collect();
        assert_eq!(column.iter().collect::<Vec<_>>(), expected);
        let mut some: PackedNumbers = [9].into_iter().collect();
        some.copy_rows(&column, 3..110);
        assert_eq!(some.iter().skip(1).collect::<Vec<_>>(), expected[3..110]);
        assert!(!column.is_zero() && PackedNumbers::filled(3, |_| {}).is_zero());
    }

    #[test]
    fn a_column_is_stored_as_the_list_of_its_numbers() {
        let column: PackedNumbers = numbers().into_iter().collect();
        let bytes = postcard::to_stdvec(&column).unwrap();
        assert_eq!(bytes, postcard::to_stdvec(&numbers()).unwrap());
        assert_eq!(postcard::from_bytes::<PackedNumbers>(&bytes).unwrap(), column);
    }
}
