//! Optional fields of a profile's header: the interleaving id, a count per reason of
//! [`Unfollowed`], the size, and the labels with their length before them.
//!
//! Older files have fewer fields. Further fields of newer files are ignored.

use std::num::NonZeroU64;

use crate::{Labels, Meta};
use jfathom_plan::{Unfollowed, UnfollowedCounts};

/// The fields, up to the last one that is not zero.
pub(crate) fn write(meta: &Meta) -> Vec<u8> {
    let mut bytes = Vec::new();
    let has_size = meta.size.is_some() || !meta.labels.is_empty();
    let has_counts = !meta.unfollowed.is_empty() || has_size;
    if meta.interleaving_id.is_some() || has_counts {
        bytes.extend(meta.interleaving_id.map_or(0, NonZeroU64::get).to_le_bytes());
    }
    if has_counts {
        bytes.extend(
            Unfollowed::ALL.iter().flat_map(|&reason| meta.unfollowed.get(reason).to_le_bytes()),
        );
    }
    if has_size {
        bytes.extend(meta.size.map_or(0, NonZeroU64::get).to_le_bytes());
    }
    if let Some(labels) = packed(&meta.labels) {
        bytes.extend((labels.len() as u16).to_le_bytes());
        bytes.extend(labels);
    }
    bytes
}

/// Labels as the file has them; none if there are none, or more than a header holds.
fn packed(labels: &Labels) -> Option<Vec<u8>> {
    let bytes = postcard::to_stdvec(labels).ok()?;
    (!labels.is_empty() && bytes.len() <= LABELS_MAX).then_some(bytes)
}

/// Bytes of all labels of a profile: what a header of 4 KiB has room for.
const LABELS_MAX: usize = 3 << 10;

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
    let rest = counts.get(4 * Unfollowed::ALL.len()..).and_then(<[u8]>::split_first_chunk);
    let (size, rest) = match rest {
        Some((size, rest)) => (u64::from_le_bytes(*size), rest),
        None => (0, &[][..]),
    };
    meta.size = NonZeroU64::new(size);
    let labels = rest.split_first_chunk().and_then(|(length, rest)| {
        postcard::from_bytes(rest.get(..usize::from(u16::from_le_bytes(*length)))?).ok()
    });
    meta.labels = labels.unwrap_or_default();
}
