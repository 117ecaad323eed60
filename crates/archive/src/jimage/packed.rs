//! Compressed resources of a runtime image (`jdk.internal.jimage.decompressor` in OpenJDK; `jlink
//! --compress`).
//!
//! A compressed resource is a header of 29 bytes and packed data. The header names a decompressor.
//! Its output is the resource, or another header with its data: decompressors can be stacked.
//! Numbers have the byte order of the image.

use std::borrow::Cow;

use super::{compact_cp, u32_at};
use crate::codec::inflate_zlib;
use crate::{ErrorKind, Limit, Limits};

/// `CompressedResourceHeader.MAGIC`.
const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_SIZE: usize = 29;
/// Bound on stacked decompressors. jlink has two, and applies each at most once.
const MOST_LAYERS: usize = 8;

/// `CompressedResourceHeader`, without two fields: the decompressor's configuration, which is
/// always empty, and the mark of the innermost header, which no reader uses.
struct Header {
    /// Number of bytes after the header.
    packed: u64,
    /// Number of bytes after decompression.
    unpacked: u64,
    /// The decompressor's name: an offset into the image's strings.
    name: u32,
}

impl Header {
    /// `None` if there is no header.
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

/// Decompresses `stored` to a resource of `size` bytes. `strings` are the image's strings.
pub(super) fn unpack<'b>(
    stored: &'b [u8],
    size: u64,
    strings: &[u8],
    big_endian: bool,
) -> Result<Cow<'b, [u8]>, ErrorKind> {
    let damaged = |what: String| Err(ErrorKind::DamagedImage(what.into()));
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
