//! Escapes for text that a person reads.
//!
//! Names in a class file may contain nearly any character (JVMS 4.2.2). So may names of threads,
//! files and jar entries, and command lines. On a terminal some characters move the cursor, change
//! earlier text, reverse the direction of text, or show nothing. Such a character is escaped as in
//! Java source: `\u001b`. The same form is an escape in a JSON string, so escaping a finished JSON
//! text does not change its meaning.
//!
//! Two places escape, and both are necessary:
//!
//! - [`printable`] escapes a name that becomes part of a sentence or a row. It also escapes line
//!   ends, so that no name begins a line. The `Display` of [`crate::MethodKey`] uses it.
//! - All output to a terminal or text file goes through one writer (`jfathom_report::Printed`). It
//!   escapes the rest, except for line ends and tabs. `cargo xtask tidy` refuses any other output
//!   to stdout and stderr.

use std::borrow::Cow;

/// Whether a terminal would not simply show the character. `before` is the previous character if it
/// is printable.
///
/// Unprintable are control characters (Unicode category Cc), format characters (Cf) that turn or
/// join text, line and paragraph separators, invisible fillers, and tags. Scripts and emoji need
/// the joiners U+200C and U+200D, so these are printable after a character beyond ASCII. After any
/// other they join nothing.
pub fn is_unprintable(c: char, before: Option<char>) -> bool {
    match c {
        ' '..='~' => false,
        '\u{200c}' | '\u{200d}' => before.is_none_or(|before| before.is_ascii()),
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => true,
        c => c.is_control(),
    }
}

/// Appends a character as Java and JSON escape it: `\u` and four digits per UTF-16 code unit.
fn push_escaped(to: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        to.push_str(&format!("\\u{unit:04x}"));
    }
}

/// Appends a character, escaped if necessary. `before` is the previous character if it is
/// printable.
pub fn push_printable(to: &mut String, before: &mut Option<char>, c: char) {
    let is_escaped = is_unprintable(c, *before);
    *before = (!is_escaped).then_some(c);
    match is_escaped {
        true => push_escaped(to, c),
        false => to.push(c),
    }
}

/// The text for one line of output: line ends and unprintable characters are escaped. Text without
/// any is borrowed.
pub fn printable(text: &str) -> Cow<'_, str> {
    let mut before = None;
    let Some(first) = text.find(|c| is_unprintable(c, before.replace(c))) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    let mut before = out.chars().next_back();
    for c in text[first..].chars() {
        push_printable(&mut out, &mut before, c);
    }
    Cow::Owned(out)
}

/// The words, quoted for a POSIX shell where they need it.
pub fn shell_words(words: &[impl AsRef<str>]) -> String {
    let is_plain = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c))
    };
    let quote = |word: &str| match is_plain(word) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::shell_words;
    use super::*;

    #[test]
    fn what_shows_itself_is_borrowed() {
        for text in [
            "com.acme.Engine::run",
            "größe",
            "計算::実行",
            "├─ ± × µ Δ → ≤",
            "🏴‍☠️ 👨‍👩‍👧",
            "می‌خواهم",
            "",
        ] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn what_does_something_else_is_escaped() {
        assert_eq!(printable("a\u{1b}[2Jb"), r"a\u001b[2Jb");
        assert_eq!(printable("\n\r\t\u{7f}\u{9b}"), r"\u000a\u000d\u0009\u007f\u009b");
        assert_eq!(printable("x\u{202e}y\u{2066}z"), r"x\u202ey\u2066z");
        assert_eq!(printable("a\u{200d}b\u{200b}"), r"a\u200db\u200b");
        assert_eq!(printable("\u{e0041}"), r"\udb40\udc41");
        assert_eq!(printable("\u{200d}é\u{200d}"), "\\u200dé\u{200d}");
        assert_eq!(printable("é\u{200b}\u{200d}"), r"é\u200b\u200d");
    }

    #[test]
    fn an_escape_is_the_same_character_in_json() {
        for c in ('\0'..='\u{10ffff}').filter(|c| is_unprintable(*c, None)) {
            let mut escaped = String::new();
            push_escaped(&mut escaped, c);
            let read: String = serde_json::from_str(&format!("\"{escaped}\"")).unwrap();
            assert_eq!(read, c.to_string());
        }
    }

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        let words = ["-cp", "old build/app.jar", "a$b", "it's", ""];
        assert_eq!(shell_words(&words), r"-cp 'old build/app.jar' 'a$b' 'it'\''s' ''");
    }
}
