//! The characters of a selector, and which of them are between quotes.

use crate::Problem;
use std::{iter::Peekable, str::CharIndices};

/// A character of a selector. Between quotes it is part of a name, whatever it means elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Letter {
    /// Where it begins in the text.
    pub(crate) at: usize,
    pub(crate) c: char,
    pub(crate) quoted: bool,
}

impl Letter {
    /// Whether it is this character, and outside of quotes.
    pub(crate) fn is(&self, c: char) -> bool {
        !self.quoted && self.c == c
    }
}

/// Reads quotes and escapes. Names between backticks or double quotes mean themselves. There `\\`,
/// `` \` `` and `\"` stand for the character, and `\u001b` for a UTF-16 code unit, also outside.
/// A double quote opens only at the beginning of a name, so that one may stand within.
pub(crate) fn letters(text: &str) -> Result<Vec<Letter>, Problem> {
    let mut letters: Vec<Letter> = Vec::with_capacity(text.len());
    let mut chars = text.char_indices().peekable();
    let mut quote = None;
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(end), c) if c == end => quote = None,
            (_, '\\') if chars.peek().is_some_and(|&(_, c)| c == 'u') => {
                let c = escaped(&mut chars).unwrap_or(c);
                letters.push(Letter { at, c, quoted: true });
            }
            (Some(_), '\\') => {
                let c =
                    chars.next_if(|&(_, c)| matches!(c, '\\' | '`' | '"')).map_or(c, |(_, c)| c);
                letters.push(Letter { at, c, quoted: true });
            }
            (None, '`') => quote = Some(c),
            (None, '"') if begins_name(letters.last()) => quote = Some(c),
            (quote, c) => letters.push(Letter { at, c, quoted: quote.is_some() }),
        }
    }
    match quote {
        Some(quote) => Err(format!("the quote {quote} has no end").into()),
        None => Ok(letters),
    }
}

/// The text of letters.
pub(crate) fn text(letters: &[Letter]) -> String {
    letters.iter().map(|letter| letter.c).collect()
}

/// Letters without blanks at both ends.
pub(crate) fn trimmed(mut letters: &[Letter]) -> &[Letter] {
    let is_blank = |letter: &Letter| !letter.quoted && letter.c.is_whitespace();
    while let [first, rest @ ..] = letters
        && is_blank(first)
    {
        letters = rest;
    }
    while let [rest @ .., last] = letters
        && is_blank(last)
    {
        letters = rest;
    }
    letters
}

fn begins_name(before: Option<&Letter>) -> bool {
    before.is_none_or(|before| !before.quoted && ".:/#!@$".contains(before.c))
}

/// The character of `u001b`, or of two such escapes if they are surrogates. None, and nothing is
/// read, where it is no escape.
fn escaped(chars: &mut Peekable<CharIndices<'_>>) -> Option<char> {
    let first = unit(&mut chars.clone())?;
    chars.nth(4);
    if let 0xd800..0xdc00 = first {
        let mut ahead = chars.clone();
        let second = ahead.next_if(|&(_, c)| c == '\\').and_then(|_| unit(&mut ahead));
        if let Some(second @ 0xdc00..0xe000) = second {
            *chars = ahead;
            return char::decode_utf16([first, second]).next()?.ok();
        }
    }
    Some(char::from_u32(u32::from(first)).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// The code unit of `u001b`.
fn unit(chars: &mut Peekable<CharIndices<'_>>) -> Option<u16> {
    chars.next_if(|&(_, c)| c == 'u')?;
    (0..4).try_fold(0, |unit: u16, _| {
        let (_, c) = chars.next()?;
        Some(unit << 4 | c.to_digit(16)? as u16)
    })
}
