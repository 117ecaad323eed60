//! Text in SVG and HTML.

/// Text as content or value of an attribute (XML 1.0, 2.4), also in HTML. Names may have any
/// character: those that XML has not are replaced.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_an_element_or_a_value() {
        assert_eq!(escaped("a<b>\"&'\u{1b}"), "a&lt;b&gt;&quot;&amp;'\u{fffd}");
    }
}
