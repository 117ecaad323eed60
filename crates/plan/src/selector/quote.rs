//! Names as a selector has them: what is printed in this form can be given as a selector.

use crate::{LineRange, text::push_printable};
use std::borrow::Cow;

/// A name of a method, or one part of a class's name. It stands between backticks if a character
/// in it has a meaning in selectors or would not be seen. The lines of a region stay behind it:
/// `run:12-20`.
pub fn quoted_name(name: &str) -> Cow<'_, str> {
    if let Some((method, lines)) = name.rsplit_once(':')
        && !method.is_empty()
        && lines.parse::<LineRange>().is_ok_and(|range| range.to_string() == lines)
    {
        return Cow::Owned(format!("{}:{lines}", quoted_name(method)));
    }
    if matches!(name, "<init>" | "<clinit>") || !name.is_empty() && name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::with_capacity(name.len() + 2);
    quoted.push('`');
    let mut before = None;
    for c in name.chars() {
        match c {
            '`' | '\\' => {
                quoted.extend(['\\', c]);
                before = Some(c);
            }
            c => push_printable(&mut quoted, &mut before, c),
        }
    }
    quoted.push('`');
    Cow::Owned(quoted)
}

/// A class by its name with `/` or `.` between the parts: `com.acme.Engine`.
pub fn quoted_class(name: &str) -> String {
    joined(name, ".")
}

/// A method descriptor.
pub(crate) fn quoted_descriptor(descriptor: &str) -> Cow<'_, str> {
    let is_plain_descriptor = |c| is_plain(c) || "()[;/".contains(c);
    if descriptor.chars().all(is_plain_descriptor) {
        return Cow::Borrowed(descriptor);
    }
    let mut quoted = String::with_capacity(descriptor.len() + 4);
    let mut rest = descriptor;
    while let Some((types, named)) = rest.split_once('L') {
        let Some((class, after)) = named.split_once(';') else { break };
        quoted.extend([types, "L", &joined(class, "/"), ";"]);
        rest = after;
    }
    quoted.push_str(rest);
    Cow::Owned(quoted)
}

fn joined(name: &str, separator: &str) -> String {
    name.split(['/', '.']).map(quoted_name).collect::<Vec<_>>().join(separator)
}

/// Whether a character means itself, and is seen.
fn is_plain(c: char) -> bool {
    match c {
        '-' | '$' | '_' => true,
        c if c.is_ascii() => c.is_ascii_alphanumeric(),
        c => !c.is_whitespace() && !crate::text::is_unprintable(c, None),
    }
}
