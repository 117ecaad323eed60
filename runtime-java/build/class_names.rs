//! Renames classes in class files.

pub struct Class {
    /// Internal name.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The class with `by` in place of `prefix` in every CONSTANT_Utf8 (JVMS §4.4.7): in names and
/// descriptors alike. No string of the runtime may contain the prefix. Only pool entries change
/// their lengths.
pub fn renamed(class: &[u8], prefix: &str, by: &str) -> Result<Vec<u8>, String> {
    let mut out = class[..10].to_vec();
    let end = pool(class, |_, entry| {
        if entry[0] == 1 {
            let text = with(&entry[3..], prefix.as_bytes(), by.as_bytes());
            out.push(1);
            out.extend_from_slice(
                &u16::try_from(text.len()).map_err(|e| e.to_string())?.to_be_bytes(),
            );
            out.extend_from_slice(&text);
        } else {
            out.extend_from_slice(entry);
        }
        Ok(())
    })?;
    out.extend_from_slice(&class[end..]);
    Ok(out)
}

/// The internal names of the superclass and the superinterfaces (JVMS §4.1).
pub fn supertypes(class: &[u8]) -> Result<Vec<String>, String> {
    let mut entries = vec![&class[..0]; number(class, 8)?];
    let end = pool(class, |index, entry| {
        entries[index] = entry;
        Ok(())
    })?;
    let name = |at: usize| {
        let entry = entries
            .get(number(class, at)?)
            .filter(|entry| entry.len() == 3)
            .ok_or("no class entry")?;
        let text =
            entries.get(number(entry, 1)?).and_then(|text| text.get(3..)).ok_or("no name")?;
        Ok(String::from_utf8_lossy(text).into_owned())
    };
    // After access flags and this_class: super_class, then the interfaces behind their number.
    let interfaces = number(class, end + 6)?;
    std::iter::once(end + 4).chain((0..interfaces).map(|at| end + 8 + 2 * at)).map(name).collect()
}

/// Calls `each` with index and bytes, tag included, of every entry of the constant pool. Returns
/// where the pool ends.
fn pool<'a>(
    class: &'a [u8],
    mut each: impl FnMut(usize, &'a [u8]) -> Result<(), String>,
) -> Result<usize, String> {
    let count = number(class, 8)?;
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
        each(index, class.get(at..at + length).ok_or("the constant pool ends early")?)?;
        at += length;
        index += if matches!(tag, 5 | 6) { 2 } else { 1 };
    }
    Ok(at)
}

/// `text` with `by` in place of `prefix`. In bytes, as a class file has modified UTF-8.
fn with(mut text: &[u8], prefix: &[u8], by: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    while let Some((&first, rest)) = text.split_first() {
        if let Some(rest) = text.strip_prefix(prefix) {
            out.extend_from_slice(by);
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
