//! Colours for a terminal. Text is made without them; here its lines are painted by what they say,
//! so no width is counted wrong, and a strange name gets at most a strange colour.

use std::io::{self, Write};

/// Select Graphic Rendition (ECMA-48, 8.3.117).
const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[33m";

/// Lines that name a section of a report.
const TITLES: &[&str] = &[
    "hot methods",
    "call tree",
    "call paths",
    "callers and callees",
    "back traces",
    "threads",
    "counted methods",
    "calls on virtual threads",
    "methods that changed",
    "edited methods",
];

/// A writer of printable text that paints its lines. It is the last one before the terminal: behind
/// it nothing is escaped.
#[derive(Debug)]
pub struct Coloured<W: Write> {
    to: W,
    line: Vec<u8>,
}

impl<W: Write> Coloured<W> {
    /// Everything goes on to `to`.
    pub fn new(to: W) -> Self {
        Self { to, line: Vec::new() }
    }
}

impl<W: Write> Write for Coloured<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.to.write_all(painted(&String::from_utf8_lossy(&line)).as_bytes())?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.to.write_all(painted(&String::from_utf8_lossy(&line)).as_bytes())?;
        self.to.flush()
    }
}

fn painted(line: &str) -> String {
    let (text, end) = match line.strip_suffix('\n') {
        Some(text) => (text, "\n"),
        None => (line, ""),
    };
    let whole = |colour: &str| format!("{colour}{text}{RESET}{end}");
    if text.starts_with("NOT CLEAN") || text.starts_with("gate: FAILED") {
        return whole(RED);
    }
    if text.trim_start().starts_with("do not act on") {
        return whole(YELLOW);
    }
    if TITLES.iter().any(|title| text.starts_with(title)) || text.starts_with("root ") {
        return whole(BOLD);
    }
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '±' => error_bar(rest),
            '≤' => upper_end(rest),
            'a'..='z' if !before.is_alphanumeric() && before != ':' => package(rest),
            _ => 0,
        };
        let (part, after) = rest.split_at(if length > 0 { length } else { c.len_utf8() });
        match length {
            0 => out.push_str(part),
            _ => out.extend([DIM, part, RESET]),
        }
        before = part.chars().next_back().unwrap_or(before);
        rest = after;
    }
    out + end
}

/// Bytes of `±4.0%` at the beginning; 0 if it is none.
fn error_bar(text: &str) -> usize {
    let sign = '±'.len_utf8();
    let digits = text[sign..].find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')));
    match digits {
        Some(digits @ 1..) if text[sign + digits..].starts_with('%') => sign + digits + 1,
        _ => 0,
    }
}

/// Bytes of `≤ 22.7 s (10.8 s?)` or `≤ 22.7 s` at the beginning.
fn upper_end(text: &str) -> usize {
    let end = text.find("  ").unwrap_or(text.len());
    match text[..end].find("?)") {
        Some(at) => at + 2,
        None => end,
    }
}

/// Bytes of a package with its last dot, in front of a class, at the beginning.
fn package(text: &str) -> usize {
    let mut length = 0;
    for name in text.split_inclusive('.') {
        let is_package = name.ends_with('.')
            && name.len() > 1
            && name[..name.len() - 1].chars().all(|c| c.is_alphanumeric() || c == '_');
        if !is_package {
            break;
        }
        length += name.len();
    }
    let is_before_class = text[length..].chars().next().is_some_and(char::is_uppercase);
    if is_before_class { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `[` and `]` for dim.
    fn marked(line: &str) -> String {
        painted(line).replace(DIM, "[").replace(RESET, "]")
    }

    #[test]
    fn numbers_and_names_stand_out() {
        assert_eq!(
            marked(" 17.2  5.464 s ±87%  ≤ 14.2 s (6.74 s?)  2  org.h2.Insert::insertRows\n"),
            " 17.2  5.464 s [±87%]  [≤ 14.2 s (6.74 s?)]  2  [org.h2.]Insert::insertRows\n"
        );
        assert_eq!(marked("a.b.c d ± x"), "a.b.c d ± x");
    }

    #[test]
    fn nothing_but_colours_is_added() {
        for line in ["NOT CLEAN: 3\n", "call tree\n", "é ±1.5% ≤ 3 s\n", "x.Y::z ≤", ""] {
            let mut out = Vec::new();
            let mut to = Coloured::new(&mut out);
            for byte in line.as_bytes() {
                to.write_all(&[*byte]).unwrap();
            }
            to.flush().unwrap();
            let mut text = String::from_utf8(out).unwrap();
            for colour in [RESET, BOLD, DIM, RED, YELLOW] {
                text = text.replace(colour, "");
            }
            assert_eq!(text, line);
        }
    }
}
