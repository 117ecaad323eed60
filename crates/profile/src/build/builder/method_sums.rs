//! Sums of one method.

/// Counts of a method that its nodes do not have, and sums over its nodes that are needed while the
/// tree grows. What each record changes lies in one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct MethodSums {
    pub returns: u64,
    /// Measured self time.
    pub self_ticks: u64,
    /// Timed calls that the method made directly.
    pub timed_below: u64,
    /// Counted calls that the method made directly.
    pub counted_below: u64,
    /// COUNTED records that these calls caused.
    pub count_records: u64,
    pub throws: u64,
    pub inferred: u64,
    /// Time from entry to exit, without what is excluded: each call's, also of calls in it.
    pub call_ticks: u64,
    pub caught: u64,
    /// Inferred exits that the record of an exception closed.
    pub unwound: u64,
    pub unmatched: u64,
    /// COUNTED records that the method's own entries and exits caused.
    pub flush_records: u64,
    /// Whether a timed call was made within another one of the method.
    pub is_recursive: bool,
}
