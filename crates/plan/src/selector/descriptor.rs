//! Method descriptors (JVMS 4.3.3).

/// Checks that `text` is a method descriptor.
pub(super) fn check(text: &str) -> Result<String, String> {
    let error = || format!("‘{text}’ is no method descriptor such as (ILjava/lang/String;)V");
    let (parameters, result) =
        text.strip_prefix('(').and_then(|rest| rest.split_once(')')).ok_or_else(error)?;
    let mut rest = parameters;
    while !rest.is_empty() {
        rest = field(rest).ok_or_else(error)?;
    }
    let rest = if result == "V" { "" } else { field(result).ok_or_else(error)? };
    if rest.is_empty() { Ok(text.to_owned()) } else { Err(error()) }
}

/// The text after one field type. None if it does not begin with one.
fn field(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('[');
    let mut chars = text.chars();
    match chars.next()? {
        'B' | 'C' | 'D' | 'F' | 'I' | 'J' | 'S' | 'Z' => Some(chars.as_str()),
        'L' => chars
            .as_str()
            .split_once(';')
            .filter(|(name, _)| !name.is_empty())
            .map(|(_, rest)| rest),
        _ => None,
    }
}
