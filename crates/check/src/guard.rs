//! What must be known of a class file before `cafebabe` may read it.
//!
//! It makes room for as many switch cases as an instruction announces before it looks for them, and
//! goes down annotations by recursion. So the bytes are walked once before, and what announces more
//! than it has, or is deeper than javac ever writes, is refused. Nothing is compared by this walk.

use jfathom_plan::Problem;

/// The deepest nesting of annotation values that is let through; arrays and annotations count one
/// each.
const MOST_NESTED: u32 = 64;

/// A static argument of a bootstrap method that is a computed constant (`CONSTANT_Dynamic`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computed {
    /// Where it is in the file.
    pub(crate) at: usize,
    /// The number of its bootstrap method.
    pub(crate) method: usize,
    /// The constant of that method's handle.
    pub(crate) handle: u16,
    /// Its own constant.
    pub(crate) constant: u16,
}

/// Looks through a class file for what the reader does not take, though it is right: computed
/// arguments. An error says what is not let through. What is cut off or unknown passes; the reader
/// says it.
pub(crate) fn look(class: &[u8]) -> Result<Vec<Computed>, Problem> {
    let (names, dynamic, computed) = Default::default();
    let mut walk = Walk { bytes: class, at: 8, names, dynamic, computed };
    match walk.class() {
        Err(Stop::Refused(what)) => Err(what.into()),
        Ok(()) | Err(Stop::CutOff) => Ok(walk.computed),
    }
}

enum Stop {
    /// The bytes end, or are none that can be followed.
    CutOff,
    Refused(&'static str),
}

struct Walk<'c> {
    bytes: &'c [u8],
    at: usize,
    /// Where the text of each Utf8 entry lies; empty for other entries.
    names: Vec<&'c [u8]>,
    /// Which entries are computed constants.
    dynamic: Vec<bool>,
    computed: Vec<Computed>,
}

impl<'c> Walk<'c> {
    fn take(&mut self, count: usize) -> Result<&'c [u8], Stop> {
        let end = self.at.checked_add(count).ok_or(Stop::CutOff)?;
        let taken = self.bytes.get(self.at..end).ok_or(Stop::CutOff)?;
        self.at = end;
        Ok(taken)
    }

    fn number(&mut self, bytes: usize) -> Result<usize, Stop> {
        Ok(self.take(bytes)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    fn class(&mut self) -> Result<(), Stop> {
        let count = self.number(2)?;
        self.names = vec![&[]; count];
        self.dynamic = vec![false; count];
        let mut entry = 1;
        while entry < count {
            let tag = self.number(1)?;
            match tag {
                1 => {
                    let length = self.number(2)?;
                    let text = self.take(length)?;
                    if let Some(name) = self.names.get_mut(entry) {
                        *name = text;
                    }
                }
                7 | 8 | 16 | 19 | 20 => drop(self.take(2)?),
                15 => drop(self.take(3)?),
                3 | 4 | 9..=12 | 17 | 18 => {
                    self.take(4)?;
                    if let (17, Some(is_dynamic)) = (tag, self.dynamic.get_mut(entry)) {
                        *is_dynamic = true;
                    }
                }
                5 | 6 => drop(self.take(8)?),
                _ => return Err(Stop::CutOff),
            }
            entry += if matches!(tag, 5 | 6) { 2 } else { 1 };
        }
        self.take(6)?;
        let interfaces = self.number(2)?;
        self.take(2 * interfaces)?;
        for _ in 0..2 {
            for _ in 0..self.number(2)? {
                self.take(6)?;
                self.attributes(0)?;
            }
        }
        self.attributes(0)
    }

    fn attributes(&mut self, depth: u32) -> Result<(), Stop> {
        if depth > 4 {
            return Err(Stop::Refused("attributes are nested too deep for the reader"));
        }
        for _ in 0..self.number(2)? {
            let name = self.number(2)?;
            let length = self.number(4)?;
            let (start, whole) = (self.at, self.bytes);
            let end =
                start.checked_add(length).filter(|&end| end <= whole.len()).ok_or(Stop::CutOff)?;
            let name = self.names.get(name).copied().unwrap_or_default();
            self.bytes = whole.get(..end).ok_or(Stop::CutOff)?;
            let inside = self.attribute(name, depth);
            (self.bytes, self.at) = (whole, end);
            if let Err(refused @ Stop::Refused(_)) = inside {
                return Err(refused);
            }
        }
        Ok(())
    }

    fn attribute(&mut self, name: &[u8], depth: u32) -> Result<(), Stop> {
        match name {
            b"Code" => {
                self.take(4)?;
                let length = self.number(4)?;
                switches(self.take(length)?)?;
                let handlers = self.number(2)?;
                self.take(8 * handlers)?;
                self.attributes(depth + 1)
            }
            b"Record" => {
                for _ in 0..self.number(2)? {
                    self.take(4)?;
                    self.attributes(depth + 1)?;
                }
                Ok(())
            }
            b"BootstrapMethods" if depth == 0 => self.bootstrap_methods(),
            b"AnnotationDefault" => self.value(0),
            b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations" => self.annotations(),
            b"RuntimeVisibleParameterAnnotations" | b"RuntimeInvisibleParameterAnnotations" => {
                for _ in 0..self.number(1)? {
                    self.annotations()?;
                }
                Ok(())
            }
            b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
                for _ in 0..self.number(2)? {
                    let rest = match self.number(1)? {
                        0x00 | 0x01 | 0x16 => 1,
                        0x10 | 0x17 | 0x11 | 0x12 | 0x42..=0x46 => 2,
                        0x13..=0x15 => 0,
                        0x40 | 0x41 => 6 * self.number(2)?,
                        _ => 3,
                    };
                    self.take(rest)?;
                    let path = self.number(1)?;
                    self.take(2 * path)?;
                    self.annotation(0)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn bootstrap_methods(&mut self) -> Result<(), Stop> {
        for method in 0..self.number(2)? {
            let handle = self.number(2)? as u16;
            for _ in 0..self.number(2)? {
                let at = self.at;
                let constant = self.number(2)?;
                if self.dynamic.get(constant).is_some_and(|&is_dynamic| is_dynamic) {
                    let constant = constant as u16;
                    self.computed.push(Computed { at, method, handle, constant });
                }
            }
        }
        Ok(())
    }

    fn annotations(&mut self) -> Result<(), Stop> {
        for _ in 0..self.number(2)? {
            self.annotation(0)?;
        }
        Ok(())
    }

    fn annotation(&mut self, depth: u32) -> Result<(), Stop> {
        self.take(2)?;
        for _ in 0..self.number(2)? {
            self.take(2)?;
            self.value(depth)?;
        }
        Ok(())
    }

    fn value(&mut self, depth: u32) -> Result<(), Stop> {
        if depth > MOST_NESTED {
            return Err(Stop::Refused("annotations are nested too deep for the reader"));
        }
        match self.number(1)? as u8 {
            b'e' => drop(self.take(4)?),
            b'@' => self.annotation(depth + 1)?,
            b'[' => {
                for _ in 0..self.number(2)? {
                    self.value(depth + 1)?;
                }
            }
            _ => drop(self.take(2)?),
        }
        Ok(())
    }
}

/// Holds what the switches of some code announce against the bytes that follow (JVMS 6.5
/// `lookupswitch`, `tableswitch`).
fn switches(code: &[u8]) -> Result<(), Stop> {
    let refused = || Stop::Refused("a switch announces more cases than it has");
    let mut at = 0;
    while let Some(&op) = code.get(at) {
        let operand = |word: usize| {
            let start = (at + 4) / 4 * 4 + 4 * word;
            let bytes = code.get(start..start + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(i32::from_be_bytes).ok_or(Stop::CutOff)
        };
        let body = |bytes: u64| {
            let end = ((at + 4) / 4 * 4) as u64 + bytes;
            usize::try_from(end).ok().filter(|&end| end <= code.len()).ok_or_else(refused)
        };
        at = match op {
            0xaa => {
                let cases = i64::from(operand(2)?) - i64::from(operand(1)?) + 1;
                body(12 + 4 * u64::try_from(cases).map_err(|_| refused())?)?
            }
            0xab => body(8 + 8 * u64::try_from(operand(1)?).map_err(|_| refused())?)?,
            0xc4 => at + if code.get(at + 1) == Some(&0x84) { 6 } else { 4 },
            _ => at + 1 + OPERANDS.get(usize::from(op)).map_or(0, |&bytes| usize::from(bytes)),
        };
    }
    Ok(())
}

/// Operand bytes of each opcode but the switches and `wide` (JVMS 6.5).
const OPERANDS: [u8; 202] = {
    let mut operands = [0; 202];
    let ranges: [(usize, usize, u8); 11] = [
        (0x10, 0x10, 1),
        (0x11, 0x11, 2),
        (0x12, 0x12, 1),
        (0x13, 0x14, 2),
        (0x15, 0x19, 1),
        (0x36, 0x3a, 1),
        (0x84, 0x84, 2),
        (0x99, 0xa8, 2),
        (0xa9, 0xa9, 1),
        (0xb2, 0xb8, 2),
        (0xc6, 0xc7, 2),
    ];
    let mut row = 0;
    while row < ranges.len() {
        let mut op = ranges[row].0;
        while op <= ranges[row].1 {
            operands[op] = ranges[row].2;
            op += 1;
        }
        row += 1;
    }
    let more: [(usize, u8); 11] = [
        (0xb9, 4),
        (0xba, 4),
        (0xbb, 2),
        (0xbc, 1),
        (0xbd, 2),
        (0xc0, 2),
        (0xc1, 2),
        (0xc5, 3),
        (0xc8, 4),
        (0xc9, 4),
        (0xbe, 0),
    ];
    row = 0;
    while row < more.len() {
        operands[more[row].0] = more[row].1;
        row += 1;
    }
    operands
};

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(code: &[u8]) -> bool {
        matches!(switches(code), Err(Stop::Refused(_)))
    }

    #[test]
    fn switches_have_the_cases_that_they_announce() {
        let table = |low: i32, high: i32, cases: usize| {
            let words = [0, low, high].map(i32::to_be_bytes).concat();
            [&[0xaa, 0, 0, 0][..], &words, &vec![0; 4 * cases]].concat()
        };
        assert!(!refuses(&table(1, 3, 3)));
        assert!(refuses(&table(1, 4, 3)));
        assert!(refuses(&table(i32::MIN, i32::MAX, 3)), "the number of cases must not wrap around");
        assert!(refuses(&table(3, 1, 3)));
        let lookup = |pairs: i32, cases: usize| {
            [&[0, 0xab, 0, 0][..], &[0, pairs].map(i32::to_be_bytes).concat(), &vec![0; 8 * cases]]
                .concat()
        };
        assert!(!refuses(&lookup(2, 2)));
        assert!(refuses(&lookup(i32::MAX, 2)) && refuses(&lookup(-1, 2)));
        // The bytes of a constant are no switch.
        assert!(!refuses(&[0x11, 0xaa, 0xab, 0x13, 0xab, 0xab, 0xb1]));
    }

    #[test]
    fn annotations_are_not_followed_without_end() {
        let nested = |depth: usize| {
            let value = [b"[\0\x01".repeat(depth), b"I\0\x01".to_vec()].concat();
            let mut class = b"\xca\xfe\xba\xbe\0\0\0\x3d\0\x02\x01\0\x11AnnotationDefault".to_vec();
            class.extend([0; 12]);
            class.extend([0, 1, 0, 1]);
            class.extend((value.len() as u32).to_be_bytes());
            class.extend(value);
            class
        };
        assert!(look(&nested(10)).is_ok_and(|computed| computed.is_empty()));
        assert!(look(&nested(1_000_000)).unwrap_err().to_string().contains("nested too deep"));
    }
}
