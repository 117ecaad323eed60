//! Compressed resources of a runtime image (`jdk.internal.jimage.decompressor` in OpenJDK; `jlink
//! --compress`).
//!
//! A compressed resource is a header of 29 bytes and what a decompressor, named there, turns into
//! the resource, or into a further header and what follows it: decompressors are stacked. All
//! numbers have the byte order of the image.

use std::borrow::Cow;

use super::{compact_cp, u32_at};
use crate::codec::inflate_zlib;
use crate::{ErrorKind, Limit, Limits};

/// `CompressedResourceHeader.MAGIC`.
const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_SIZE: usize = 29;
/// How many decompressors may be stacked. jlink has two, and puts each on a resource at most once.
const MOST_LAYERS: usize = 8;

/// `CompressedResourceHeader`, without the decompressor's configuration, which none of them has,
/// and without the mark of the innermost header, which no reader asks for.
struct Header {
    /// How many bytes follow the header.
    packed: u64,
    /// How many bytes they become.
    unpacked: u64,
    /// The decompressor's name, as an offset into the strings of the image.
    name: u32,
}

impl Header {
    /// `None` where no header stands.
    fn parse(bytes: &[u8], big_endian: bool) -> Option<Self> {
        let number = |at| u32_at(bytes, at, big_endian);
        let long = |at| {
            let (first, second) = (u64::from(number(at)?), u64::from(number(at + 4)?));
            Some(if big_endian { first << 32 | second } else { second << 32 | first })
        };
        if bytes.len() < HEADER_SIZE || number(0)? != MAGIC {
            return None;
        }
        Some(Self { packed: long(4)?, unpacked: long(12)?, name: number(20)? })
    }
}

/// The resource of `size` bytes that `stored` is compressed from; `strings` are the strings of the
/// image.
pub(super) fn unpack<'b>(
    stored: &'b [u8],
    size: u64,
    strings: &[u8],
    big_endian: bool,
) -> Result<Cow<'b, [u8]>, ErrorKind> {
    let damaged = |what: String| Err(ErrorKind::DamagedImage(what));
    let mut content = Cow::Borrowed(stored);
    for _ in 0..MOST_LAYERS {
        let Some(header) = Header::parse(&content, big_endian) else {
            return match content.len() as u64 {
                len if len == size => Ok(content),
                len => damaged(format!("decompressed to {len} bytes instead of {size}")),
            };
        };
        let allowed = Limits::default().entry_bytes;
        if header.unpacked > allowed {
            return Err(ErrorKind::Limit {
                limit: Limit::EntryBytes,
                found: header.unpacked,
                allowed,
            });
        }
        let rest = content.get(HEADER_SIZE..).unwrap_or_default();
        let Some(packed) = usize::try_from(header.packed).ok().and_then(|len| rest.get(..len))
        else {
            return damaged(format!(
                "its header announces {} bytes, and {} follow",
                header.packed,
                rest.len()
            ));
        };
        let unpacked = match text_at(strings, header.name) {
            Some(b"zip") => inflate_zlib(packed, header.unpacked),
            Some(b"compact-cp") => compact_cp::expand(packed, header.unpacked, strings),
            Some(other) => {
                return Err(ErrorKind::CompressedImage(
                    String::from_utf8_lossy(other).into_owned(),
                ));
            }
            None => {
                return damaged(
                    "its decompressor's name lies outside the image's strings".to_owned(),
                );
            }
        };
        content = Cow::Owned(unpacked.map_err(ErrorKind::DamagedImage)?);
    }
    damaged(format!("compressed more than {MOST_LAYERS} times over"))
}

/// The string at an offset, up to its NUL, in modified UTF-8.
pub(super) fn text_at(strings: &[u8], at: u32) -> Option<&[u8]> {
    let tail = strings.get(at as usize..)?;
    tail.get(..tail.iter().position(|&byte| byte == 0)?)
}
