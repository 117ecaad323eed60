//! Big-endian reads that check their bounds, and writes into a growing buffer.

use crate::error::{Error, Result};

#[inline]
pub(crate) fn u1(bytes: &[u8], at: usize) -> Result<u8> {
    match bytes.get(at) {
        Some(&b) => Ok(b),
        None => Err(Error::truncated(at)),
    }
}

#[inline]
pub(crate) fn u2(bytes: &[u8], at: usize) -> Result<u16> {
    match bytes.get(at..at.wrapping_add(2)) {
        Some(&[a, b]) => Ok(u16::from_be_bytes([a, b])),
        _ => Err(Error::truncated(at)),
    }
}

#[inline]
pub(crate) fn u4(bytes: &[u8], at: usize) -> Result<u32> {
    match bytes.get(at..at.wrapping_add(4)) {
        Some(&[a, b, c, d]) => Ok(u32::from_be_bytes([a, b, c, d])),
        _ => Err(Error::truncated(at)),
    }
}

/// Reads a `u2` of a checked structure. 0 if the check was wrong.
#[inline]
pub(crate) fn checked_u2(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..at.wrapping_add(2)) {
        Some(&[a, b]) => u16::from_be_bytes([a, b]),
        _ => 0,
    }
}

/// Reads a `u4` of a checked structure. 0 if the check was wrong.
#[inline]
pub(crate) fn checked_u4(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..at.wrapping_add(4)) {
        Some(&[a, b, c, d]) => u32::from_be_bytes([a, b, c, d]),
        _ => 0,
    }
}

#[inline]
pub(crate) fn push_u2(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

#[inline]
pub(crate) fn push_u4(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

/// Overwrites two written bytes. Does nothing beyond the end.
#[inline]
pub(crate) fn put_u2(out: &mut [u8], at: usize, value: u16) {
    if let Some(place) = out.get_mut(at..at.wrapping_add(2)) {
        place.copy_from_slice(&value.to_be_bytes());
    }
}

/// Overwrites four written bytes. Does nothing beyond the end.
#[inline]
pub(crate) fn put_u4(out: &mut [u8], at: usize, value: u32) {
    if let Some(place) = out.get_mut(at..at.wrapping_add(4)) {
        place.copy_from_slice(&value.to_be_bytes());
    }
}
