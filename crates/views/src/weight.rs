//! What stacks and frames weigh.

/// What the numbers of collapsed stacks and the widths of flame graphs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackWeight {
    /// Nanoseconds in the path's last method itself.
    #[default]
    SelfTime,
    /// Calls that came along the path, timed and counted.
    Calls,
}
