//! Optional fields of a profile's header: the interleaving id, a count per reason of
//! [`Unfollowed`], and the size.
//!
//! Older files have fewer fields. Further fields of newer files are ignored.

use std::num::NonZeroU64;

use crate::Meta;
use jfathom_plan::{Unfollowed, UnfollowedCounts};

/// The fields, up to the last one that is not zero.
pub(crate) fn write(meta: &Meta) -> Vec<u8> {
    let mut bytes = Vec::new();
    let has_counts = !meta.unfollowed.is_empty() || meta.size.is_some();
    if meta.interleaving_id.is_some() || has_counts {
        bytes.extend(meta.interleaving_id.map_or(0, NonZeroU64::get).to_le_bytes());
    }
    if has_counts {
        bytes.extend(
            Unfollowed::ALL.iter().flat_map(|&reason| meta.unfollowed.get(reason).to_le_bytes()),
        );
    }
    if let Some(size) = meta.size {
        bytes.extend(size.get().to_le_bytes());
    }
    bytes
}

/// Sets the fields that the header has.
pub(crate) fn read(bytes: &[u8], meta: &mut Meta) {
    let (interleaving_id, counts) = match bytes.split_first_chunk() {
        Some((id, rest)) => (NonZeroU64::new(u64::from_le_bytes(*id)), rest),
        None => (None, bytes),
    };
    meta.interleaving_id = interleaving_id;
    meta.unfollowed = UnfollowedCounts::default();
    for (&reason, count) in Unfollowed::ALL.iter().zip(counts.as_chunks().0) {
        meta.unfollowed.add(reason, u32::from_le_bytes(*count));
    }
    let size = counts.get(4 * Unfollowed::ALL.len()..).and_then(<[u8]>::first_chunk);
    meta.size = size.and_then(|size| NonZeroU64::new(u64::from_le_bytes(*size)));
}
