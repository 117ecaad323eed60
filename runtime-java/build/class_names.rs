//! Takes a package prefix out of the names in a class file.

/// The class with `prefix` removed wherever it stands in a CONSTANT_Utf8 (JVMS §4.4.7): names and descriptors alike. No
/// string of the runtime may hold the prefix. Nothing but lengths of pool entries changes.
pub fn without_prefix(class: &[u8], prefix: &str) -> Result<Vec<u8>, String> {
    let count = number(class, 8)?;
    let mut out = class[..10].to_vec();
    let (mut at, mut index) = (10, 1);
    while index < count {
        let tag = *class.get(at).ok_or("the constant pool ends early")?;
        let length = match tag {
            1 => 3 + number(class, at + 1)?,
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            3 | 4 | 9..=12 | 17 | 18 => 5,
            5 | 6 => 9,
            _ => return Err(format!("constant pool tag {tag}")),
        };
        let entry = class.get(at..at + length).ok_or("the constant pool ends early")?;
        if tag == 1 {
            let text = without(&entry[3..], prefix.as_bytes());
            out.push(1);
            out.extend_from_slice(&u16::try_from(text.len()).map_err(|e| e.to_string())?.to_be_bytes());
            out.extend_from_slice(&text);
        } else {
            out.extend_from_slice(entry);
        }
        at += length;
        index += if matches!(tag, 5 | 6) { 2 } else { 1 };
    }
    out.extend_from_slice(&class[at..]);
    Ok(out)
}

/// Bytes, as the texts of a class file are in modified UTF-8.
fn without(mut text: &[u8], prefix: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    while let Some((&first, rest)) = text.split_first() {
        if let Some(rest) = text.strip_prefix(prefix) {
            text = rest;
        } else {
            out.push(first);
            text = rest;
        }
    }
    out
}

fn number(class: &[u8], at: usize) -> Result<usize, String> {
    let bytes = class.get(at..at + 2).ok_or("the class file ends early")?;
    Ok(usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
}
