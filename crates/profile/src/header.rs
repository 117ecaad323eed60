//! What a profile's header has beyond that of every file: `in_turn`, and a number for each reason
//! of [`Unfollowed`].
//!
//! Older files end before one of them, and what newer ones have beyond is passed over.

use std::num::NonZeroU64;

use crate::Meta;
use jfathom_plan::{Unfollowed, UnfollowedCounts};

/// As much of it as says something.
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

/// Takes over what is there.
pub(crate) fn read(bytes: &[u8], meta: &mut Meta) {
    let (in_turn, counts) = match bytes.split_first_chunk() {
        Some((id, rest)) => (NonZeroU64::new(u64::from_le_bytes(*id)), rest),
        None => (None, bytes),
    };
    meta.interleaving_id = in_turn;
    meta.unfollowed = UnfollowedCounts::default();
    for (&reason, count) in Unfollowed::ALL.iter().zip(counts.as_chunks().0) {
        meta.unfollowed.add(reason, u32::from_le_bytes(*count));
    }
}
