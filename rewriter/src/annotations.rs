//! The types of annotations (JVMS 4.7.16).

/// How deep annotations may nest within annotations before the rest is not read.
const DEPTH: u32 = 32;

/// Adds the internal type names of a `Runtime(In)VisibleAnnotations` attribute to `types`. What
/// cannot be read ends it.
pub(crate) fn read<'c>(
    info: &[u8],
    utf8: impl Fn(u16) -> Option<&'c [u8]>,
    types: &mut Vec<String>,
) {
    let mut cursor = Cursor { rest: info };
    let Some(count) = cursor.u2() else { return };
    for _ in 0..count {
        let Some(descriptor) = cursor.u2().and_then(&utf8) else { return };
        if let Some(name) = crate::descriptor::class_name(descriptor) {
            types.push(classfile_writer::mutf8::decode_lossy(name).into_owned());
        }
        if cursor.pairs(0).is_none() {
            return;
        }
    }
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn skip(&mut self, count: usize) -> Option<()> {
        self.rest = self.rest.get(count..)?;
        Some(())
    }

    fn u2(&mut self) -> Option<u16> {
        let (head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u16::from_be_bytes(*head))
    }

    fn pairs(&mut self, depth: u32) -> Option<()> {
        for _ in 0..self.u2()? {
            self.skip(2)?;
            self.value(depth)?;
        }
        Some(())
    }

    /// One `element_value`.
    fn value(&mut self, depth: u32) -> Option<()> {
        let (&tag, rest) = self.rest.split_first()?;
        self.rest = rest;
        match tag {
            b'e' => self.skip(4),
            b'@' if depth < DEPTH => {
                self.skip(2)?;
                self.pairs(depth + 1)
            }
            b'[' if depth < DEPTH => {
                for _ in 0..self.u2()? {
                    self.value(depth + 1)?;
                }
                Some(())
            }
            b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => self.skip(2),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    fn types(info: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        read(
            info,
            |ix| [&b"La/One;"[..], b"La/Two;", b"I"].get(usize::from(ix)).copied(),
            &mut found,
        );
        found
    }

    #[test]
    fn values_of_every_kind_are_passed_over() {
        let mut one = vec![0, 2, 0, 0, 0, 4];
        one.extend([0, 9, b's', 0, 1]);
        one.extend([0, 9, b'e', 0, 1, 0, 2]);
        one.extend([0, 9, b'[', 0, 2, b'I', 0, 3, b'@', 0, 5, 0, 1, 0, 9, b'c', 0, 1]);
        one.extend([0, 9, b'@', 0, 5, 0, 0]);
        one.extend([0, 1, 0, 0]);
        assert_eq!(types(&one), ["a/One", "a/Two"]);
    }

    #[test]
    fn damage_keeps_what_came_before() {
        assert_eq!(types(&[0, 2, 0, 0, 0, 1, 0, 9, b'?', 0]), ["a/One"]);
        assert_eq!(types(&[0, 9]), [""; 0]);
        let mut deep = vec![0, 1, 0, 0, 0, 1, 0, 9];
        deep.extend([b'[', 0, 1].repeat(100_000));
        assert_eq!(types(&deep), ["a/One"]);
    }
}
