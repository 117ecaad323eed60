//! Sentences on a terminal.

use std::io::{self, Write};

/// Columns of the words that lines of a head begin with.
const HANG: usize = 10;

/// A writer of lines that breaks those that are too long between words. What follows is indented
/// as far as the words that the lines of a head begin with.
pub(crate) struct Wrapped<'a> {
    to: &'a mut dyn Write,
    width: Option<usize>,
    line: Vec<u8>,
}

impl<'a> Wrapped<'a> {
    /// Breaks lines at `width` columns; none if no width is given.
    pub(crate) fn new(to: &'a mut dyn Write, width: Option<usize>) -> Self {
        Self { to, width: width.filter(|width| *width > 2 * HANG), line: Vec::new() }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        let Some(width) = self.width else { return self.to.write_all(&line) };
        let text = String::from_utf8_lossy(&line);
        let (text, end) = match text.strip_suffix('\n') {
            Some(text) => (text, "\n"),
            None => (&*text, ""),
        };
        let mut column = 0;
        for (at, word) in text.split(' ').enumerate() {
            let length = word.chars().count();
            if at > 0 && column + 1 + length > width && column > HANG {
                write!(self.to, "\n{:HANG$}", "")?;
                column = HANG;
            } else if at > 0 {
                self.to.write_all(b" ")?;
                column += 1;
            }
            self.to.write_all(word.as_bytes())?;
            column += length;
        }
        self.to.write_all(end.as_bytes())
    }
}

impl Write for Wrapped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            self.write_line()?;
        }
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, width: Option<usize>) -> String {
        let mut out = Vec::new();
        let mut to = Wrapped::new(&mut out, width);
        to.write_all(text.as_bytes()).unwrap();
        to.flush().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_break_between_words_and_lose_none() {
        let text = "times     one two three four five six\n          seven\n";
        assert_eq!(wrapped(text, None), text);
        let broken = wrapped(text, Some(24));
        assert_eq!(broken, "times     one two three\n          four five six\n          seven\n");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words(&broken), words(text));
    }
}
