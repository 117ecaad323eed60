//! Class files that lack something, or have more.

/// The class file without its methods of this name (JVMS §4.1).
pub fn without_methods(class: &[u8], name: &str) -> Vec<u8> {
    let mut name_index = None;
    let at = after_constants(class, &mut |index, constant| {
        if constant[0] == 1 && &constant[3..] == name.as_bytes() {
            name_index = Some(index);
        }
    });
    // Flags, class, superclass, then the interfaces behind their number.
    let fields = at + 8 + 2 * number(class, at + 6);
    let methods = after_members(class, fields, &mut |_| {});
    let mut kept = Vec::new();
    let end = after_members(class, methods, &mut |member| {
        if Some(number(member, 2)) != name_index {
            kept.push(member);
        }
    });
    let count = (kept.len() as u16).to_be_bytes();
    [&class[..methods], &count, &kept.concat(), &class[end..]].concat()
}

/// Shows the fields or methods whose number is here. Returns where they end.
fn after_members<'c>(class: &'c [u8], begin: usize, show: &mut dyn FnMut(&'c [u8])) -> usize {
    let mut at = begin + 2;
    for _ in 0..number(class, begin) {
        let first = at;
        let attributes = number(class, at + 6);
        at += 8;
        for _ in 0..attributes {
            at += 6 + (number(class, at + 2) << 16 | number(class, at + 4));
        }
        show(&class[first..at]);
    }
    at
}

fn number(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))
}

/// A UTF-16 code unit in modified UTF-8 (JVMS §4.4.7).
fn modified_utf8(unit: u16) -> Vec<u8> {
    let low = |shift: u32| 0x80 | (unit >> shift & 0x3f) as u8;
    match unit {
        1..0x80 => vec![unit as u8],
        0 | 0x80..0x800 => vec![0xc0 | (unit >> 6) as u8, low(0)],
        _ => vec![0xe0 | (unit >> 12) as u8, low(6), low(0)],
    }
}

/// The class file with another text in place of an equal one in its constant pool (JVMS §4.4.7),
/// whatever the text is for.
pub fn renamed(class: &[u8], from: &str, to: &str) -> Vec<u8> {
    let to: Vec<u8> = to.encode_utf16().flat_map(modified_utf8).collect();
    let mut out = class[..10].to_vec();
    let end = after_constants(class, &mut |_, constant| {
        if constant[0] == 1 && &constant[3..] == from.as_bytes() {
            out.push(1);
            out.extend((to.len() as u16).to_be_bytes());
            out.extend(&*to);
        } else {
            out.extend(constant);
        }
    });
    [&out, &class[end..]].concat()
}

/// The class file with more constants behind its own. The first has the index that `constants` is
/// given; none of them takes two.
pub fn with_constants(class: &[u8], constants: impl FnOnce(u16) -> Vec<Vec<u8>>) -> Vec<u8> {
    let end = after_constants(class, &mut |_, _| {});
    let count = number(class, 8) as u16;
    let more = constants(count);
    let count = (count + more.len() as u16).to_be_bytes();
    [&class[..8], &count, &class[10..end], &more.concat(), &class[end..]].concat()
}

/// Shows the constants with their indexes (JVMS §4.4). Returns where the pool ends.
fn after_constants<'c>(class: &'c [u8], show: &mut dyn FnMut(usize, &'c [u8])) -> usize {
    let (mut at, mut index) = (10, 1);
    while index < number(class, 8) {
        let (length, indexes) = match class[at] {
            1 => (3 + number(class, at + 1), 1),
            7 | 8 | 16 | 19 | 20 => (3, 1),
            15 => (4, 1),
            5 | 6 => (9, 2),
            _ => (5, 1),
        };
        show(index, &class[at..at + length]);
        at += length;
        index += indexes;
    }
    at
}
