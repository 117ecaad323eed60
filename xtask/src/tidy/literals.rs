//! String literals of Rust and Java, as far as the checks of single lines need them.

use std::collections::BTreeSet;

/// The lines, from 1, on which a part of a string literal lies.
pub fn lines(text: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let (mut rest, mut number) = (text, 1);
    while !rest.is_empty() {
        if let Some(start) = literal(rest) {
            let length = start.length(rest);
            let last = number + rest[..length].matches('\n').count();
            found.extend(number..=last);
            (rest, number) = (&rest[length..], last);
            continue;
        }
        let length = other(rest);
        number += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// How a literal begins and ends.
struct Literal {
    start: usize,
    end: String,
    has_escapes: bool,
}

impl Literal {
    /// Bytes of the literal with its quotes; of all that is left where it does not end.
    fn length(&self, text: &str) -> usize {
        let mut at = self.start;
        loop {
            let left = &text[at..];
            if left.is_empty() {
                return text.len();
            }
            if left.starts_with(&self.end) {
                return at + self.end.len();
            }
            let skipped = if self.has_escapes && left.starts_with('\\') { 2 } else { 1 };
            at += left.chars().take(skipped).map(char::len_utf8).sum::<usize>();
        }
    }
}

/// The literal that begins here.
fn literal(text: &str) -> Option<Literal> {
    if let Some(rest) = text.strip_prefix('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        if rest[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            return Some(Literal { start: hashes + 2, end, has_escapes: false });
        }
    }
    let quotes = ["\"\"\"\n", "\""].into_iter().find(|quotes| text.starts_with(quotes))?;
    let end = quotes.trim_end().to_owned();
    Some(Literal { start: quotes.len(), end, has_escapes: true })
}

/// Bytes of a comment, of a character or lifetime, of a word, or of one other character.
fn other(text: &str) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return text.find("*/").map_or(text.len(), |end| end + 2);
    }
    if let Some(rest) = text.strip_prefix('\'') {
        // A lifetime has no second quote where a character has one.
        let mut chars = rest.chars();
        let character = match chars.next() {
            Some('\\') => rest[1..].chars().next().map_or(0, |c| 1 + c.len_utf8()),
            other => other.map_or(0, char::len_utf8),
        };
        let is_closed = rest.get(character..).is_some_and(|left| left.starts_with('\''));
        return if is_closed { character + 2 } else { 1 };
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.find(|c| !is_word(c)).unwrap_or(text.len());
    // A word that ends in `r` is no prefix of a raw literal, but `r` and `br` are.
    match word {
        0 => first,
        2 if text.starts_with("br") => 1,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<usize> {
        lines(text).into_iter().collect()
    }

    #[test]
    fn literals_are_found_over_several_lines() {
        assert_eq!(found("a\nb = \"c\nd\";\ne"), [2, 3]);
        assert_eq!(found("r#\"a\"\n\"\nb\"#\nc"), [1, 2, 3]);
        assert_eq!(found("br\"a\n\"\nb"), [1, 2]);
        assert_eq!(found("s = \"\"\"\n a \"b\"\n \"\"\";\nc"), [1, 2, 3]);
    }

    #[test]
    fn quotes_that_begin_no_literal_are_passed_over() {
        assert_eq!(found("// \"\n/* \"\n\" */\n'\"' '\\'' <'a>\n"), [0; 0]);
        assert_eq!(found("\"\\\"\"\nb\n"), [1]);
    }
}
