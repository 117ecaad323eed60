//! Class files whose strings are in the image (`StringSharingDecompressor` in OpenJDK; decompressor
//! `compact-cp`, `jlink --compress=1`).
//!
//! They differ from class files (JVMS 4.1, 4.4) in two tags that replace `CONSTANT_Utf8`: a string,
//! and a descriptor or signature. The latter has no class names. Each class name is two more
//! strings, package and simple name. A string is an offset into the image's strings. These are in
//! modified UTF-8, as in class files, so their bytes are copied.

use super::packed::text_at;
use crate::error::Damage;

const UTF8: u8 = 1;
/// `EXTERNALIZED_STRING`.
const STRING: u8 = 23;
/// `EXTERNALIZED_STRING_DESCRIPTOR`.
const DESCRIPTOR: u8 = 25;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;

/// Number of bytes after each tag of fixed size. jlink knows no other tags up to 20, not even
/// `CONSTANT_Dynamic`. It copies such a tag alone and reads the bytes after it as further tags, so
/// it stops earlier. Reading the same way restores the original.
const SIZES: [u8; 21] = {
    let mut sizes = [0; 21];
    let known: [(usize, u8); 15] = [
        (3, 4),
        (4, 4),
        (5, 8),
        (6, 8),
        (7, 2),
        (8, 2),
        (9, 4),
        (10, 4),
        (11, 4),
        (12, 4),
        (15, 3),
        (16, 2),
        (18, 4),
        (19, 2),
        (20, 2),
    ];
    let mut at = 0;
    while at < known.len() {
        sizes[known[at].0] = known[at].1;
        at += 1;
    }
    sizes
};

/// Magic, minor and major version.
const VERSION_END: usize = 8;

/// Restores a class file of `size` bytes. The error is a reason for a message.
pub(super) fn expand(packed: &[u8], size: u64, strings: &[u8]) -> Result<Vec<u8>, Damage> {
    let most = usize::try_from(size).map_err(|_| format!("{size} bytes do not fit into memory"))?;
    let mut input = Input(packed);
    // The size is only announced. Pools grow by a small factor.
    let mut out =
        Output { bytes: Vec::with_capacity(most.min(packed.len().saturating_mul(8))), most };
    out.put(input.take(VERSION_END)?)?;
    let count = input.take(2)?;
    out.put(count)?;
    let count = count.iter().fold(0, |all, &byte| all << 8 | u32::from(byte));
    let mut index = 1;
    while index < count {
        let tag = input.byte()?;
        match tag {
            UTF8 => {
                let len = input.take(2)?;
                out.put(&[UTF8])?;
                out.put(len)?;
                out.put(
                    input.take(len.iter().fold(0, |all, &byte| all << 8 | usize::from(byte)))?,
                )?;
            }
            STRING => {
                let text = input.string(strings)?;
                out.utf8(&[text])?;
            }
            DESCRIPTOR => descriptor(&mut input, &mut out, strings)?,
            _ => {
                let len = SIZES
                    .get(usize::from(tag))
                    .ok_or_else(|| format!("constant {index} has the tag {tag}"))?;
                out.put(&[tag])?;
                out.put(input.take(usize::from(*len))?)?;
                // These take two indices (JVMS 4.4.5).
                index += u32::from(tag == LONG || tag == DOUBLE);
            }
        }
        index += 1;
    }
    out.put(input.0)?;
    match out.bytes.len() == most {
        true => Ok(out.bytes),
        false => Err(format!("gives {} bytes instead of {size}", out.bytes.len()).into()),
    }
}

/// A string with a package and a class after each `L`.
fn descriptor(input: &mut Input<'_>, out: &mut Output, strings: &[u8]) -> Result<(), Damage> {
    let shape = input.string(strings)?;
    let len = input.number()?;
    let mut names = Input(input.take(len as usize)?);
    let mut pieces: Vec<&[u8]> = Vec::new();
    for piece in shape.split_inclusive(|&byte| byte == b'L') {
        pieces.push(piece);
        if piece.ends_with(b"L") {
            let package = names.string(strings)?;
            if !package.is_empty() {
                pieces.extend([package, b"/"]);
            }
            pieces.push(names.string(strings)?);
        }
    }
    out.utf8(&pieces)
}

/// The unread input.
struct Input<'b>(&'b [u8]);

impl<'b> Input<'b> {
    fn take(&mut self, len: usize) -> Result<&'b [u8], Damage> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or("its constant pool is cut off")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, Damage> {
        self.take(1).map(|taken| taken.first().copied().unwrap_or_default())
    }

    /// `CompressIndexes`: four bytes; or one to three, if the first byte has its highest bit set.
    /// Its next two bits are then the number of bytes, its last five the most significant bits.
    fn number(&mut self) -> Result<u32, Damage> {
        let head = self.byte()?;
        let (len, top) = match head {
            ..0x80 => (4, head),
            _ => (usize::from(head >> 5 & 3), head & 0x1f),
        };
        let more = len.checked_sub(1).ok_or("an offset of no bytes in its constant pool")?;
        Ok(self.take(more)?.iter().fold(u32::from(top), |all, &byte| all << 8 | u32::from(byte)))
    }

    fn string<'s>(&mut self, strings: &'s [u8]) -> Result<&'s [u8], Damage> {
        let at = self.number()?;
        let outside =
            || format!("its constant pool has a string at {at}, where the image has none").into();
        text_at(strings, at).ok_or_else(outside)
    }
}

/// The output, and its bound.
struct Output {
    bytes: Vec<u8>,
    most: usize,
}

impl Output {
    fn put(&mut self, bytes: &[u8]) -> Result<(), Damage> {
        if bytes.len() > self.most - self.bytes.len() {
            return Err(format!("gives more than the {} bytes announced", self.most).into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// A `CONSTANT_Utf8` of all pieces.
    fn utf8(&mut self, pieces: &[&[u8]]) -> Result<(), Damage> {
        let len: usize = pieces.iter().map(|piece| piece.len()).sum();
        let len = u16::try_from(len)
            .map_err(|_| format!("a string of {len} bytes in its constant pool"))?;
        self.put(&[UTF8])?;
        self.put(&len.to_be_bytes())?;
        pieces.iter().try_for_each(|piece| self.put(piece))
    }
}
