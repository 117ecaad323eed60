//! The sentence about `⋯`, where `⋯` is.

use std::io::{self, Write};

use jfathom_views::{BETWEEN, BETWEEN_LEGEND};

/// A writer that knows whether `⋯` was written.
pub(crate) struct Watched<'a> {
    to: &'a mut dyn Write,
    has_between: bool,
    is_told: bool,
    /// The end of what was written, which may be the first part of `⋯`.
    end: Vec<u8>,
}

impl<'a> Watched<'a> {
    /// Everything goes on to `to`.
    pub fn new(to: &'a mut dyn Write) -> Self {
        Self { to, has_between: false, is_told: false, end: Vec::new() }
    }

    /// Whether `⋯` was written.
    pub fn has_between(&self) -> bool {
        self.has_between
    }

    /// Writes what `⋯` means if it was written, once.
    pub fn tell(&mut self) -> io::Result<()> {
        if self.has_between && !std::mem::replace(&mut self.is_told, true) {
            write_line!(self.to, "{BETWEEN_LEGEND}")?;
        }
        Ok(())
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        if !self.has_between {
            self.end.extend(&bytes[..written]);
            let sign = BETWEEN.as_bytes();
            self.has_between = self.end.windows(sign.len()).any(|part| part == sign);
            let kept = self.end.len().saturating_sub(sign.len() - 1);
            self.end.drain(..kept);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_is_there_once_if_the_sign_is() {
        for (pieces, is_there) in [(&["a ⋯ b", "⋯"][..], true), (&["a › b", ""], false)] {
            for size in 1..8 {
                let mut out = Vec::new();
                let mut watched = Watched::new(&mut out);
                for piece in pieces {
                    piece.as_bytes().chunks(size).for_each(|of| watched.write_all(of).unwrap());
                }
                watched.tell().unwrap();
                watched.tell().unwrap();
                let text = String::from_utf8(out).unwrap();
                let expected = usize::from(is_there);
                assert_eq!(text.matches(BETWEEN_LEGEND).count(), expected, "{text}");
                assert!(text.starts_with(&pieces.concat()), "{text}");
            }
        }
    }
}
