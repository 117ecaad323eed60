//! Java text with holes.

/// Replaces each `$NAME` of a template. Longer names come first in `holes` where one begins
/// another.
pub fn fill(template: &str, holes: &[(&str, String)]) -> String {
    holes.iter().fold(template.to_owned(), |text, (name, with)| text.replace(name, with))
}
