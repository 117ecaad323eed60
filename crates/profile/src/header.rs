//! Optional fields of a profile's header: the interleaving id, and a count per reason of
//! [`Unfollowed`].
//!
//! Older files have fewer fields. Further fields of newer files are ignored.

use std::num::NonZeroU64;

use crate::Meta;
use jfathom_plan::{Unfollowed, UnfollowedCounts};

/// The fields, up to the last one that is not zero.
pub(crate) fn write(meta: &Meta) -> Vec<u8> {
    let mut bytes = Vec::new();
    if meta.interleaving_id.is_some() || !meta.unfollowed.is_empty() {
        bytes.extend(meta.interleaving_id.map_or(0, NonZeroU64::get).to_le_bytes());
    }
    if !meta.unfollowed.is_empty() {
        bytes.extend(
            Unfollowed::ALL.iter().flat_map(|&reason| meta.unfollowed.get(reason).to_le_bytes()),
        );
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
}
