//! Extra fields (4.5): pairs of a 16-bit id and data of a 16-bit length.

use super::{u16_at, u64_at};

/// 4.5.3: sizes and offset that exceed 32 bits.
const ZIP64: u16 = 1;

/// The 64-bit values of a zip64 field, in the order of the overflowing header fields.
pub(super) fn zip64_values(extra: &[u8]) -> Option<impl Iterator<Item = u64>> {
    let mut at = 0;
    while let (Some(id), Some(len)) = (u16_at(extra, at), u16_at(extra, at + 2)) {
        let start = at + 4;
        let end = start + usize::from(len);
        if id == ZIP64 {
            let field = extra.get(start..end)?;
            return Some((0..field.len() / 8).filter_map(move |i| u64_at(field, i * 8)));
        }
        at = end;
    }
    None
}

/// The extra field without zip64 fields. Bytes that are not a field stay.
pub(super) fn without_zip64(extra: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(extra.len());
    let mut rest = extra;
    while let (Some(id), Some(len)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let end = (4 + usize::from(len)).min(rest.len());
        let (field, tail) = rest.split_at(end);
        if id != ZIP64 {
            kept.extend_from_slice(field);
        }
        rest = tail;
    }
    kept.extend_from_slice(rest);
    kept
}

/// Appends a zip64 field with these values, if there are any.
pub(super) fn push_zip64(extra: &mut Vec<u8>, values: &[u64]) {
    if values.is_empty() {
        return;
    }
    extra.extend_from_slice(&ZIP64.to_le_bytes());
    extra.extend_from_slice(&((values.len() * 8) as u16).to_le_bytes());
    values.iter().for_each(|v| extra.extend_from_slice(&v.to_le_bytes()));
}
