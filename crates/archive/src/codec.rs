//! Deflate and CRC-32.

use crate::error::Damage;
use std::borrow::Cow;
use std::cell::RefCell;

use libdeflater::{CompressionLvl, Compressor, Decompressor};

pub(crate) use libdeflater::crc32;

/// How an archive stores the bytes of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// Uncompressed.
    Stored,
    /// As a raw deflate stream (RFC 1951).
    Deflated,
}

/// An entry's content, ready to be written.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) storage: Storage,
    /// CRC-32 of the content.
    pub(crate) crc: u32,
    /// Bytes of the content.
    pub(crate) size: u64,
    /// The content as it is stored.
    pub(crate) data: Vec<u8>,
}

/// The level of changed and new entries. 8 % faster than level 6, which `java.util.zip` and the
/// `jar` tool use, for less than 1 % more bytes; level 4 exceeds that.
const LEVEL: i32 = 5;

/// Larger output buffers are not kept for the rest of the thread's life.
const KEPT_BUFFER: usize = 4 << 20;

/// No deflate stream expands more: a match of 258 bytes takes at least two bits (RFC 1951, 3.2.5).
const MOST_PER_BYTE: u64 = 258 * 8 / 2;

thread_local! {
    /// The compressor and its output buffer. Making one costs as much as compressing a small class.
    static DEFLATE: RefCell<(Compressor, Vec<u8>)> =
        RefCell::new((Compressor::new(CompressionLvl::new(LEVEL).unwrap_or_default()), Vec::new()));
    static INFLATE: RefCell<Decompressor> = RefCell::new(Decompressor::new());
}

/// Inflates the raw deflate stream `data` to exactly `size` bytes. The error is a reason for a
/// message.
pub(crate) fn inflate(data: &[u8], size: u64) -> Result<Vec<u8>, Damage> {
    inflate_by(data, size, |decompressor, content| decompressor.deflate_decompress(data, content))
}

/// [`inflate`] for a zlib stream (RFC 1950).
pub(crate) fn inflate_zlib(data: &[u8], size: u64) -> Result<Vec<u8>, Damage> {
    inflate_by(data, size, |decompressor, content| decompressor.zlib_decompress(data, content))
}

fn inflate_by(
    data: &[u8],
    size: u64,
    by: impl FnOnce(&mut Decompressor, &mut [u8]) -> Result<usize, libdeflater::DecompressionError>,
) -> Result<Vec<u8>, Damage> {
    if size > (data.len() as u64).saturating_mul(MOST_PER_BYTE) {
        return Err(format!(
            "announced with {size} bytes, more than {} compressed bytes can give",
            data.len()
        )
        .into());
    }
    let mut content =
        vec![0; usize::try_from(size).map_err(|_| format!("{size} bytes do not fit into memory"))?];
    match INFLATE.with_borrow_mut(|decompressor| by(decompressor, &mut content)) {
        Ok(len) if len == content.len() => Ok(content),
        Ok(len) => Err(format!("gives {len} bytes instead of {size}").into()),
        Err(libdeflater::DecompressionError::InsufficientSpace) => {
            Err(format!("gives more than the {size} bytes announced").into())
        }
        Err(libdeflater::DecompressionError::BadData) => {
            Err("its compressed data is damaged".into())
        }
    }
}

/// Makes an entry of `content`.
pub(crate) fn pack<'a>(content: impl Into<Cow<'a, [u8]>>, storage: Storage) -> Packed {
    let content = content.into();
    let (crc, size) = (crc32(&content), content.len() as u64);
    let data = match storage {
        Storage::Stored => content.into_owned(),
        Storage::Deflated => deflate(&content),
    };
    Packed { storage, crc, size, data }
}

fn deflate(content: &[u8]) -> Vec<u8> {
    DEFLATE.with_borrow_mut(|(compressor, buffer)| {
        let bound = compressor.deflate_compress_bound(content.len());
        if bound > KEPT_BUFFER {
            // Fresh pages are zeros already, and most are never touched.
            return deflate_into(compressor, content, &mut vec![0; bound]);
        }
        if buffer.len() < bound {
            buffer.resize(bound, 0);
        }
        deflate_into(compressor, content, buffer)
    })
}

/// `buffer` has at least the bytes of the compressor's bound.
fn deflate_into(compressor: &mut Compressor, content: &[u8], buffer: &mut [u8]) -> Vec<u8> {
    let len = compressor
        .deflate_compress(content, buffer)
        .expect("the buffer holds the compressor's own bound");
    buffer[..len].to_vec()
}
