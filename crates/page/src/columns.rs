//! Columns of numbers: one after another, each found by name.

use serde_json::{Map, Value, json};

/// Columns that are written one after another.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    bytes: Vec<u8>,
    /// Begin and length of each column in `bytes`, by name.
    places: Map<String, Value>,
}

impl Columns {
    /// Adds a column of unsigned numbers: seven bits to a byte, the lowest first, and the highest
    /// bit of each byte says whether another one follows (LEB128).
    pub(crate) fn add(&mut self, name: &str, numbers: impl Iterator<Item = u64>) {
        let begin = self.bytes.len();
        numbers.for_each(|number| push(&mut self.bytes, number));
        self.places.insert(name.to_owned(), json!([begin, self.bytes.len() - begin]));
    }

    /// Adds a column of signed numbers: 0, −1, 1, −2 … are written as 0, 1, 2, 3 …
    pub(crate) fn add_signed(&mut self, name: &str, numbers: impl Iterator<Item = i64>) {
        self.add(name, numbers.map(|number| (number << 1 ^ number >> 63) as u64));
    }

    /// Adds a column of unsigned numbers that are mostly zero: how far each other one is behind the
    /// one before, and the numbers, in a column of each.
    pub(crate) fn add_sparse(&mut self, name: &str, numbers: impl Iterator<Item = u64>) {
        let mut before = 0;
        let there = numbers.enumerate().filter(|(_, number)| *number != 0);
        let (steps, numbers): (Vec<u64>, Vec<u64>) = there
            .map(|(at, number)| ((at - std::mem::replace(&mut before, at)) as u64, number))
            .unzip();
        self.add(&format!("{name}-steps"), steps.into_iter());
        self.add(name, numbers.into_iter());
    }

    /// The bytes of all columns, and where each one is: `{"name": [begin, length]}`.
    pub(crate) fn finish(self) -> (Vec<u8>, Value) {
        (self.bytes, Value::Object(self.places))
    }
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Steps of a bar's code for each doubling, so that a bar is off by 2.2 % of itself at most.
const STEPS: f64 = 16.0;

/// A bar as a number of few bits: 0 for none, else 1 + 16·log₂ of its nanoseconds, 1 ns at least.
pub(crate) fn bar_code(nanos: f64) -> u64 {
    match nanos {
        n if n > 0.0 => 1 + (n.max(1.0).log2() * STEPS).round() as u64,
        _ => 0,
    }
}

/// Whole nanoseconds.
pub(crate) fn whole(nanos: f64) -> i64 {
    nanos.round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_the_bytes_that_they_need() {
        let mut columns = Columns::default();
        columns.add("a", [0, 127, 128, u64::MAX].into_iter());
        columns.add_signed("b", [0, -1, 1, i64::MIN].into_iter());
        let (bytes, places) = columns.finish();
        let largest = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
        let expected = [&[0, 127, 128, 1][..], &largest, &[0, 1, 2], &largest].concat();
        assert_eq!(bytes, expected);
        assert_eq!(places, json!({ "a": [0, 14], "b": [14, 13] }));
    }

    #[test]
    fn a_sparse_column_has_the_places_of_its_numbers() {
        let mut columns = Columns::default();
        columns.add_sparse("a", [0, 7, 0, 0, 9].into_iter());
        let (bytes, places) = columns.finish();
        assert_eq!(bytes, [1, 3, 7, 9]);
        assert_eq!(places, json!({ "a-steps": [0, 2], "a": [2, 2] }));
    }

    #[test]
    fn bars_are_coded_by_their_size() {
        assert_eq!([0.0, -1.0, 0.2, 1.0, 2.0, 1024.0].map(bar_code), [0, 0, 1, 1, 17, 161]);
    }
}
