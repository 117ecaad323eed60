//! Modified UTF-8 (JVMS §4.4.7). `U+0000` takes two bytes. A character above `U+FFFF` is two
//! surrogates of three bytes each.

use std::borrow::Cow;

/// Decodes modified UTF-8. Plain ASCII is borrowed. `None` if the bytes are damaged or have an
/// unpaired surrogate, which no Rust string can hold.
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    // Without a way out in the middle, so that many bytes are looked at in one go.
    if bytes.iter().fold(true, |plain, &b| plain & (b.wrapping_sub(1) < 0x7f)) {
        return std::str::from_utf8(bytes).ok().map(Cow::Borrowed);
    }
    let units = units(bytes)?;
    char::decode_utf16(units).collect::<Result<String, _>>().ok().map(Cow::Owned)
}

/// Decodes for display. Damaged bytes become `U+FFFD`.
pub fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    if let Some(text) = decode(bytes) {
        return text;
    }
    match units(bytes) {
        Some(units) => Cow::Owned(String::from_utf16_lossy(&units)),
        None => Cow::Owned(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// Encodes text. ASCII without NUL is borrowed.
pub fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.bytes().all(|b| b.wrapping_sub(1) < 0x7f) {
        return Cow::Borrowed(text.as_bytes());
    }
    Cow::Owned(encode_utf16(text.encode_utf16()))
}

/// Encodes UTF-16 code units, with unpaired surrogates as they are.
pub fn encode_utf16(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let units = units.into_iter();
    let mut out = Vec::with_capacity(units.size_hint().0 + 8);
    for unit in units {
        match unit {
            1..=0x7f => out.push(unit as u8),
            0 | 0x80..=0x7ff => {
                out.extend_from_slice(&[0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8])
            }
            _ => out.extend_from_slice(&[
                0xe0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3f) as u8,
                0x80 | (unit & 0x3f) as u8,
            ]),
        }
    }
    out
}

/// The UTF-16 code units. `None` if a byte sequence is cut off or malformed.
fn units(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, after)) = rest.split_first() {
        let unit;
        (unit, rest) = match (first, after) {
            (0x01..=0x7f, _) => (u16::from(first), after),
            (0xc0..=0xdf, [second @ 0x80..=0xbf, after @ ..]) => {
                (u16::from(first & 0x1f) << 6 | u16::from(second & 0x3f), after)
            }
            (0xe0..=0xef, [second @ 0x80..=0xbf, third @ 0x80..=0xbf, after @ ..]) => {
                let high = u16::from(first & 0x0f) << 12 | u16::from(second & 0x3f) << 6;
                (high | u16::from(third & 0x3f), after)
            }
            _ => return None,
        };
        units.push(unit);
    }
    Some(units)
}

#[cfg(test)]
mod tests;
