//! The way out of all text.

use jfathom_plan::push_printable;
use std::io::{self, Write};

/// A writer of UTF-8 that escapes what is unprintable ([`jfathom_plan::is_unprintable`]), but for
/// line ends and tabs. Bytes that are no UTF-8 become U+FFFD. JSON stays what it was: an escape
/// inside of a string is the character.
///
/// A character may come in two writes; one that is cut off at the end is left out.
#[derive(Debug)]
pub struct Printed<W> {
    to: W,
    /// The beginning of a character whose other bytes have not come.
    rest: Vec<u8>,
    /// The last character, if it was not escaped.
    before: Option<char>,
}

impl<W: Write> Printed<W> {
    /// Everything goes on to `to`.
    pub fn new(to: W) -> Self {
        Self { to, rest: Vec::new(), before: None }
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        if text.bytes().all(|byte| is_plain(&byte)) {
            self.before = text.chars().next_back().or(self.before);
            return self.to.write_all(text.as_bytes());
        }
        let mut out = String::with_capacity(text.len() + 16);
        for c in text.chars() {
            match matches!(c, '\n' | '\t') {
                true => {
                    out.push(c);
                    self.before = Some(c);
                }
                false => push_printable(&mut out, &mut self.before, c),
            }
        }
        self.to.write_all(out.as_bytes())
    }
}

impl<W: Write> Write for Printed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let joined;
        let all = match self.rest.is_empty() {
            true => bytes,
            false => {
                self.rest.extend_from_slice(bytes);
                joined = std::mem::take(&mut self.rest);
                &joined
            }
        };
        let mut chunks = all.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text(chunk.valid())?;
            // Only at the end may a sequence be unfinished instead of wrong.
            let is_cut = chunks.peek().is_none()
                && std::str::from_utf8(chunk.invalid())
                    .is_err_and(|error| error.error_len().is_none());
            match chunk.invalid() {
                [] => {}
                unfinished if is_cut => self.rest = unfinished.to_vec(),
                _ => self.text("\u{fffd}")?,
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(writes: &[&[u8]]) -> String {
        let mut out = Vec::new();
        let mut printed = Printed::new(&mut out);
        writes.iter().for_each(|bytes| printed.write_all(bytes).unwrap());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_and_all_scripts_pass() {
        let text = "├─ größe\t± 3 µs\n計算 👨\u{200d}👩\u{200d}👧 Δ\n";
        assert_eq!(printed(&[text.as_bytes()]), text);
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(printed(&bytes), text);
    }

    #[test]
    fn what_moves_the_cursor_does_not() {
        assert_eq!(printed(&[b"a\x1b]0;x\x07\r\n"]), "a\\u001b]0;x\\u0007\\u000d\n");
        assert_eq!(printed(&["\u{9b}2J\u{202e}".as_bytes()]), "\\u009b2J\\u202e");
    }

    #[test]
    fn bytes_that_are_no_text_do_not_reach_the_other_side() {
        assert_eq!(printed(&[b"a\x9bb\xff"]), "a\u{fffd}b\u{fffd}");
        assert_eq!(printed(&[b"a\xe2\x80", b"b"]), "a\u{fffd}b");
        assert_eq!(printed(&[b"\xe2\x80"]), "");
    }

    #[test]
    fn json_stays_what_it_was() {
        let text = "a\\\u{202e}\u{9b}\"\u{e0041}\u{7f}\n";
        let json = serde_json::to_string(text).unwrap();
        let read: String = serde_json::from_str(&printed(&[json.as_bytes()])).unwrap();
        assert_eq!(read, text);
    }
}
