//! JSON that is written piece by piece.

use std::io::{self, Write};

/// Writes a text as a JSON string.
pub(crate) fn text(out: &mut impl Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}

/// Writes a list, its elements by `element`.
pub(crate) fn list<W: Write, T>(
    out: &mut W,
    elements: impl Iterator<Item = T>,
    mut element: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, value) in elements.enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        element(out, value)?;
    }
    out.write_all(b"]")
}

/// Writes an integer.
pub(crate) fn integer(out: &mut impl Write, mut number: u64) -> io::Result<()> {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return out.write_all(&digits[at..]);
        }
    }
}
