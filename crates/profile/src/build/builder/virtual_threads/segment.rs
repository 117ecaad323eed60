//! Segments: records of one virtual thread in the ring of its carrier.

use jfathom_trace::layout as l;
use jfathom_trace::record::{Record, type_of};
use serde::{Deserialize, Serialize};

use crate::build::builder::off_cpu::Spans;

/// Records of one virtual thread in one ring.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Segment {
    pub carrier: u32,
    /// When the thread was found on the carrier; the same for all parts of a segment.
    pub since: u64,
    pub round: u64,
    pub high: u64,
    pub words: Vec<u64>,
    /// Counted calls without a record, by method id.
    pub counted: Vec<(u32, u64)>,
    /// When the carrier had no processor, from the segment's records before on. A checkpoint is
    /// without them.
    #[serde(skip)]
    pub off_cpu: Spans,
    /// Whether the records that follow in the ring are missing.
    pub has_gap: bool,
}

/// Whether a carrier may write the record when the thread is elsewhere.
pub(super) fn can_come_late(word: u64) -> bool {
    let record = match type_of(word) {
        l::TYPE_ESCAPE => Record::decode(word),
        _ => None,
    };
    matches!(
        record,
        Some(
            Record::Counted { .. }
                | Record::CountedPair { .. }
                | Record::Adjust { .. }
                | Record::TimeHigh { .. }
        )
    )
}
