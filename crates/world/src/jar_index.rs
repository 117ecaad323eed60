//! The index of a jar or directory.

use crate::cache::Identity;
use jfathom_archive::{EntryName, Input};
use jfathom_reachability::{Index, IndexPart, Rows, encode_index};

/// Bytes of classes per part, as for a JDK.
const PART_BYTES: u64 = 12 << 20;

/// The identity of a container, if it has one.
pub(crate) fn identity(input: &Input) -> Option<Identity> {
    let mut identity = Identity::new("container");
    input.identify(&mut |piece| identity.take(piece)).then_some(identity)
}

/// The positions of the classes, in parts.
pub(crate) fn parts(input: &Input) -> Vec<Vec<u32>> {
    let (mut parts, mut part, mut bytes) = (Vec::new(), Vec::new(), 0);
    for ((position, name), size) in (0u32..).zip(input.names()).zip(input.sizes()) {
        if !EntryName::is_class(name) {
            continue;
        }
        part.push(position);
        bytes += size;
        if bytes >= PART_BYTES {
            parts.push(std::mem::take(&mut part));
            bytes = 0;
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// Reads a part, and returns whether every class could be read. The others are left out: a world
/// then reads them and gives the reason.
pub(crate) fn read(input: &Input, positions: &[u32]) -> (IndexPart, bool) {
    let (mut part, mut complete) = (IndexPart::default(), true);
    let read = input.read_each(positions, |position, bytes| match bytes {
        Some(Ok(bytes)) => part.add(position, &bytes),
        Some(Err(_)) | None => complete = false,
    });
    (part, complete && read.is_ok())
}

/// The index of all parts.
pub(crate) fn index(input: &Input, key: &str, parts: &[IndexPart]) -> Option<Index> {
    let rows = Rows::Entries(u32::try_from(input.names().len()).ok()?);
    Index::decode(encode_index(key.as_bytes(), rows, &[], parts)?, key.as_bytes()).ok()
}
