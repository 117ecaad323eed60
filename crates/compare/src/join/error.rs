//! Why profiles are not joined.

use jfathom_plan::Problem;

/// Why profiles are not joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinError {
    /// There is none.
    #[error("there is no profile")]
    Nothing,
    /// The profile at this place is no slice of a recording.
    #[error("is no slice of a recording (record --every); `jfathom merge` adds up others")]
    NoSlice(usize),
    /// The profile at this place is of another recording than the first.
    #[error("is of another recording than the first")]
    OtherRecording(usize),
    /// The profile at this place is the same slice as an earlier one.
    #[error("is a slice that was given before")]
    Twice(usize),
    /// Together they say what cannot be.
    #[error("the slices contradict each other: {0}")]
    Contradiction(Problem),
}

impl JoinError {
    /// The place of the profile that it is about; none if it is about all.
    pub fn place(&self) -> Option<usize> {
        match self {
            Self::Nothing | Self::Contradiction(_) => None,
            Self::NoSlice(at) | Self::OtherRecording(at) | Self::Twice(at) => Some(*at),
        }
    }
}
