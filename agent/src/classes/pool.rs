//! A fingerprint of a class's constant pool, to see whether another agent has changed the class
//! after us.
//!
//! What an agent adds to a method names something that the class did not name before, in nearly all
//! cases. The pool is the one part of a running class that the JVM gives without making method ids,
//! which it never frees.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Offset of `constant_pool_count` in a class file.
const COUNT: usize = 8;

/// The fingerprint of a class file's pool; none if it is cut short.
pub fn of_class_file(bytes: &[u8]) -> Option<u64> {
    let count = u16::from_be_bytes(*bytes.get(COUNT..)?.first_chunk()?);
    of_entries(count, bytes.get(COUNT + 2..)?)
}

/// The fingerprint of the entries of a pool. Indexes of texts do not count: HotSpot may use another
/// one of equal texts.
pub fn of_entries(count: u16, mut bytes: &[u8]) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let mut index = 1;
    while index < count {
        let (&tag, rest) = bytes.split_first()?;
        let (length, slots, counts) = match tag {
            // Utf8: its length is part of it.
            1 => (2 + usize::from(u16::from_be_bytes(*rest.first_chunk()?)), 1, true),
            // Integer and float; long and double.
            3 | 4 => (4, 1, true),
            5 | 6 => (8, 2, true),
            // Class, string, method type, module, package: an index of a text.
            7 | 8 | 16 | 19 | 20 => (2, 1, false),
            // Name and type: two of them.
            12 => (4, 1, false),
            // References, dynamic constants; method handle.
            9..=11 | 17 | 18 => (4, 1, true),
            15 => (3, 1, true),
            _ => return None,
        };
        let (entry, rest) = rest.split_at_checked(length)?;
        tag.hash(&mut hasher);
        if counts {
            entry.hash(&mut hasher);
        }
        bytes = rest;
        index += slots;
    }
    count.hash(&mut hasher);
    Some(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::{of_class_file, of_entries};

    #[test]
    fn texts_and_references_count_and_indexes_of_texts_do_not() {
        let pool = |text: &[u8], index: u8, member: u8| {
            let mut bytes = vec![1, 0, text.len() as u8];
            bytes.extend(text);
            bytes.extend([7, 0, index, 5, 0, 0, 0, 0, 0, 0, 0, 9, 10, 0, 2, 0, member]);
            bytes
        };
        let of = |bytes: &[u8]| of_entries(6, bytes);
        assert!(of(&pool(b"ab", 1, 5)).is_some());
        assert_eq!(of(&pool(b"ab", 1, 5)), of(&pool(b"ab", 4, 5)));
        assert_ne!(of(&pool(b"ab", 1, 5)), of(&pool(b"ac", 1, 5)));
        assert_ne!(of(&pool(b"ab", 1, 5)), of(&pool(b"ab", 1, 6)));
        let entries = pool(b"ab", 1, 5);
        let file = [&[0; 8][..], &[0, 6], &entries, &[1, 2, 3]].concat();
        assert_eq!(of_class_file(&file), of(&entries));
        for length in 0..entries.len() {
            assert_eq!(of(&entries[..length]), None);
        }
    }
}
